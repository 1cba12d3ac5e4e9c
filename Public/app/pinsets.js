// Pin sets: what each release of each app pins, how that stands now, and until when.

import { addForm, fetchAddForm } from "./addform.js";
import { get } from "./api.js";
import { coverage } from "./coverage.js";
import { h } from "./dom.js";
import { runsOut } from "./matrix.js";
import { paging } from "./paging.js";
import { hash, link, route } from "./route.js";
import { may } from "./session.js";
import { ofUsers } from "./share.js";
import { client, standing } from "./verdicts.js";
import { chip, count, date, instant, left, text, time } from "./words.js";

const LIMIT = 200;
const HOSTS = 3;

let list = null;
let gaps = null;
/** When each pin set's first host runs out, by its id. */
let ends = new Map();

export const title = () => (route().query.has("add") ? "Add a pin set" : "Pin sets");

export async function load(params, query, signal) {
  if (query.has("add") && may("editor")) return void (await fetchAddForm());
  addForm()?.leaveAdding();
  const [sets, covered, runway] = await Promise.all([
    get("pin-sets", { limit: LIMIT, cursor: query.get("cursor") }, signal), get("coverage", {}, signal), get("runway", { kind: "release", limit: LIMIT }, signal),
  ]);
  [list, gaps] = [sets, covered];
  // Nearest first, so the first of each is its earliest.
  ends = new Map(runway.items.toReversed().map((one) => [one.pin_set_id, one]));
}

export function view(width, redraw, params, query) {
  if (query.has("add") && may("editor")) return addForm()?.add(redraw) ?? [];
  if (!list) return [];
  return [
    h("div", { key: "head", class: "head" }, h("h1", { class: "title" }, "Pin sets"),
      h("p", { class: "actions" }, h("a", { key: "preflight", class: "quiet", href: link("/preflight") }, "Preflight"), may("editor") && h("a", { key: "add", class: "primary", href: hash({ add: "1", cursor: null }) }, "Add a pin set"))),
    list.items.length ? [byApp().map(app), paging(list, query, "pin set")] : empty(),
    coverage(gaps, redraw),
  ];
}

function empty() {
  return h("div", { key: "empty", class: "panel teach" },
    h("p", null, "A pin set says which keys one release of an app accepts. With it Pinwatch tells you when a server serves a key that the release rejects, before your users do."),
    h("p", null, may("editor") ? "Add the first one by dropping an Info.plist, or whatever else the app pins with, on this page." : "An editor can add the first one."),
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
      h("h3", null, h("a", { href: link(`/pin-sets/${encodeURIComponent(one.id)}`) }, text(one.release, 60)), one.variant !== "release" && [" ", chip("", text(one.variant, 30))], one.stack !== "default" && [" ", chip("", text(one.stack, 40))]),
      h("p", { class: "soft" }, one.clients.map(client).join(" and "), one.share != null && ` · ${ofUsers(one.share)}`)),
    h("div", null, h("p", null, hosts(one)), ending(one)),
    h("p", { class: "chips end" }, standing(one.verdicts, one.target_count)));
}

function hosts({ hosts: all, host_count: whole = all.length }) {
  return [all.slice(0, HOSTS).map(({ pattern }, index) => [index > 0 && ", ", text(pattern, 80)]), whole > HOSTS && h("span", { class: "soft" }, ` and ${whole - HOSTS} more`)];
}

/** When it stops being accepted or stops pinning; else when its own text says that pinning ends. */
function ending(one) {
  if (ends.has(one.id)) return runsOut(ends.get(one.id));
  const first = Math.min(...one.hosts.map(({ expires }) => instant(expires)).filter(Number.isFinite));
  if (!Number.isFinite(first)) return null;
  return h("p", { class: "soft" }, time(first, `pinning ends ${date(first)}, ${left(first)}`));
}
