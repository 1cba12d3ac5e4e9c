// Wires the dashboard together: when the page that the address means is loaded, and where it is drawn.

import { forget, onUnauthorized, onWritten } from "./api.js";
import * as bar from "./bar.js";
import { h, render } from "./dom.js";
import { live } from "./live.js";
import { found } from "./pages.js";
import { onRoute, renamed, route, visit } from "./route.js";
import { loadSession, session } from "./session.js";
import { moment, now, span, text } from "./words.js";

const main = document.getElementById("main");
const gate = document.getElementById("gate");
const NARROW = 308;
/** Ages are words such as `12 s ago`, which go on while nothing is asked. */
const AGEING = 10_000;
/** So long the page before stays while the next one loads; then it says that it is loading. */
const GRACE = 200;

/** What is drawn: `{path, page, params}`; `loaded` is when it last was, `failure` why it could not be. */
let shown = null;
let loaded = null;
let failure = null;
let signin = null;
let loading = null;
/** Something changed while a page was on its way. */
let missed = false;
/** Of what is drawn; the observer below tells, so that drawing never waits for a layout. */
let width = Math.max(main.clientWidth - 56, NARROW);
const places = new Map();

function draw() {
  // On the way to another page the address is no longer that of what is drawn.
  if (!loading || !shown || shown.path === route().path) render(main, content());
  main.hidden = signin !== null;
  main.setAttribute("aria-busy", String(loading !== null));
  render(gate, signin ? signin.signin(signedIn, draw) : []);
  render(document.getElementById("banner"), banner());
  bar.draw(draw, signin !== null);
  const title = shown?.page ? shown.page.title(shown.params) : null;
  const alerts = bar.alertCount();
  document.title = `${alerts && !signin ? `(${alerts}) ` : ""}${signin || !title ? "" : `${title} · `}Pinwatch`;
}

function content() {
  const missing = !failure || failure.status === 404;
  if (shown?.page && loaded && failure?.status !== 404) return h("div", { key: shown.path, class: "page" }, shown.page.view(width, draw, shown.params, route().query));
  if (!failure && (!shown || shown.module)) return h("p", { key: "waiting", class: "waiting" }, "Loading…");
  return h("section", { key: "nothing", class: "nothing", "aria-labelledby": "nothing" },
    h("h1", { id: "nothing" }, missing ? "Nothing is here" : "This could not be loaded"),
    h("p", null, failure ? text(failure.message, 300) : "No page of the dashboard has this address", "."),
    h("p", null, missing ? h("a", { href: "#/" }, "Go to the overview") : h("button", { class: "primary", onclick: () => (session() ? show() : start()) }, "Try again")));
}

function banner() {
  if (!failure || signin || !loaded || failure.status === 404) return [];
  return h("p", { class: "banner" }, h("span", null, text(failure.message, 300), `. What you see is from ${moment(loaded, true)}, ${span(now() - loaded)} ago. Trying again.`),
    h("button", { class: "quiet", onclick: () => stream.now() }, "Try now"));
}

/** Loads what the address names and draws it. */
async function show(landed = false) {
  const old = renamed(route());
  if (old) return visit(old, false);
  loading?.abort();
  const mine = (loading = new AbortController());
  const { path, query } = route();
  const other = shown?.path !== path;
  const next = other || !shown.page ? found(path) : shown;
  const patience = other ? setTimeout(() => (enter(next), draw()), GRACE) : 0;
  let error = null;
  try {
    if (next) {
      next.page ??= await next.module();
      await next.page.load(next.params, query, mine.signal);
    }
  } catch (reason) {
    error = reason;
  }
  clearTimeout(patience);
  if (mine.signal.aborted) return;
  loading = null;
  if (other) enter(next);
  settle(next ? error : null);
  draw();
  if (other && landed) arrive();
  if (missed) stream.now();
}

/** From here on `next` is what is drawn. */
function enter(next) {
  if (shown === next && shown !== null) return;
  [shown, loaded, failure] = [next ?? { path: route().path, page: null, params: {} }, null, null];
}

function settle(error) {
  failure = error;
  if (!error) loaded = now();
  else if (error.status === undefined) queueMicrotask(() => reportError(error));
}

/** A new page begins at its top with the focus on its heading; one gone back to, where it was left. */
function arrive() {
  const heading = main.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  (heading ?? main).focus({ preventScroll: true });
  scrollTo({ top: places.get(location.href) ?? 0, behavior: "instant" });
}

/** Loads again what is visible; the milliseconds to wait at least before the next time. */
async function refresh() {
  if (!session() && !(await begin())) return 0;
  if (loading) missed = true;
  if (loading || !shown?.page) return 0;
  missed = false;
  const mine = shown;
  const again = new AbortController();
  loading = again;
  const results = await Promise.allSettled([mine.page.load(mine.params, route().query, again.signal), bar.load()]);
  if (again.signal.aborted) return 0;
  loading = null;
  const failed = results.find((result) => result.status === "rejected")?.reason ?? null;
  settle(failed);
  draw();
  return failed ? Math.max(10_000, (failed.retryAfter ?? 0) * 1000) : 0;
}

const stream = live("api/v1/events/stream", refresh);

onWritten(() => stream.now());

onUnauthorized(async () => {
  if (signin) return;
  stream.stop();
  signin = await import("./signin.js");
  draw();
  gate.querySelector("input")?.focus();
});

/** After signing in everything is asked anew; what was typed below stands as it was. */
async function signedIn() {
  forget();
  signin = null;
  draw();
  if (shown?.page && loaded) stream.now();
  else await start();
}

/** Learns who is signed in; false where that cannot be learned, or nobody is. */
async function begin() {
  try {
    await loadSession();
    failure = null;
    return true;
  } catch (error) {
    if (error.status !== 401) settle(error);
    draw();
    return false;
  }
}

async function start() {
  if (await begin()) {
    // Heard before it is asked, so that nothing is lost between the two.
    stream.begin();
    await Promise.all([show(), bar.load().catch(() => {})]);
    draw();
  } else if (failure) stream.now();
}

let followed = false;
let left = location.href;
history.scrollRestoration = "manual";
document.addEventListener("click", (event) => (followed = event.target.closest?.("a[href^='#/']") != null), true);

onRoute((byPage) => {
  places.set(left, scrollY);
  if (byPage || followed) places.delete(location.href);
  [left, followed] = [location.href, false];
  show(true);
});

document.querySelector(".skip").addEventListener("click", (event) => {
  // The hash holds the route, so the link's own would lose it.
  event.preventDefault();
  main.focus();
});

new ResizeObserver(([{ contentRect }]) => {
  // While it is hidden it has none.
  if (contentRect.width > 0) width = Math.max(contentRect.width, NARROW);
  draw();
}).observe(main);
setInterval(() => document.hidden || draw(), AGEING);
start();
