// The answer first: how things stand, what is broken, what ends next, what changed.

import { get } from "./api.js";
import { h } from "./dom.js";
import { link } from "./route.js";
import { runway } from "./runway.js";
import { ago, chip, classes, count, ended, instant, kinds, moment, number, plain, span, text, time, now, word } from "./words.js";

let summary = null;
const whole = new Set();
const FIRST = { broken: 6, runway: 8, changes: 8 };

export const title = () => "Overview";

export async function load(params, query, signal) {
  summary = await get("summary", {}, signal);
}

export function view(width, redraw) {
  if (!summary) return [];
  const broken = summary.broken ?? [];
  return h("section", { key: "overview", "aria-labelledby": "sentence" },
    sentence(),
    h("h2", { id: "broken" }, "Broken now"),
    broken.length
      ? h("ul", { key: "broken", class: "panel rows", "aria-labelledby": "broken" }, limited("broken", broken, redraw).map(brokenRow), more("broken", broken, redraw))
      : h("p", { key: "fine", class: "panel empty" }, allIsFine()),
    h("h2", { id: "runway" }, "Ends next ", h("span", { class: "note" }, "the nearest ends of certificates, issuers and pin sets")),
    runway(limited("runway", summary.runway ?? [], redraw), width, more("runway", summary.runway ?? [], redraw)),
    h("div", { class: "columns" }, h("div", null, h("h2", { id: "changes" }, "Recent changes"), changes(redraw)), h("div", null, h("h2", null, "Scanning"), scanning())));
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
  if (!all.targets) return "No target is configured. Name hosts under targets: in the configuration file and restart the service.";
  if (!scans.last_at) return "Nothing is known to be broken, since nothing has been scanned yet. The first scans are on their way.";
  const pins = all.pin_sets ? ` ${count(all.pin_sets, "pin set")} checked.` : " No pin set is configured, so no pins are checked.";
  return `Nothing is broken: no open finding is critical or a warning.${pins}`;
}

const limited = (name, list) => (whole.has(name) ? list : list.slice(0, FIRST[name]));

function more(name, list, redraw) {
  if (list.length <= FIRST[name]) return null;
  const open = whole.has(name);
  const toggle = () => (open ? whole.delete(name) : whole.add(name), redraw());
  const button = h("button", { class: "quiet", "aria-expanded": String(open), onclick: toggle }, open ? "Show fewer" : `Show all ${number(list.length)}`);
  return h(name === "runway" ? "p" : "li", { key: "more", class: "more" }, button);
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

/** The facts of a finding as labels: severity, what kind, how much of it, and whether it is only last known. */
export function findingChips(finding) {
  const { scope, affected_share: share } = finding;
  return h("p", { class: "chips" },
    chip(finding.severity, word({}, finding.severity)), chip("", word(finding.stage === "expired" ? { ...kinds, ...ended } : kinds, finding.kind)),
    share != null && chip("", `${(share * 100).toFixed(share < 0.1 ? 1 : 0).replace(/\.0$/, "")} % of users`),
    scope && chip("", `${number(scope.affected)} of ${number(scope.of)} affected`),
    finding.stale && chip("", "stale: last known", { title: "The target has stopped answering, so this is what was last known." }));
}

function changes(redraw) {
  const list = summary.changes ?? [];
  if (!list.length) return h("p", { class: "panel empty" }, "Nothing has changed since watching began.");
  return h("ul", { class: "panel feed", "aria-labelledby": "changes" }, limited("changes", list).map((event) => {
    const at = instant(event.at);
    return h("li", { key: String(event.id) }, time(at, moment(at), { class: "soft" }),
      h("div", null, text(event.summary, 300), " ", event.class && chip("", word(classes, event.class)), event.quiet && chip("ok", "quiet", { title: "Expected: kept for the record, nobody was told." })));
  }), more("changes", list, redraw));
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
    scans.unscanned > 0 && h("p", { class: "foot" }, `${count(scans.unscanned, "target")} not scanned yet`));
}
