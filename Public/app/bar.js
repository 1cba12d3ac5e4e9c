// The top bar: pages, search, and who is signed in; at the bottom of a narrow screen the pages.

import { get } from "./api.js";
import { h, render } from "./dom.js";
import { link, route, visit } from "./route.js";
import { may, session, signOut } from "./session.js";
import { choose, chosen, schemes } from "./scheme.js";
import { exactly, instant, number, plain } from "./words.js";

const pages = [
  ["/", "Overview", "viewer"], ["/targets", "Targets", "viewer"], ["/pin-sets", "Pin sets", "viewer"], ["/preflight", "Preflight", "viewer"], ["/alerts", "Alerts", "viewer"],
  ["/settings", "Settings", "admin"],
];
/** While somebody types, the list follows after this many milliseconds. */
const PAUSE = 150;

let alerts = null;
let typing = 0;

/** Asks for what the bar shows: how many alerts are open. Throws ApiError. */
export async function load() {
  alerts = (await get("alerts", { state: "open", limit: 1 })).total;
}

/** Open alerts, for the tab's title. */
export const alertCount = () => alerts ?? 0;

/** `closed`: nobody is signed in, so nothing is offered but the colours. */
export function draw(redraw, closed) {
  const open = !closed && session() !== null;
  render(document.getElementById("pages"), open ? pages.filter(([, , role]) => may(role)).map(page) : []);
  render(document.getElementById("tools"), [open && search(), menu(redraw, open)]);
  fill();
}

function page([path, name]) {
  const here = route().path;
  const current = path === "/" ? here === "/" : here === path || here.startsWith(`${path}/`);
  return h("a", { key: path, href: link(path), class: path === "/preflight" ? "side" : null, "aria-current": current ? (here === path ? "page" : "true") : null }, name,
    path === "/alerts" && alerts > 0 && [" ", h("span", { class: "chip bad" }, number(alerts), h("span", { class: "hidden" }, " open"))]);
}

function search() {
  return h("form", { key: "search", class: "search", role: "search", onsubmit: submit },
    h("label", { class: "hidden", for: "search" }, "Find a host"),
    h("input", { id: "search", type: "search", placeholder: "Find a host", autocomplete: "off", spellcheck: "false", maxlength: "253", oninput: follow, onkeydown: leave }),
    h("kbd", { "aria-hidden": "true" }, "/"));
}

const onTargets = () => route().path === "/targets";
const find = (words) => visit(link("/targets", { ...(onTargets() ? Object.fromEntries(route().query) : {}), host: words, cursor: null, p: null }), !onTargets());

function submit(event) {
  event.preventDefault();
  clearTimeout(typing);
  find(event.currentTarget.elements.search.value.trim());
}

/** On the page of targets the list follows what is typed; elsewhere Enter leads there. */
function follow(event) {
  const words = event.currentTarget.value.trim();
  clearTimeout(typing);
  if (onTargets()) typing = setTimeout(() => onTargets() && find(words), PAUSE);
}

function leave(event) {
  if (event.key !== "Escape") return;
  event.currentTarget.value = "";
  clearTimeout(typing);
  if (onTargets()) find(null);
  event.currentTarget.blur();
}

/** What the address says, put into the search box unless somebody is typing there. */
function fill() {
  const box = document.getElementById("search");
  if (box && document.activeElement !== box) box.value = onTargets() ? route().query.get("host") ?? "" : "";
}

function menu(redraw, open) {
  return h("details", { key: "menu", class: "menu", onkeydown: escape, onfocusout: fold },
    h("summary", { class: "quiet" }, open ? who() : "Colours"),
    h("div", { class: "panel" },
      open && h("p", { class: "soft" }, standing()),
      h("div", { class: "ranges", role: "group", "aria-label": "Colours" }, Object.entries(schemes).map(([scheme, name]) =>
        h("button", { key: scheme, type: "button", "aria-pressed": String(chosen() === scheme), onclick: () => (choose(scheme), redraw()) }, name))),
      open && session().via === "session" && h("button", { key: "out", type: "button", class: "quiet", onclick: out }, "Sign out")));
}

function escape(event) {
  if (event.key === "Escape") fold(event.currentTarget, true);
}

/** Closes the menu once the focus has left it. */
function fold(box, byKey = false) {
  const menu = box.currentTarget ?? box;
  if (!byKey && (box.relatedTarget === null || menu.contains(box.relatedTarget))) return;
  menu.open = false;
  if (byKey) menu.querySelector("summary").focus();
}

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

function who() {
  const { name, open } = session();
  return open ? "No sign-in" : plain(name ?? "Signed in").slice(0, 24);
}

function standing() {
  const { open, role, expires_at: until, version } = session();
  const words = open ? "No token exists yet, so everyone on this machine may do everything. Make one in the settings." : `You may do what ${role === "admin" ? "an admin" : role === "editor" ? "an editor" : "a viewer"} may`;
  return [words, until && `, until ${exactly(instant(until))}`, !open && ".", version && ` Pinwatch ${plain(version)}.`];
}

/** The rest follows by itself: the next thing asked is answered with 401. */
async function out() {
  await signOut();
  location.reload();
}

document.addEventListener("keydown", (event) => {
  const elsewhere = event.target.closest?.("input, textarea, select, dialog");
  if (event.key !== "/" || elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
  const box = document.getElementById("search");
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
});
