// One target: its keys over time, what each release makes of it, the chain, the addresses, its alerts and changes.

import { get } from "./api.js";
import { addressCount, addresses } from "./addresses.js";
import { certificate, chainView, loadChain } from "./certificate.js";
import { copyButton } from "./copy.js";
import { h } from "./dom.js";
import { feed } from "./feed.js";
import { findingChips } from "./finding.js";
import { chosenSpan, keyHistory } from "./keyhistory.js";
import { matrix, rejecting } from "./matrix.js";
import { pinned, pinsOfHost } from "./releases.js";
import { link } from "./route.js";
import { keysOf, serving } from "./spans.js";
import { actions } from "./targetactions.js";
import { host } from "./targets.js";
import { verified } from "./verified.js";
import { ago, chip, count, instant, moment, now, plain, span, text, time, word } from "./words.js";

/** Pin sets whose hosts are looked up; more than this pin one host in hardly any house. */
const PIN_SETS = 12;
const EVENTS = 20;

let state = { id: null };

export const title = () => (state.target ? plain(state.target.host_unicode ?? state.target.host).slice(0, 80) : "Target");

export async function load({ id }, query, signal) {
  const at = `targets/${encodeURIComponent(id)}`;
  const [target, spans, observations, releases, findings, alerts, events] = await Promise.all([
    get(at, {}, signal), get(`${at}/spans`, { limit: 200 }, signal), get(`${at}/observations`, { limit: 100 }, signal), get(`${at}/matrix`, {}, signal),
    get("findings", { target_id: id }, signal), get("alerts", { target_id: id, limit: EVENTS }, signal), get("events", { target_id: id, limit: EVENTS }, signal),
  ]);
  const pinSets = new Map((await Promise.all([...new Set(releases.rows.map((one) => one.pin_set_id))].slice(0, PIN_SETS).map((one) => pinSet(one, signal)))).filter(Boolean).map((one) => [one.id, one]));
  if (state.id !== id) state = { id, selected: null, zoom: null, wide: false };
  Object.assign(state, { target, spans, observations, releases, findings, alerts, events, pinSets });
  const chosen = chosenSpan(spans.items, state.selected);
  const served = spans.items.filter((one) => one.open || one === chosen).slice(0, 8);
  await loadChain([...new Set(served.flatMap((one) => one.chain))]);
}

/** One that was deleted a moment ago is left out. */
async function pinSet(id, signal) {
  try {
    return await get(`pin-sets/${encodeURIComponent(id)}`, {}, signal);
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

export function view(width, redraw, params, query) {
  const { target, spans, releases, findings, alerts, events, pinSets } = state;
  const facts = { target, spans: spans.items, total: spans.total, events: events.items, pinned: pinned(pinSets, target) };
  return h("div", { class: "target" },
    head(target, redraw),
    findings.items.length > 0 && wrong(findings.items, `${target.host}:${target.port}`),
    keyHistory(facts, state, query.get("range"), width, redraw),
    h("section", { key: "releases", "aria-labelledby": "releases" },
      h("div", { class: "head" }, h("h2", { id: "releases" }, "What each release makes of it"), target.owner === "ours" && h("p", { class: "actions" }, h("a", { class: "quiet", href: link("/preflight", { host: target.host }) }, "May we rotate?"))),
      matrix(releases, keysOf(spans.items), state, width, redraw)),
    h("div", { key: "columns", class: "columns" }, h("div", null, chains(redraw), changes(events.items)), h("div", null, beside(redraw), told(alerts.items))));
}

function head(target, redraw) {
  const { observations } = state;
  const served = addressCount(observations.items);
  const next = instant(target.next_scan_at) - now();
  const last = instant(target.last_scan_at);
  const owner = target.owner === "ours" ? "ours" : "third parties";
  return h("header", { key: "head" },
    h("p", { class: "crumbs" }, h("a", { href: "#/targets" }, "Targets"), " / ", h("a", { href: link("/targets", { owner: target.owner }) }, owner)),
    h("div", { class: "head" },
      h("h1", { class: "title" }, host(target)), h("p", { class: "chips inline" }, stateChip(target),
        target.stale && chip("", "stale: last known", { title: "It has stopped answering, so this is what was last known." }), target.paused && chip("warning", "paused")),
      actions(target, redraw)),
    h("p", { class: "under" },
      served > 0 && h("span", null, count(served, "address", "addresses")),
      h("span", null, Number.isFinite(last) ? time(last, `scanned ${ago(last)}`) : "not scanned yet", Number.isFinite(next) && `, next ${next >= 1_000 ? `in ${span(next)}` : "is due"}`),
      target.starttls && h("span", null, `TLS after ${plain(target.starttls)}`),
      target.owner === "third_party" && h("span", { title: "Its keys are rotated without asking: runway and history apply, gates and plans do not." }, "a third party’s"),
      h("span", null, `judged by the ${plain(target.trust_store)} store`),
      target.managed_by === "config" && h("span", { title: "Change it in the configuration file and reload." }, "set in the configuration file"),
      Object.entries(target.labels ?? {}).slice(0, 8).map(([name, value]) => h("span", { key: `label-${name}` },
        h("a", { href: link("/targets", { label: `${name}:${value}` }) }, text(`${name}: ${value}`, 60))))));
}

/** How the target stands: what the releases say comes before the word of its state. */
function stateChip(target) {
  const { rows } = state.releases;
  const some = rejecting(rows);
  return some ? chip("critical", `rejected by ${some} of ${count(rows.length, "release")}`) : chip(target.state, word({}, target.state));
}

/** `label` is what the page is about already, so a finding says only what else it is about. */
function wrong(findings, label) {
  const title = findings.some((one) => one.severity !== "info") ? "What is wrong" : "Worth knowing";
  return h("section", { key: "findings", "aria-labelledby": "findings" }, h("h2", { id: "findings" }, title),
    h("ul", { class: "panel rows" }, findings.map((finding) => h("li", { key: finding.key, class: `finding ${plain(finding.severity)}` },
      h("div", { class: "what" }, finding.subject !== label && h("h3", null, text(finding.subject, 160)), h("p", null, text(finding.summary, 400)), finding.next_step && h("p", { class: "next" }, text(finding.next_step, 300)), findingChips(finding)),
      h("p", { class: "since" }, time(finding.since, `since ${moment(instant(finding.since), true)}`))))));
}

function chains(redraw) {
  const { target, spans, observations, findings } = state;
  const one = chosenSpan(spans.items, state.selected);
  const heading = h("h2", { id: "chain" }, "Chain ", one && h("span", { class: "note" }, one.open ? `as served on ${count(serving(one).length, "address", "addresses")}` : "as it was served"));
  if (!one) return h("section", { key: "chain" }, heading, h("p", { class: "panel empty" }, "None was sent yet."));
  const seen = observations.items.find((other) => other.verification && other.chain.join() === one.chain.join());
  const asPins = async () => (await import("./exportdialog.js")).exportPins({ path: `targets/${encodeURIComponent(target.id)}`, name: plain(target.host), of: `the keys of ${plain(target.host).slice(0, 80)} as pins`, issuers: true });
  return h("section", { key: "chain", "aria-labelledby": "chain" },
    h("div", { class: "head" }, heading, h("p", { class: "actions" }, h("button", { class: "quiet", type: "button", onclick: asPins }, "Export as pins"))),
    h("div", { class: "panel chains" }, chainView(target.id, one.chain, keysOf(spans.items), redraw),
      h("h3", null, "As verified"), verified(seen?.verification, one.chain, findings.items, target)));
}

function beside(redraw) {
  const { target, spans, observations, pinSets } = state;
  const issuers = spans.items.filter((one) => one.open).flatMap((one) => one.chain.slice(1)).map((sha256) => certificate(sha256)?.spki).filter(Boolean);
  return [
    pinsOfHost(pinSets, target, spans.items, issuers, (pin, label) => copyButton(pin, redraw, label)),
    h("section", { key: "addresses" }, h("h2", null, "Addresses"), addresses(observations.items)),
  ];
}

function changes(events) {
  return h("section", { key: "changes" }, h("h2", { id: "changes" }, "Changes"),
    events.length ? feed("feed", events, { labelledby: "changes" }) : h("p", { class: "panel empty" }, "Nothing has changed here since watching began."));
}

function told(alerts) {
  return h("section", { key: "alerts" }, h("h2", { id: "alerts" }, "Alerts"),
    alerts.length ? h("ul", { class: "panel alerts", "aria-labelledby": "alerts" }, alerts.map((alert) => h("li", { key: alert.id },
      h("a", { href: link(`/alerts/${encodeURIComponent(alert.id)}`) }, text(alert.finding?.summary ?? alert.finding_key, 200)),
      h("p", { class: "soft" }, chip(alert.state === "open" ? alert.severity : "", word({}, alert.state)), " ", time(alert.opened_at, `since ${moment(instant(alert.opened_at), true)}`)))))
      : h("p", { class: "panel empty" }, "Nobody was told of anything here."));
}
