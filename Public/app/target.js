// One target: its keys over time, the chain it serves, what is wrong with it, and what each address answers.

import { get } from "./api.js";
import { chainView, loadChain, reveal } from "./certificate.js";
import { h } from "./dom.js";
import { findingChips } from "./overview.js";
import { go, route } from "./route.js";
import { host } from "./targets.js";
import { ranges, serving, table, timeline, windowOf } from "./timeline.js";
import { count, instant, moment, number, plain, text, time, word } from "./words.js";

const NARROWEST = 620;
const states = new Map();

/** What an address did, after its name. */
const outcomes = {
  ok: "answers", client_certificate_required: "answers, asks for a client certificate", resolve_failed: "name does not resolve",
  connect_refused: "refuses connections", connect_timeout: "does not answer", unreachable: "cannot be reached",
  proxy_refused: "the proxy refuses", starttls_refused: "refuses to switch to TLS", handshake_timeout: "handshake never ends",
  closed: "closes the connection", reset: "resets the connection", not_tls: "does not speak TLS", alert: "ends the handshake with an alert",
  no_certificate: "sends no certificate", no_such_key_family: "has no key of this family", protocol_unsupported: "speaks no supported TLS version",
  certificate_too_large: "sends more certificates than are read", certificate_malformed: "sends a broken Certificate message",
  blocked_by_policy: "not scanned, by configuration",
};

let state = { id: null };
const path = (id) => `targets/${encodeURIComponent(id)}`;

export const title = () => (state.target ? plain(state.target.host_unicode ?? state.target.host) : "Target");

export async function load({ id }, query, signal) {
  const at = path(id);
  const [target, spans, observations, findings] = await Promise.all([
    get(at, {}, signal), get(`${at}/spans`, { limit: 200 }, signal), get(`${at}/observations`, { limit: 100 }, signal),
    get("findings", { target_id: id }, signal),
  ]);
  if (state.id !== id) state = { id, selected: null, zoom: null };
  Object.assign(state, { target, data: { spans, observations, findings } });
  const chosen = chosenSpan(state);
  if (chosen) await loadChain(chosen.chain);
}

/** The span that was picked, else the one that the most addresses serve now, else the last. */
function chosenSpan({ data, selected }) {
  const spans = data?.spans.items ?? [];
  const open = spans.filter((one) => one.open);
  return spans.find((one) => one.id === selected) ?? open.sort((a, b) => serving(b, spans).length - serving(a, spans).length)[0] ?? spans[0] ?? null;
}

export function view(width, redraw) {
  const { target, data: { spans, observations, findings } } = state;
  return h("div", { class: "target" },
    h("h1", { class: "title" }, host(target)),
    findings.items.length > 0 && h("div", { key: "findings" }, h("h3", null, findings.items.some((one) => one.severity !== "info") ? "What is wrong" : "Worth knowing"), h("ul", { class: "wrong" }, findings.items.map(findingRow))),
    history(target, spans, state, width, redraw),
    h("div", { key: "columns", class: "columns even" },
      h("div", null, h("h3", null, "Chain ", h("span", { class: "note" }, "as sent")), chain(target, state, redraw)),
      h("div", null, h("h3", null, "Addresses"), addresses(observations.items))));
}

function findingRow(finding) {
  return h("li", { key: finding.key }, h("p", null, text(finding.summary, 400)), finding.next_step && h("p", { class: "next" }, text(finding.next_step, 300)), findingChips(finding));
}

function history(target, spans, state, width, redraw) {
  if (!spans.items.length) {
    return h("div", { key: "history" }, h("h3", null, "Keys served"), h("p", { class: "soft" }, "No certificate has been seen here yet, so there is no history."));
  }
  const act = (doing) => {
    if ("select" in doing) state.selected = doing.select;
    if ("zoom" in doing) state.zoom = doing.zoom;
    redraw();
    if (doing.focus) document.getElementById(doing.focus)?.focus({ preventScroll: false });
    const one = chosenSpan(state);
    if (!one || !("select" in doing)) return;
    if (doing.open) reveal(target.id, one.chain[0]);
    loadChain(one.chain).then(redraw, redraw);
  };
  const { chosen } = windowOf(route().query.get("range"), spans.items);
  const choose = (range) => () => (state.zoom = null, go({ range }));
  const all = { ...state, selected: chosenSpan(state).id };
  return h("div", { key: "history" },
    h("div", { class: "head" }, h("h3", null, "Keys served"),
      h("div", { class: "ranges", role: "group", "aria-label": "Time shown" }, Object.entries(ranges).map(([range, [label]]) =>
        h("button", { key: range, "aria-pressed": String(!state.zoom && chosen === range), onclick: choose(range) }, label)))),
    timeline(target, spans.items, route().query.get("range"), all, Math.max(width - 34, NARROWEST), act),
    h("p", { class: "hint" }, "Arrow keys move, + and − zoom, Enter opens the certificate.", spans.total > spans.items.length && ` The newest ${number(spans.items.length)} of ${number(spans.total)} spans are shown.`),
    h("details", null, h("summary", null, "As a table"), h("div", { class: "scroll" }, table(spans.items))));
}

function chain(target, state, redraw) {
  const one = chosenSpan(state);
  if (!one) return h("p", { class: "soft" }, "None was sent yet.");
  const spkis = state.data.spans.items.map((other) => other.spki).filter(Boolean);
  return chainView(target.id, one.chain, spkis, redraw);
}

/** The newest answer of each address and hello. */
function addresses(observations) {
  const latest = new Map();
  for (const one of observations) {
    const key = `${one.address}/${one.profile}`;
    if (!latest.has(key) || instant(latest.get(key).at) < instant(one.at)) latest.set(key, one);
  }
  if (!latest.size) return h("p", { class: "soft" }, "Not scanned yet.");
  return h("ul", { class: "addresses" }, [...latest].slice(0, 40).map(([key, one]) => h("li", { key },
    h("code", null, one.address == null ? "no address" : text(one.address, 60)),
    h("p", { class: one.outcome === "ok" ? null : "bad" }, word(outcomes, one.outcome), one.tls_version && [", ", text(one.tls_version, 20)], one.profile === "legacy" && ", to an old hello"),
    h("p", { class: "soft" }, time(one.first_at, `since ${moment(instant(one.first_at))}`, { "aria-label": `since ${moment(instant(one.first_at), true)}, ${count(one.times, "scan")}` })),
    detail(one))),
  latest.size > 40 && h("li", { key: "rest", class: "soft" }, `and ${number(latest.size - 40)} more`));
}

function detail({ detail: facts }) {
  if (!facts) return null;
  const words = facts.message ?? facts.rule ?? facts.name ?? facts.text ?? (facts.limit && `limit ${number(facts.limit)} bytes`);
  return words == null ? null : h("p", { class: "soft why" }, text(words, 160));
}
