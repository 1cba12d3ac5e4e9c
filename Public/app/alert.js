// One alert: what is wrong, on what that rests, who has it, and who was told.

import { get } from "./api.js";
import { acknowledge, giveBack } from "./alertactions.js";
import { deliveriesView } from "./deliveries.js";
import { h } from "./dom.js";
import { evidenceView } from "./evidence.js";
import { findingChips } from "./finding.js";
import { link } from "./route.js";
import { may } from "./session.js";
import { silence } from "./silence.js";
import { loadSilences, silenceName } from "./silences.js";
import { ago, chip, count, instant, moment, now, plain, span, text, time, word } from "./words.js";

const SUBJECTS = 12;
const tones = { open: "critical", acknowledged: "warning", resolved: "ok" };

let one = null;
let told = null;

export const title = () => (one ? plain(one.finding.subject).slice(0, 80) : "Alert");

export async function load({ id }, query, signal) {
  const found = await get(`alerts/${encodeURIComponent(id)}`, {}, signal);
  [told] = await Promise.all([get("deliveries", { alert_id: id, limit: 50 }, signal), found.state === "silenced" ? loadSilences(signal) : null]);
  one = found;
}

export function view() {
  const { finding } = one;
  const since = instant(one.opened_at);
  return [
    h("p", { key: "crumb", class: "crumbs" }, h("a", { href: link("/alerts", { state: one.state === "open" ? null : one.state }) }, "Alerts"), " /"),
    h("div", { key: "head", class: "head" }, h("h1", { class: "title" }, text(finding.subject, 160)), chip(tones[one.state] ?? "", word({}, one.state)), actions()),
    h("p", { key: "under", class: "under" }, h("span", null, time(since, `opened ${ago(since)}, ${moment(since, true)}`)),
      one.resolved_at && h("span", null, time(one.resolved_at, `resolved ${ago(instant(one.resolved_at))}, after ${span(instant(one.resolved_at) - since)}`)),
      one.state === "silenced" && h("span", null, silenceName(one.silenced_by))),
    h("div", { key: "what", class: `panel finding ${one.state === "resolved" ? "over" : plain(one.severity)}` }, h("div", { class: "what" }, h("p", null, text(finding.summary, 1_000)),
      finding.next_step && one.state !== "resolved" && h("p", { class: "next" }, text(finding.next_step, 500)), findingChips(finding))),
    taken(),
    subjects(), evidence(),
    h("h2", { key: "told" }, "Who was told"),
    told.items.length ? deliveriesView(told) : h("p", { key: "nobody", class: "panel empty" }, "Nobody: no channel was to hear of it when it opened."),
    h("p", { key: "code", class: "hint" }, "Finding ", h("code", null, text(one.finding_key, 200))),
  ];
}

function actions() {
  if (!may("editor") || one.state === "resolved") return null;
  return h("p", { class: "actions" },
    one.state !== "silenced" && h("button", { key: "silence", class: "quiet", onclick: () => silence(one) }, "Silence"),
    one.state === "open" && h("button", { key: "take", class: "primary", onclick: () => acknowledge(one) }, "Acknowledge"));
}

function taken() {
  const by = one.acknowledged;
  if (!by) return null;
  return h("div", { key: "taken", class: "aside" },
    h("p", null, by.by === "loopback" ? "Somebody on this machine" : text(by.by, 60), " took it ", time(by.at, ago(instant(by.at))), by.note ? [": ", text(by.note, 500)] : "."),
    one.state === "acknowledged" && may("editor") && h("p", { class: "actions" },
      h("button", { class: "quiet", onclick: () => acknowledge(one) }, "Change the note"), h("button", { class: "quiet", onclick: () => giveBack(one) }, "Open it again")));
}

function subjects() {
  const { target_id: target, pin_set_id: pinSet } = one.finding;
  const shown = one.subjects.slice(0, SUBJECTS);
  if (!shown.length && !pinSet) return null;
  const named = (label) => (target && one.subject_count === 1 ? h("a", { href: link(`/targets/${encodeURIComponent(target)}`) }, text(label, 160)) : text(label, 160));
  return [
    h("h2", { key: "about" }, "What it is about"),
    h("ul", { key: "subjects", class: "panel padded" },
      shown.map((label, index) => h("li", { key: String(index) }, named(label))),
      one.subject_count > shown.length && h("li", { key: "more", class: "soft" }, `and ${count(one.subject_count - shown.length, "more", "more")}`),
      pinSet && h("li", { key: "pins" }, h("a", { href: link(`/pin-sets/${encodeURIComponent(pinSet)}`) }, "Its pin set"))),
  ];
}

function evidence() {
  const rows = evidenceView(one.finding);
  return rows && [h("h2", { key: "rests" }, "What it rests on"), rows, one.finding.stale && h("p", { key: "stale", class: "hint" }, `Last known: the target has stopped answering. It stood so ${span(now() - instant(one.finding.since))} ago.`)];
}
