// Alerts: what somebody was told of, by how it stands.

import { get } from "./api.js";
import { acknowledge } from "./alertactions.js";
import { arrivals } from "./arrivals.js";
import { h } from "./dom.js";
import { findingChips } from "./finding.js";
import { findingKinds, severities } from "./kinds.js";
import { paging } from "./paging.js";
import { go, hash, link } from "./route.js";
import { may } from "./session.js";
import { silence } from "./silence.js";
import { loadSilences, person, silencesView, silenceName } from "./silences.js";
import { ago, instant, moment, now, plain, span, text, time } from "./words.js";

const tabs = [["open", "Open"], ["acknowledged", "Acknowledged"], ["silenced", "Silenced"], ["resolved", "Resolved"]];
const filters = ["severity", "kind", "target_id"];

let list = null;

export const title = () => "Alerts";

const state = (query) => tabs.find(([code]) => code === query.get("state"))?.[0] ?? "open";

export async function load(params, query, signal) {
  const wanted = { state: state(query), cursor: query.get("cursor"), limit: 50 };
  for (const name of filters) wanted[name] = query.get(name);
  [list] = await Promise.all([get("alerts", wanted, signal), state(query) === "silenced" ? loadSilences(signal) : null]);
}

export function view(width, redraw, params, query) {
  const current = state(query);
  // Filters and pages are other lists: what differs between them has not just come.
  const shown = arrivals(`alerts-${query}`, list.items, (one) => one.id, redraw);
  return [
    h("div", { key: "head", class: "head" }, h("h1", { class: "title" }, "Alerts"),
      may("editor") && h("p", { class: "actions" }, h("button", { class: current === "silenced" ? "primary" : "quiet", onclick: () => silence(null) }, "New silence"))),
    h("nav", { key: "tabs", class: "tabs", "aria-label": "Alerts by state" }, tabs.map(([code, name]) =>
      h("a", { key: code, href: hash({ state: code === "open" ? null : code, cursor: null }), "aria-current": code === current ? "page" : null }, name))),
    current === "silenced" && [silencesView(), h("h2", { key: "silenced" }, "Alerts that are silenced")],
    current !== "silenced" && h("h2", { key: "title", class: "hidden" }, `${tabs.find(([code]) => code === current)[1]} alerts`),
    narrowing(query),
    shown.waiting,
    list.items.length ? h("ul", { key: "alerts", id: `alerts-${query}`, class: "panel rows" }, shown.items.map((one) => row(one, shown.arrived(one)))) : h("p", { key: "none", class: "panel empty" }, none(current, query)),
    paging(list, query, "alert"),
  ];
}

function narrowing(query) {
  const chosen = (name) => (event) => go({ [name]: event.currentTarget.value, cursor: null });
  const target = query.get("target_id");
  const select = (name, label, options) => h("label", { key: name }, h("span", { class: "hidden" }, label), h("select", { onchange: chosen(name) },
    options.map(([value, words]) => h("option", { key: value, value, selected: value === (query.get(name) ?? "") }, words))));
  return h("div", { key: "filters", class: "filters" }, select("severity", "Severity", [["", "Any severity"], ...severities]), select("kind", "Kind", [["", "Any kind"], ...findingKinds]),
    target && h("a", { key: "target", class: "quiet", href: hash({ target_id: null, cursor: null }) }, "Only one target: show all"));
}

function none(current, query) {
  if (filters.some((name) => query.get(name))) return ["No alert fits these filters. ", h("a", { href: hash({ severity: null, kind: null, target_id: null, cursor: null }) }, "Show all"), "."];
  switch (current) {
    case "open": return ["No alert is open. When something breaks it stands here, and the channels are told.", may("admin") && [" ", h("a", { href: link("/settings/channels") }, "See the channels"), "."]];
    case "acknowledged": return "Nobody has taken an alert. Acknowledging one tells the others that somebody is at it.";
    case "silenced": return "No alert is silenced now.";
    default: return "No alert has been resolved yet.";
  }
}

function row(one, fresh) {
  const { finding } = one;
  return h("li", { key: one.id, class: `finding ${one.state === "resolved" ? "over" : plain(one.severity)}${fresh ? " arrived" : ""}` },
    h("div", { class: "what" },
      h("h3", null, h("a", { href: link(`/alerts/${encodeURIComponent(one.id)}`) }, text(finding.subject, 120))),
      h("p", null, text(finding.summary, 400)), findingChips(finding)),
    h("div", { class: "since" }, standing(one), one.state === "open" && may("editor") && h("p", null, h("button", { class: "quiet", "aria-label": `Acknowledge ${plain(finding.subject).slice(0, 120)}`, onclick: () => acknowledge(one) }, "Acknowledge"))));
}

/** Since when it is as it is, and by whom. */
function standing(one) {
  const at = instant(one.opened_at);
  const since = h("p", null, time(at, `since ${moment(at, true)}`), ` · ${span(now() - at)}`);
  switch (one.state) {
    case "acknowledged": return [since, h("p", null, "taken by ", person(one.acknowledged?.by)), one.acknowledged?.note && h("p", { class: "note-line" }, text(one.acknowledged.note, 160))];
    case "silenced": return [since, h("p", null, silenceName(one.silenced_by))];
    case "resolved": return h("p", null, time(one.resolved_at, `resolved ${ago(instant(one.resolved_at))}`), ` · lasted ${span(instant(one.resolved_at) - at)}`);
    default: return since;
  }
}
