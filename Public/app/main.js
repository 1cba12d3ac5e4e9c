// Wires the page together: what is loaded when, and where it is drawn.

import { hasToken, setToken } from "./api.js";
import { h, render } from "./dom.js";
import { every } from "./live.js";
import * as overview from "./overview.js";
import { onRoute, route } from "./route.js";
import * as targets from "./targets.js";
import { moment, now, span, text } from "./words.js";

const main = document.getElementById("main");
const parts = [overview, targets];
const NARROW = 340;

let failure = null;
let lastGood = null;
let unauthorized = false;
let asking = null;
let open = targets.openIds();

function draw() {
  const width = Math.max(main.clientWidth - 2 * Number.parseFloat(getComputedStyle(main).paddingLeft), NARROW - 32);
  if (unauthorized) render(main, asking.signin(() => (draw(), live.now())));
  else if (lastGood !== null) render(main, parts.map((part) => part.view(width, draw)));
  else render(main, h("p", { class: "waiting" }, failure ? "Nothing could be loaded yet." : "Loading…"));
  targets.fillSearch();
  render(document.getElementById("banner"), banner());
  render(document.getElementById("tools"), tools());
  const broken = unauthorized ? 0 : overview.brokenCount();
  document.title = broken ? `(${broken}) Pinwatch` : "Pinwatch";
}

function banner() {
  if (!failure || unauthorized) return [];
  const old = lastGood === null ? "" : ` What you see is from ${moment(lastGood, true)}, ${span(now() - lastGood)} ago.`;
  return h("p", { class: "banner" }, h("span", null, text(failure, 300), `.${old} Trying again.`), h("button", { class: "quiet", onclick: () => live.now() }, "Try now"));
}

const schemes = { "": "System colours", light: "Light", dark: "Dark" };

function tools() {
  const chosen = document.documentElement.dataset.scheme ?? "";
  return [
    h("label", { key: "scheme" }, h("span", { class: "hidden" }, "Colours"), h("select", { onchange: (event) => paint(event.currentTarget.value) },
      Object.entries(schemes).map(([value, label]) => h("option", { value, selected: value === chosen }, label)))),
    hasToken() && !unauthorized && h("button", { key: "out", class: "quiet", onclick: () => (setToken(null), live.now()) }, "Sign out"),
  ];
}

function paint(scheme) {
  if (scheme) document.documentElement.dataset.scheme = scheme;
  else delete document.documentElement.dataset.scheme;
  try {
    if (scheme) localStorage.setItem("pinwatch.scheme", scheme);
    else localStorage.removeItem("pinwatch.scheme");
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** Loads everything that is visible; the seconds to wait at least before the next time. */
async function refresh() {
  if (unauthorized && !hasToken()) return 0;
  const results = await Promise.allSettled(parts.map((part) => part.load()));
  const failures = results.filter((result) => result.status === "rejected").map((result) => result.reason);
  const asked = unauthorized;
  unauthorized = failures.some((error) => error.status === 401);
  if (unauthorized) {
    asking ??= await import("./signin.js");
    asking.refuse();
  }
  failure = unauthorized ? null : failures[0]?.message ?? null;
  if (!failures.length) lastGood = now();
  draw();
  if (unauthorized && !asked) document.getElementById("token").focus();
  for (const error of failures) if (error.status === undefined) throw error;
  return failures.length ? Math.max(10, ...failures.map((error) => error.retryAfter ?? 0)) : 0;
}

const live = every(5, refresh);

onRoute(async () => {
  const reached = targets.newlyOpen(open);
  const linked = reached && document.activeElement?.id !== `target-${reached}`;
  open = targets.openIds();
  draw();
  await live.now();
  if (linked) targets.reach(reached);
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const box = document.getElementById("search");
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
});

document.querySelector(".skip").addEventListener("click", (event) => {
  // The hash holds the route, so the link's own would lose it.
  event.preventDefault();
  main.focus();
});

new ResizeObserver(() => draw()).observe(main);
live.now().then(() => {
  const linked = targets.openIds()[0];
  if (linked && route().query.has("open") && !unauthorized) targets.reach(linked);
});
