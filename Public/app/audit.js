// Audit: who changed what, when and from where.

import { get } from "./api.js";
import { h } from "./dom.js";
import { writeLabels } from "./form.js";
import { paging } from "./paging.js";
import { go, hash, link } from "./route.js";
import { weeklyWords } from "./silences.js";
import { instant, moment, plain, text, time, word } from "./words.js";

const things = {
  target: "target", pin_set: "pin set", channel: "channel", route: "route", silence: "silence", alert: "alert", delivery: "message", token: "token", session: "session", settings: "settings",
};
const verbs = {
  create: "added", update: "changed", delete: "deleted", scan: "scanned", test: "tested", acknowledge: "acknowledged", unacknowledge: "opened again", retry: "sent again", revoke: "revoked", reload: "read the file again",
};
const vias = { session: "in the dashboard", token: "by the API", loopback: "on this machine, without a token", command: "on the command line", signal: "by a signal", config: "by the configuration file" };
const pages = { target: "/targets", pin_set: "/pin-sets", alert: "/alerts" };
const CHANGES = 12;

let list = null;

export async function load(query, signal) {
  list = await get("audit", { object_type: query.get("object_type"), actor: query.get("actor"), action: query.get("action"), cursor: query.get("cursor"), limit: 50 }, signal);
}

export function view(redraw, fresh, query) {
  const narrowed = ["object_type", "actor", "action"].some((name) => query.get(name));
  return [
    h("div", { key: "head", class: "head top" }, h("h2", null, "Audit"), h("div", { class: "filters" },
      h("label", null, h("span", { class: "hidden" }, "What was changed"), h("select", { onchange: (event) => go({ object_type: event.currentTarget.value, cursor: null }) },
        [["", "Everything"], ...Object.entries(things)].map(([value, words]) => h("option", { key: value, value, selected: value === (query.get("object_type") ?? "") }, words)))),
      query.get("actor") && h("a", { key: "actor", class: "quiet", href: hash({ actor: null, cursor: null }) }, "Only ", text(query.get("actor"), 40), ": show everybody"))),
    list.items.length ? h("ol", { key: "audit", class: "panel rows audit" }, list.items.map(row))
      : h("p", { key: "none", class: "panel empty" }, narrowed ? ["Nothing of that was done. ", h("a", { href: link("/settings/audit") }, "Show everything"), "."] : "Nothing has been changed yet. Every change from here, the API, the command line and the configuration file is kept."),
    paging(list, query, "entry", "entries"),
  ];
}

function row(one) {
  const changes = parts(one.changes ?? {}).filter(([field, change]) => telling(field, change));
  return h("li", { key: one.id },
    time(one.at, moment(instant(one.at), true), { class: "soft" }),
    h("div", null,
      h("p", null, who(one.actor), " ", deed(one)), changes.length > 0 && h("ul", { class: "changes" }, changes.slice(0, CHANGES).map(([field, change]) => h("li", { key: field }, changed(field, change))), changes.length > CHANGES && h("li", { class: "soft" }, `and ${changes.length - CHANGES} more`)),
      h("p", { class: "soft" }, word(vias, one.object.type === "session" ? "session" : one.actor.via), one.address && [" · from ", text(one.address, 60)], " · ", h("code", null, plain(one.action)))));
}

function who({ name, via }) {
  return via !== "token" && via !== "session" ? h("strong", null, via === "config" ? "The service" : "Somebody") : h("a", { href: hash({ actor: name, cursor: null }) }, text(name, 60));
}

function deed({ action, object }) {
  const verb = action.split(".").at(-1);
  if (action === "session.create") return "signed in";
  if (action === "session.delete") return "signed out";
  if (action === "settings.reload") return verbs.reload;
  if (action === "secrets.reseal") return "sealed the secrets under another key";
  if (action === "silence.delete") return ["ended the silence ", text(object.name || object.id, 100)];
  const name = object.name || object.id;
  const known = pages[object.type];
  const named = known && object.id && verb !== "delete" ? h("a", { href: link(`${known}/${encodeURIComponent(object.id)}`) }, text(name, 100)) : text(name, 100);
  return [word(verbs, verb), ` the ${word(things, object.type)} `, named];
}

/** What reading the file again changed is a list under one field; all else stands under its own. */
function parts(changes) {
  return Object.entries(changes).flatMap(([field, change]) => field === "configuration" && Array.isArray(change.to) ? change.to.map((part, number) => [String(number), part]) : [[field, change]]);
}

/** What a new thing has by itself, and that it came by this API, says nothing. */
function telling(field, { from, to, what }) {
  if (what || from != null) return true;
  return field !== "managed_by" && to !== false && to !== "" && !(typeof to === "object" && Object.keys(to ?? {}).length === 0);
}

function reread({ section, name, what, detail }) {
  return [h("span", { class: "soft" }, word({}, section), name && [" ", text(name, 100)], ": "), word({}, what), detail && [", ", text(detail, 240)]];
}

function changed(field, change = {}) {
  if (change.what) return reread(change);
  const { from, to } = change;
  const words = text(field.replaceAll("_", " "), 100);
  if (from == null && to == null) return words;
  const name = h("span", { class: "soft" }, words, ": ");
  if (from === "<secret>" || to === "<secret>") return [name, "a secret, changed"];
  if (from == null) return [name, value(to)];
  return [name, value(from), " → ", value(to)];
}

function value(one) {
  if (one == null) return "none";
  if (Array.isArray(one) && one.every((part) => typeof part === "string")) return text(one.join(", "), 240);
  if (Array.isArray(one.weekdays)) return weeklyWords(one);
  if (typeof one === "object" && Object.values(one).every((part) => typeof part === "string")) return text(writeLabels(one) || "none", 240);
  if (typeof one === "boolean") return one ? "yes" : "no";
  if (typeof one === "string" && /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(one)) return time(one, moment(instant(one), true));
  return text(typeof one === "string" ? one : JSON.stringify(one), 160);
}
