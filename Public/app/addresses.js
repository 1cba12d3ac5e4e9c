// What each address of a target answered last.

import { h } from "./dom.js";
import { count, instant, moment, number, text, time, word } from "./words.js";

const MOST = 40;
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
const hellos = { legacy: ", to an old hello", rsa: ", asked for RSA", ecdsa: ", asked for ECDSA" };

/** The newest of each address and hello. */
function newest(observations) {
  const latest = new Map();
  for (const one of observations) {
    const key = `${one.address}/${one.profile}`;
    if (!latest.has(key) || instant(latest.get(key).at) < instant(one.at)) latest.set(key, one);
  }
  return [...latest];
}

export const addressCount = (observations) => new Set(observations.map((one) => one.address).filter(Boolean)).size;

export function addresses(observations) {
  const latest = newest(observations);
  if (!latest.length) return h("p", { class: "panel empty" }, "Not scanned yet.");
  return h("ul", { class: "panel addresses" }, latest.slice(0, MOST).map(([key, one]) => h("li", { key },
    h("code", null, one.address == null ? "no address" : text(one.address, 60)),
    h("p", { class: one.outcome === "ok" || one.outcome === "no_such_key_family" ? null : "bad" }, word(outcomes, one.outcome), one.tls_version && [", ", text(one.tls_version, 20)], hellos[one.profile]),
    h("p", { class: "soft" }, time(one.first_at, `since ${moment(instant(one.first_at))}`, { "aria-label": `since ${moment(instant(one.first_at), true)}, ${count(one.times, "scan")}` })),
    detail(one))),
  latest.length > MOST && h("li", { key: "rest", class: "soft" }, `and ${number(latest.length - MOST)} more`));
}

function detail({ detail: facts }) {
  if (!facts) return null;
  const words = facts.message ?? facts.rule ?? facts.name ?? facts.text ?? (facts.limit && `limit ${number(facts.limit)} bytes`);
  return words == null ? null : h("p", { class: "soft why" }, text(words, 160));
}
