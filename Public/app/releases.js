// What each release makes of a target: rows are releases, columns what is served, each cell a word and a reason.

import { h } from "./dom.js";
import { keyColour, keyMark, shortKey } from "./keycolour.js";
import { link } from "./route.js";
import { families, keysOf, serving } from "./spans.js";
import { chip, count, instant, now, number, plain, text, word } from "./words.js";
import { client, verdictChip } from "./verdicts.js";

const COLUMNS = 6;
const PINS = 20;

/** The ids of the pin sets that `verdicts` are of. */
export const judged = (verdicts) => [...new Set([...verdicts.items, ...verdicts.accepted].map((one) => one.pin_set_id))];

const releaseName = ({ app, release, variant }) => plain([app, release, variant !== "release" && variant].filter(Boolean).join(" "));

/** What is served now, equal addresses together: family, key and how many. */
const columns = (spans) => spans.filter((one) => one.open).map((one) => ({ ...one, served: serving(one, spans).length })).filter((one) => one.served > 0).slice(0, COLUMNS);

/** `pinSets` are those that were found, by id. */
export function matrix(verdicts, spans, pinSets) {
  const ids = judged(verdicts);
  if (!ids.length) return h("p", { class: "panel empty" }, "No release is known to pin this host. ", h("a", { href: link("/pin-sets") }, "Pin sets"), " are judged here as soon as one names it.");
  const served = columns(spans);
  const keys = keysOf(spans);
  const title = (one) => [`${word(families, one.key_family)}, ${count(one.served, "address", "addresses")} `, keyMark(one.spki, keys)];
  const head = (...content) => h("th", { role: "columnheader", scope: "col" }, content);
  const shares = ids.some((id) => pinSets.get(id)?.share != null);
  const rows = ids.map((id) => release(id, verdicts, served, pinSets.get(id), title, shares));
  return h("div", { class: "panel" }, h("table", { class: "matrix", role: "table", "aria-labelledby": "releases" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, head("Release"), head("Client"), shares && head("Users"), served.map((one) => head(title(one))))),
    h("tbody", { role: "rowgroup" }, rows)),
  verdicts.total > verdicts.items.length && h("p", { class: "foot" }, `The first ${number(verdicts.items.length)} of ${number(verdicts.total)} verdicts that are not accepted are shown.`));
}

function release(id, verdicts, served, pinSet, title, shares) {
  const own = verdicts.items.filter((one) => one.pin_set_id === id);
  const known = own[0] ?? verdicts.accepted.find((one) => one.pin_set_id === id);
  const clients = pinSet?.clients ?? own[0]?.layers?.map((layer) => layer.client) ?? [];
  const cell = (name, ...content) => h("td", { role: "cell", class: name }, content);
  return h("tr", { key: id, role: "row" },
    h("th", { role: "rowheader", scope: "row" }, h("a", { href: link(`/pin-sets/${encodeURIComponent(id)}`) }, releaseName(known))),
    cell("client", clients.map((name, index) => h("span", { key: name, class: index ? "soft" : null }, index ? "+ " : "", client(name)))),
    shares && cell("users", pinSet?.share == null ? h("span", { class: "soft" }, "–", h("span", { class: "hidden" }, "share unknown")) : `${number(Math.round(pinSet.share * 1000) / 10)} %`),
    served.map((one) => cell("verdict", h("p", { class: "column" }, title(one)), judgement(own, one, verdicts.accepted.some((other) => other.pin_set_id === id)))));
}

/** Of one release on what one group of addresses serves; accepted ones are only counted by the service. */
function judgement(own, one, accepted) {
  const found = own.filter((verdict) => verdict.key_family === one.key_family && verdict.chain[0] === one.chain[0]);
  if (!found.length) return accepted ? verdictChip("accept") : h("span", { class: "soft" }, "not judged yet");
  const first = found[0];
  return [verdictChip(first.verdict), first.by === "trap" && [" ", chip("warning", "trap", { title: "The app’s authors are unlikely to want this." })],
    found.length < one.served && h("span", { class: "soft" }, ` on ${number(found.length)}`), h("p", { class: "soft" }, text(first.reason, 240))];
}

/** Whether a pin set's pattern covers the host. */
function covers(pattern, host) {
  const rest = pattern.replace(/^\*{1,2}\./, ".").toLowerCase();
  return rest === host || (rest.startsWith(".") && host.endsWith(rest));
}

const hostsOf = (pinSet, target) => (pinSet.hosts ?? []).filter(({ pattern }) => covers(pattern, target.host));

/** For the timeline: since when which release is known to pin what of this host, and until when. */
export function pinned(pinSets, target) {
  return [...pinSets.values()].map((pinSet) => {
    const hosts = hostsOf(pinSet, target);
    const ends = hosts.map((one) => instant(one.expires)).filter(Number.isFinite);
    const to = ends.length ? Math.min(...ends) : null;
    const over = to != null && to < now();
    return { id: pinSet.id, name: releaseName(pinSet), named: hosts.length > 0, from: instant(pinSet.created_at), to: over ? to : null, ended: over, pins: hosts.flatMap((one) => one.pins) };
  }).filter((one) => one.named && Number.isFinite(one.from)).sort((a, b) => a.from - b.from);
}

/** Every pin that a release holds for this host, and whether it is served; `issuers` are the keys further up. */
export function pinsOfHost(pinSets, target, spans, issuers, copy) {
  const holders = new Map();
  for (const pinSet of pinSets.values()) {
    for (const pin of hostsOf(pinSet, target).flatMap((one) => one.pins)) holders.set(pin, [...(holders.get(pin) ?? []), releaseName(pinSet)]);
  }
  if (!holders.size) return null;
  const keys = keysOf(spans);
  const served = new Set([...spans.filter((one) => one.open).map((one) => one.spki), ...issuers]);
  const pins = [...holders].sort(([a], [b]) => served.has(b) - served.has(a));
  return h("section", { key: "pins", "aria-labelledby": "pins" }, h("h2", { id: "pins" }, "Pins for this host"),
    h("ul", { class: "panel pins" }, pins.slice(0, PINS).map(([pin, names]) => h("li", { key: pin },
      h("div", null,
        h("span", { class: "key", title: plain(pin) }, h("span", { class: `square ${served.has(pin) || keys.includes(pin) ? keyColour(pin, keys) : "key-none"}` }), h("code", null, plain(pin).slice(0, 14), "…")),
        served.has(pin) ? null : [" ", chip("warning", keys.includes(pin) ? "served before" : "backup, not served")],
        h("p", { class: "soft held" }, names.slice(0, 3).join(", "), names.length > 3 && ` and ${number(names.length - 3)} more`)),
      copy(pin, `Copy ${shortKey(pin)}`))),
    pins.length > PINS && h("li", { key: "rest", class: "soft" }, `and ${count(pins.length - PINS, "more pin")}`)));
}
