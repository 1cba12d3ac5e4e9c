// The answer first: how things stand, what is broken, what ends next, what changed.

import { get } from "./api.js";
import { arrivals } from "./arrivals.js";
import { h } from "./dom.js";
import { leadDays } from "./ends.js";
import { feed } from "./feed.js";
import { findingChips } from "./finding.js";
import { firstStep } from "./firststep.js";
import { link } from "./route.js";
import { runway } from "./runway.js";
import { may } from "./session.js";
import { ago, chip, count, instant, moment, now, number, plain, span, text, time, word } from "./words.js";

/** Seconds by which a scan is late enough to be told. */
const LATE = 10;
let summary = null;
const whole = new Set();
const FIRST = { broken: 6, runway: 8, changes: 8 };
/** More than this is not read here: the page of targets lists it. */
const MOST = 50;

export const title = () => "Overview";

export async function load(params, query, signal) {
  summary = await get("summary", {}, signal);
}

export function view(width, redraw) {
  if (!summary) return [];
  const broken = summary.broken ?? [];
  const empty = summary.counts?.targets === 0;
  return h("section", { key: "overview", "aria-labelledby": "sentence" },
    sentence(),
    h("h2", { id: "broken" }, empty ? "Begin here" : "Broken now"),
    broken.length
      ? h("ul", { key: "broken", class: "panel rows", "aria-labelledby": "broken" }, limited("broken", broken, redraw).map(brokenRow), more("broken", broken, redraw))
      : h("div", { key: "fine", class: "panel empty" }, allIsFine()),
    empty && !summary.changes?.length ? null : evidence(width, redraw));
}

/** What the answer rests on besides what is broken. */
function evidence(width, redraw) {
  return [
    h("h2", { id: "runway" }, "Ends next ", h("span", { class: "note" }, "the day on which a release stops being accepted or stops pinning, and what ends in between")),
    runway(limited("runway", summary.runway ?? [], redraw), width, ends(redraw), leadDays(summary.lead_time_s)),
    h("div", { class: "columns" }, h("div", null, h("h2", { id: "changes" }, "Recent changes"), changes(redraw)), h("div", null, h("h2", null, "Scanning"), scanning())),
  ];
}

/** More of the runway here, and the page that has the whole of it. */
function ends(redraw) {
  const all = summary.runway ?? [];
  return [more("runway", all, redraw), h("p", { key: "whole", class: "more" }, h("a", { href: link("/runway") }, "The whole runway"))];
}

function sentence() {
  const { counts: all = {}, findings = all.findings ?? {} } = summary;
  const open = [
    findings.critical > 0 && `${number(findings.critical)} critical`, findings.warning > 0 && count(findings.warning, "warning"),
  ].filter(Boolean).join(" and ");
  const last = instant(summary.scans?.last_at);
  return h("div", { class: "answer" },
    h("h1", { id: "sentence" }, text(summary.sentence, 600)),
    h("p", { class: "under" }, chip(summary.verdict, word({}, summary.verdict)),
      h("span", null, `${count(all.targets, "target")} on ${count(all.addresses, "address", "addresses")}`),
      open && h("span", null, open),
      h("span", null, Number.isFinite(last) ? time(last, `last scan ${ago(last)}`) : "not scanned yet")));
}

function allIsFine() {
  const { scans = {}, counts: all = {} } = summary;
  if (!all.targets) return firstStep();
  if (!scans.last_at) return "Nothing is known to be broken, since nothing has been scanned yet. The first scans are on their way.";
  if (all.pin_sets) return `Nothing is broken: no open finding is critical or a warning. ${count(all.pin_sets, "pin set")} checked.`;
  return ["Nothing is broken: no open finding is critical or a warning. No pin set is known, so no pins are checked. ", may("editor") && h("a", { href: "#/pin-sets" }, "Add a pin set")];
}

const limited = (name, list) => list.slice(0, whole.has(name) ? MOST : FIRST[name]);

function more(name, list, redraw) {
  if (list.length <= FIRST[name]) return null;
  const open = whole.has(name);
  const toggle = () => (open ? whole.delete(name) : whole.add(name), redraw());
  const button = h("button", { class: "quiet", "aria-expanded": String(open), onclick: toggle }, open ? "Show fewer" : list.length > MOST ? `Show ${MOST} of ${number(list.length)}` : `Show all ${number(list.length)}`);
  const rest = name === "broken" && list.length > MOST && open && h("a", { href: link("/targets", { state: ["critical", "warning"] }) }, "All targets with something broken");
  return h(name === "runway" ? "p" : "li", { key: "more", class: "more" }, button, rest);
}

function brokenRow(finding) {
  const since = instant(finding.since);
  return h("li", { key: finding.key, class: `finding ${plain(finding.severity)}` },
    h("div", { class: "what" },
      h("h3", null, finding.target_id ? h("a", { href: link(`/targets/${finding.target_id}`) }, text(finding.subject, 120)) : text(finding.subject, 120)),
      h("p", null, text(finding.summary, 400)),
      finding.next_step && h("p", { class: "next" }, text(finding.next_step, 300)),
      findingChips(finding)),
    h("p", { class: "since" }, time(since, Number.isFinite(since) ? `since ${moment(since, true)}` : "since when is unknown"), Number.isFinite(since) && ` · ${span(now() - since)}`));
}

function changes(redraw) {
  const all = summary.changes ?? [];
  if (!all.length) return h("p", { class: "panel empty" }, "Nothing has changed since watching began.");
  const { items, waiting, arrived } = arrivals("feed", all, (event) => event.id, redraw);
  return feed("feed", limited("changes", items), { labelledby: "changes", waiting, arrived, more: more("changes", items, redraw) });
}

function scanning() {
  const { counts: all = {}, scans = {} } = summary;
  // Rounded down: 100 % is said only when it is so.
  const onTime = scans.on_time == null ? "unknown" : `${Math.floor(scans.on_time * 1000) / 10} %`;
  const cells = [
    [number(all.targets), "targets"], [number(all.addresses), "addresses"],
    [onTime, "on time"], [number(scans.failing), "failing"],
  ];
  return h("div", { class: "panel" },
    h("dl", { class: "numbers" }, cells.map(([value, label]) => h("div", { key: label }, h("dt", null, label), h("dd", null, value)))),
    scans.unscanned > 0 && h("p", { class: "foot" }, `${count(scans.unscanned, "target")} not scanned yet`),
    // A queue that is worked off at once is no news.
    scans.oldest_wait_s >= LATE && h("p", { class: "foot bad" }, `${count(scans.waiting, "scan")} overdue, the first by ${span(scans.oldest_wait_s * 1000)}`));
}
