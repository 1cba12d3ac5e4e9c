// The targets as a table; each row opens to its history.

import { ApiError, get } from "./api.js";
import { h } from "./dom.js";
import { keyMark } from "./keycolour.js";
import { counts } from "./overview.js";
import { go, hash, route } from "./route.js";
import { ago, chip, count, date, instant, left, number, plain, text, time, word } from "./words.js";

const LIMIT = 50;
const MOST_OPEN = 6;
const heads = [["host", "Host"], ["state", "State"], ["leaf.not_after", "Leaf ends"], [null, "Key"], ["last_scan_at", "Last scan"]];

let list = null;
let asked = "";
/** Open targets that are not on the page of the list that is shown, such as those reached by a link. */
let apart = new Map();
let running = null;
/** What shows one target, fetched when the first one is opened: most visits need only the overview. */
let opened = null;

/** The ids opened, newest last; opening more than a handful closes the oldest. */
const openIds = () => (route().query.get("open") ?? "").split(",").filter(Boolean).slice(-MOST_OPEN);

export async function load() {
  running?.abort();
  const mine = (running = new AbortController());
  const { query } = route();
  const wanted = { limit: LIMIT, host: asLabels(query.get("q") ?? ""), state: query.get("state"), sort: query.get("sort"), cursor: query.get("cursor") };
  try {
    const loaded = await get("targets", wanted, mine.signal);
    [list, asked] = [loaded, query.get("q") ?? ""];
  } catch (error) {
    if (mine.signal.aborted) return;
    if (error instanceof ApiError && error.status === 400 && wanted.cursor) return go({ cursor: null, p: null }, false);
    throw error;
  }
  const ids = openIds();
  if (ids.length) opened ??= await import("./target.js");
  opened?.keepOnly(ids);
  await loadApart(ids.filter((id) => !list.items.some((target) => target.id === id)));
  await Promise.all(ids.map((id) => opened.loadTarget(id)));
}

/** The service knows hosts by their A-labels; a browser turns what is typed into these. */
function asLabels(typed) {
  if (/^[\x21-\x7e]*$/.test(typed)) return typed;
  try {
    return new URL(`http://${typed}`).hostname;
  } catch {
    return typed;
  }
}

async function loadApart(ids) {
  const found = await Promise.all(ids.map(async (id) => {
    try {
      return [id, await get(`targets/${encodeURIComponent(id)}`)];
    } catch (error) {
      if (error.status !== 404 && error.status !== 400) throw error;
      return [id, null];
    }
  }));
  apart = new Map(found.filter(([, target]) => target));
}

/** The row to bring into view after a link to it was followed. */
export function reach(id) {
  const button = document.getElementById(`target-${id}`);
  button?.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  button?.focus({ preventScroll: true });
}

export const newlyOpen = (before) => openIds().find((id) => !before.includes(id));
export { openIds };

export function view(width, redraw) {
  if (!list) return [];
  const ids = openIds();
  const shown = [...ids.map((id) => apart.get(id)).filter((target) => target && !list.items.some((one) => one.id === target.id)), ...list.items];
  return h("section", { key: "targets", "aria-labelledby": "targets" },
    h("div", { class: "head top" }, h("h2", { id: "targets" }, "Targets"), states(), search()),
    shown.length ? rows(shown, ids, width, redraw) : h("p", { key: "none", class: "panel empty" }, nothing()),
    paging());
}

function nothing() {
  const { query } = route();
  if (query.get("q")) return ["No target’s host contains “", text(query.get("q"), 80), "”. ", h("a", { href: hash({ q: null, cursor: null, p: null }) }, "Show all")];
  if (query.get("state")) return [`No target is ${plain(query.get("state"))} now. `, h("a", { href: hash({ state: null, cursor: null, p: null }) }, "Show all")];
  return "No target is configured yet. Name hosts under targets: in the configuration file; each appears here with its first scan.";
}

function states() {
  const all = counts() ?? {};
  const chosen = route().query.get("state");
  return h("div", { class: "ranges", role: "group", "aria-label": "State shown" }, [null, "critical", "warning", "unknown", "ok"].map((state) => {
    const total = state === null ? all.targets : all[state];
    if (state !== null && !total && chosen !== state) return null;
    return h("button", { key: state ?? "all", "aria-pressed": String(chosen === state), onclick: () => go({ state, cursor: null, p: null }) }, `${state ?? "all"} ${total == null ? "" : number(total)}`);
  }));
}

function search() {
  const type = (event) => go({ q: event.currentTarget.value.trim(), cursor: null, p: null }, false);
  return h("label", { class: "search" }, h("span", { class: "hidden" }, "Find a host"),
    h("input", { id: "search", type: "search", placeholder: "Find a host", autocomplete: "off", spellcheck: "false", maxlength: "253", oninput: type, onkeydown: leave }),
    h("kbd", { "aria-hidden": "true" }, "/"));
}

function leave(event) {
  if (event.key !== "Escape") return;
  event.currentTarget.value = "";
  go({ q: null, cursor: null, p: null }, false);
  event.currentTarget.blur();
}

/** What the address says, put into the search box unless somebody is typing there. */
export function fillSearch() {
  const box = document.getElementById("search");
  if (box && document.activeElement !== box) box.value = route().query.get("q") ?? "";
}

function rows(shown, ids, width, redraw) {
  return h("div", { key: "list", class: "panel" }, h("table", { class: "targets", role: "table", "aria-labelledby": "targets" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads.map(([field, label]) => head(field, label)))),
    h("tbody", { role: "rowgroup" }, shown.map((target) => row(target, ids, width, redraw)))));
}

function head(field, label) {
  if (!field) return h("th", { role: "columnheader", scope: "col" }, label);
  const sort = route().query.get("sort") ?? "host";
  const direction = sort === field ? "ascending" : sort === `-${field}` ? "descending" : null;
  const next = direction === "ascending" ? `-${field}` : field === "host" ? null : field;
  return h("th", { role: "columnheader", scope: "col", "aria-sort": direction ?? "none" },
    h("button", { onclick: () => go({ sort: next, cursor: null, p: null }) }, label, direction && h("span", { "aria-hidden": "true" }, direction === "ascending" ? " ↑" : " ↓")));
}

function row(target, ids, width, redraw) {
  const open = ids.includes(target.id);
  const toggle = () => go({ open: (open ? ids.filter((id) => id !== target.id) : [...ids, target.id].slice(-MOST_OPEN)).join(",") }, false);
  const end = instant(target.leaf?.not_after);
  const cell = (name, ...content) => h("td", { role: "cell", class: name }, content);
  return [
    h("tr", { key: target.id, role: "row", class: open ? "open" : null },
      cell("host", h("button", { id: `target-${target.id}`, class: "expand", "aria-expanded": String(open), onclick: toggle }, host(target))),
      cell("state", chip(target.state, word({}, target.state)), target.stale && chip("", "stale", { title: "It has stopped answering: this is what was last known." }), target.paused && chip("", "paused")),
      cell("until", target.leaf ? time(end, [date(end), h("span", { class: "soft" }, ` ${left(end)}`)]) : h("span", { class: "soft" }, "no certificate seen")),
      cell("mark", target.leaf && keyMark(target.leaf.spki)),
      cell("scan", h("span", { class: "soft" }, target.last_scan_at ? time(target.last_scan_at, ago(instant(target.last_scan_at))) : "not yet"))),
    open && h("tr", { key: `detail-${target.id}`, role: "row", class: "detail" }, h("td", { role: "cell", colspan: "5" }, opened?.targetView(target, width, redraw) ?? null)),
  ];
}

function host(target) {
  const differs = target.host_unicode != null && target.host_unicode !== target.host;
  return [h("span", { class: "hostname" }, text(target.host_unicode ?? target.host, 120)), h("span", { class: "port" }, `:${plain(target.port)}`),
    differs && h("span", { class: "soft" }, " ", text(target.host, 120))];
}

function paging() {
  const { query } = route();
  const page = Math.max(1, Number.parseInt(query.get("p") ?? "1", 10) || 1);
  const first = (page - 1) * LIMIT + 1;
  const words = list.items.length ? `${number(first)}–${number(first + list.items.length - 1)} of ${count(list.total, "target")}` : "";
  return h("nav", { key: "paging", class: "paging", "aria-label": "Pages of targets" }, h("span", null, words, asked && list.items.length > 0 && [" with “", text(asked, 60), "”"]),
    page > 1 && h("a", { href: hash({ cursor: null, p: null }) }, "First"),
    list.next && h("a", { href: hash({ cursor: list.next, p: String(page + 1) }) }, "Next"));
}
