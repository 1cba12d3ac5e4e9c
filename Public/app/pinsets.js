// Pin sets: what each release of each app pins, and how that stands now.

import { get } from "./api.js";
import { h } from "./dom.js";
import { dropping } from "./dropping.js";
import { hash, link, route, visit } from "./route.js";
import { may } from "./session.js";
import { paging } from "./paging.js";
import { client, standing } from "./verdicts.js";
import { chip, count, date, instant, left, text, time } from "./words.js";

const LIMIT = 200;
const HOSTS = 3;

let list = null;
/** The module of adding, once it was needed. */
let form = null;

const fetchForm = async () => (form ??= await import("./pinsetform.js"));

/** Files that are dropped on any page of pin sets are to become some. */
dropping(/^\/pin-sets(\/|$)/, async (files) => {
  if (!route().query.has("add")) visit(link("/pin-sets", { add: "1" }));
  await (await fetchForm()).take(files);
}, () => may("editor"));

export const title = (params) => (route().query.has("add") ? "Add a pin set" : "Pin sets");

export async function load(params, query, signal) {
  if (query.has("add") && may("editor")) return void (await fetchForm());
  form?.leaveAdding();
  list = await get("pin-sets", { limit: LIMIT, cursor: query.get("cursor") }, signal);
}

export function view(width, redraw, params, query) {
  if (query.has("add") && may("editor")) return form ? form.add(redraw) : [];
  if (!list) return [];
  const offer = h("p", { class: "actions" }, h("a", { key: "preflight", class: "quiet", href: link("/preflight") }, "Preflight"),
    may("editor") && h("a", { key: "add", class: "primary", href: hash({ add: "1", cursor: null }) }, "Add a pin set"));
  return [
    h("div", { key: "head", class: "head" }, h("h1", { class: "title" }, "Pin sets"), offer),
    list.items.length ? [byApp().map(app), paging(list, query, "pin set")] : empty(),
  ];
}

function empty() {
  return h("div", { key: "empty", class: "panel teach" },
    h("p", null, "A pin set says which keys one release of an app accepts. With it Pinwatch tells you when a server serves a key that the release rejects, before your users do."),
    h("p", null, may("editor") ? "Add the first one by dropping an Info.plist or whatever else the app pins with on this page, or by pasting it." : "An editor can add the first one."),
    h("p", { class: "soft" }, "Pin sets in the configuration file stand under ", h("code", null, "pin_sets:"), " and appear here too."));
}

/** The list's own order kept: apps by name, in each the newest release first. */
function byApp() {
  const apps = new Map();
  for (const one of list.items) apps.set(one.app, [...(apps.get(one.app) ?? []), one]);
  return [...apps];
}

const app = ([name, releases]) => h("section", { key: `app-${name}` },
  h("h2", null, text(name, 80), " ", h("span", { class: "note" }, count(releases.length, "release"))),
  h("ul", { class: "panel rows" }, releases.map(row)));

function row(one) {
  return h("li", { key: one.id, class: "row pinset" },
    h("div", null,
      h("h3", null, h("a", { href: link(`/pin-sets/${encodeURIComponent(one.id)}`) }, text(one.release, 60)), one.variant !== "release" && [" ", chip("", text(one.variant, 30))]),
      h("p", { class: "soft" }, one.clients.map(client).join(" and "), one.share != null && ` · ${share(one.share)}`)),
    h("div", null, h("p", null, hosts(one)), ends(one)),
    h("p", { class: "chips end" }, standing(one.verdicts, one.target_count)));
}

function hosts({ hosts: all }) {
  return [all.slice(0, HOSTS).map(({ pattern }, index) => [index > 0 && ", ", text(pattern, 80)]), all.length > HOSTS && h("span", { class: "soft" }, ` and ${all.length - HOSTS} more`)];
}

function ends({ hosts: all }) {
  const first = Math.min(...all.map(({ expires }) => instant(expires)).filter(Number.isFinite));
  if (!Number.isFinite(first)) return null;
  return h("p", { class: "soft" }, time(first, `pinning ends ${date(first)}, ${left(first)}`));
}

/** A part of an app's users: `31 % of users`. */
export const share = (part) => `${(part * 100).toFixed(part < 0.1 ? 1 : 0).replace(/\.0$/, "")} % of users`;
