// Routes: which alerts and events go to which channels.

import { get, send, tagOf } from "./api.js";
import { cancel, openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { Form, readLabels, writeLabels } from "./form.js";
import { findingKinds, severities } from "./kinds.js";
import { link } from "./route.js";
import { attempt, toast } from "./toast.js";
import { kinds, text, word } from "./words.js";

const events = ["key.changed", "chain.changed", "family.appeared", "family.disappeared", "rollout.started", "rollout.ended", "sct.dropped", "target.added", "target.removed"].map((code) => [code, word({}, code)]);

let list = null;
let channels = null;

export async function load(query, signal) {
  [list, channels] = await Promise.all([get("routes", { limit: 200 }, signal), get("channels", { limit: 200 }, signal)]);
}

const path = ({ id }) => `routes/${encodeURIComponent(id)}`;

export function view() {
  const some = channels.items.length > 0;
  return [
    h("div", { key: "head", class: "head top" }, h("h2", null, "Routes"), some && h("p", { class: "actions" }, h("button", { class: "primary", onclick: () => edit(null) }, "Add a route"))),
    list.items.length ? h("ul", { key: "routes", class: "panel rows" }, list.items.map(row))
      : h("p", { key: "none", class: "panel empty" }, some ? "No route yet, so every channel hears of critical alerts and warnings. A route says who hears of what instead."
        : ["A route leads to channels, and there is none yet. ", h("a", { href: link("/settings/channels") }, "Add a channel"), " first."]),
  ];
}

function row(one) {
  const ours = one.managed_by === "api";
  return h("li", { key: one.id, class: "row" },
    h("div", null, h("p", null, h("strong", null, what(one)), " to ", listed(one.channels, (name) => text(name, 60))), !ours && h("p", { class: "soft" }, "from the configuration file")),
    ours && h("div", { class: "actions" }, h("button", { class: "quiet", onclick: () => edit(one) }, "Edit"), h("button", { class: "quiet", onclick: () => remove(one) }, "Delete")));
}

const listed = (items, words) => items.map((item, index) => [index > 0 && (index === items.length - 1 ? " and " : ", "), words(item)]);

/** `Critical and warning alerts “certificate ends” with app: shop, and events key changed`. */
function what({ severity, kind, labels, events }) {
  const marks = Object.keys(labels).length > 0 && [" with ", text(writeLabels(labels), 160)];
  const grades = severity.length ? severities.map(([code]) => code).filter((code) => severity.includes(code)).join(" and ") : "all";
  const told = events.length > 0 && ["events ", listed(events, (one) => `“${word({}, one)}”`)];
  // A route of events alone tells no alerts.
  if (told && !severity.length && !kind.length) return ["Only ", told, marks];
  return [
    `${grades[0].toUpperCase()}${grades.slice(1)} alerts`, kind.length > 0 && [" of ", listed(kind, (one) => `“${word(kinds, one)}”`)],
    marks, told && [", and ", told],
  ];
}

function edit(one) {
  let opened = null;
  const form = new Form("route", async (data) => {
    const labels = readLabels(data.get("labels"), "labels");
    // In a merge what is not named stays, so a label that was taken out is named with null.
    if (one) for (const name of Object.keys(one.labels)) if (!(name in labels)) labels[name] = null;
    const body = { severity: data.getAll("severity"), kind: data.getAll("kind"), labels, events: data.getAll("events"), channels: data.getAll("channels") };
    if (one) await send("PATCH", path(one), body, { ifMatch: tagOf(one) });
    else await send("POST", "routes", body);
    opened.close();
    toast(one ? "The route was saved." : "The route was added.");
  }, one ? { ...one, labels: writeLabels(one.labels) } : { severity: ["critical"] });
  opened = openDialog({
    title: one ? "Edit the route" : "Add a route", wide: true,
    content: (again, close) => form.view(again, { verb: one ? "Save" : "Add", busy: one ? "Saving…" : "Adding…", failed: one ? "Not saved" : "Not added", more: cancel(close) },
      form.several("channels", "To", channels.items.map(({ name }) => [name, text(name, 60)])),
      form.several("severity", "Severity", severities, { hint: "None ticked means all." }),
      form.several("kind", "Kind", findingKinds, { hint: "None ticked means all." }),
      form.line("labels", "Labels of the target", { hint: "Such as app: shop, environment: production." }),
      form.several("events", "Events too", events, { hint: "Ticked with neither severity nor kind, only events are sent." })),
  });
}

async function remove(one) {
  const { severity, kind, labels, events, channels: names } = one;
  const done = await attempt(() => send("DELETE", path(one)).then(() => true), "It was not deleted");
  if (!done) return;
  toast("The route was deleted.", { undo: () => send("POST", "routes", { severity, kind, labels, events, channels: names }) });
}
