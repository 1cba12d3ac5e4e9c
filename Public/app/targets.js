// The targets as a table: searched, filtered, sorted and paged by the address.

import { get } from "./api.js";
import { h } from "./dom.js";
import { firstStep } from "./firststep.js";
import { keyMark } from "./keycolour.js";
import { go, hash, link, route } from "./route.js";
import { may } from "./session.js";
import { ago, chip, count, date, instant, left, number, plain, text, time, word } from "./words.js";

const LIMIT = 50;
const NARROW = 700;
/** With what is asked for, the list begins again. */
const first = { cursor: null, p: null };
const heads = [["host", "Host"], ["state", "State"], ["leaf.not_after", "Leaf ends"], [null, "Key"], ["last_scan_at", "Last scan"]];
const filters = ["state", "owner", "label", "stale", "paused", "managed_by"];

let list = null;
let asked = "";

export const title = () => "Targets";

export async function load(params, query, signal) {
  const wanted = { limit: LIMIT, host: asLabels(query.get("host") ?? ""), sort: query.get("sort"), cursor: query.get("cursor") };
  for (const name of filters) wanted[name] = query.getAll(name);
  try {
    [list, asked] = [await get("targets", wanted, signal), query.get("host") ?? ""];
  } catch (error) {
    if (error.status === 400 && wanted.cursor) return go({ cursor: null, p: null }, false);
    throw error;
  }
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

export function view(width, redraw) {
  return h("section", { key: "targets", "aria-labelledby": "targets" },
    h("div", { class: "head" }, h("h1", { id: "targets", class: "title" }, "Targets"), h("div", { class: "actions" }, may("editor") && h("button", { class: "primary", type: "button", onclick: add }, "Add targets"))),
    choices(width),
    list.items.length ? rows() : h("div", { key: "none", class: "panel empty" }, nothing()),
    paging());
}

const add = async () => (await import("./addtargets.js")).addTargets();

const narrowed = () => ["host", ...filters].filter((name) => route().query.get(name));
const cleared = () => Object.fromEntries([...narrowed(), "cursor", "p"].map((name) => [name, null]));

function nothing() {
  const { query } = route();
  const all = h("a", { href: hash(cleared()) }, "Show all");
  if (asked) return h("p", null, "No target’s host contains “", text(asked, 80), "”", narrowed().length > 1 && " under these filters", ". ", all);
  if (narrowed().length) return h("p", null, narrowed().join() === "state" ? `No target is ${plain(query.get("state"))} now. ` : "No target fits these filters. ", all);
  return [h("p", null, "Nothing is watched yet."), firstStep()];
}

function choices(width) {
  const { query } = route();
  const chosen = query.get("state");
  const states = [null, "critical", "warning", "unknown", "ok"];
  const label = query.get("label");
  const more = selects.map(select);
  const active = selects.filter(([name]) => query.get(name)).length;
  return h("div", { class: "choices" },
    h("div", { class: "ranges", role: "group", "aria-label": "State shown" }, states.map((state) =>
      h("button", { key: state ?? "all", type: "button", "aria-pressed": String(chosen === state), onclick: () => go({ state, ...first }) }, state ?? "all"))),
    width > NARROW ? h("div", { key: "more", class: "selects" }, more.slice(1))
      : h("details", { key: "fold" }, h("summary", null, active ? `Sort and filter (${active})` : "Sort and filter"), h("div", { class: "selects" }, more)),
    label && h("a", { class: "chip", href: hash({ label: null, ...first }), "aria-label": `No longer only ${plain(label)}` }, text(label, 60), " ×"));
}

function select([name, label, options]) {
  const value = route().query.get(name) ?? "";
  return h("label", { key: name }, h("span", { class: "hidden" }, label),
    h("select", { onchange: (event) => go({ [name]: event.currentTarget.value, ...first }) },
      Object.entries(options).map(([code, words]) => h("option", { value: code, selected: code === value }, words))));
}

const selects = [
  ["sort", "Order", { "": "by host", state: "by state", "leaf.not_after": "by the leaf’s end", last_scan_at: "by the last scan" }],
  ["owner", "Whose", { "": "anybody’s", ours: "ours", third_party: "third parties’" }],
  ["stale", "Answering", { "": "answering or not", false: "answering", true: "stale" }],
  ["paused", "Paused", { "": "paused or not", false: "not paused", true: "paused" }],
  ["managed_by", "Set in", { "": "set anywhere", config: "set in the file", api: "added here" }],
];

function rows() {
  return h("div", { key: "list", class: "panel" }, h("table", { class: "targets", role: "table", "aria-labelledby": "targets" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads.map(([field, label]) => head(field, label)))),
    h("tbody", { role: "rowgroup" }, list.items.map(row))));
}

function head(field, label) {
  if (!field) return h("th", { role: "columnheader", scope: "col" }, label);
  const sort = route().query.get("sort") ?? "host";
  const direction = sort === field ? "ascending" : sort === `-${field}` ? "descending" : null;
  const next = direction === "ascending" ? `-${field}` : field === "host" ? null : field;
  return h("th", { role: "columnheader", scope: "col", "aria-sort": direction ?? "none" },
    h("button", { type: "button", onclick: () => go({ sort: next, ...first }) }, label, direction && h("span", { "aria-hidden": "true" }, direction === "ascending" ? " ↑" : " ↓")));
}

function row(target) {
  const end = instant(target.leaf?.not_after);
  const cell = (name, ...content) => h("td", { role: "cell", class: name }, content);
  return h("tr", { key: target.id, role: "row" },
    cell("host", h("a", { id: `target-${target.id}`, href: link(`/targets/${encodeURIComponent(target.id)}`) }, host(target))),
    cell("state", chip(target.state, word({}, target.state)), target.stale && chip("", "stale", { title: "It has stopped answering: this is what was last known." }), target.paused && chip("", "paused")),
    cell("until", target.leaf ? time(end, [date(end), h("span", { class: "soft" }, ` ${left(end)}`)]) : h("span", { class: "soft" }, "no certificate seen")),
    cell("mark", target.leaf && keyMark(target.leaf.spki)),
    cell("scan", h("span", { class: "soft" }, target.last_scan_at ? time(target.last_scan_at, ago(instant(target.last_scan_at))) : "not yet")));
}

/** A target's name for people, its A-labels beside it where they differ. */
export function host(target) {
  const differs = target.host_unicode != null && target.host_unicode !== target.host;
  return [h("span", { class: "hostname" }, text(target.host_unicode ?? target.host, 120)), h("span", { class: "port" }, `:${plain(target.port)}`),
    differs && h("span", { class: "soft" }, " ", text(target.host, 120))];
}

function paging() {
  const { query } = route();
  const page = Math.max(1, Number.parseInt(query.get("p") ?? "1", 10) || 1);
  const from = (page - 1) * LIMIT + 1;
  const words = list.items.length ? `${number(from)}–${number(from + list.items.length - 1)} of ${count(list.total, "target")}` : "";
  return h("nav", { key: "paging", class: "paging", "aria-label": "Pages of targets" }, h("span", null, words, asked && list.items.length > 0 && [" with “", text(asked, 60), "”"]),
    page > 1 && h("a", { href: hash(first) }, "First"),
    list.next && h("a", { href: hash({ cursor: list.next, p: String(page + 1) }) }, "Next"));
}
