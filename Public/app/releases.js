// What the releases that name a target pin there: since when, until when, and which of it is served.

import { h } from "./dom.js";
import { keyColour, shortKey } from "./keycolour.js";
import { keysOf } from "./spans.js";
import { chip, count, instant, now, number, plain } from "./words.js";

const PINS = 20;

/** A release for sentences, the build and stack where they are not the usual ones. */
export const releaseName = ({ app, release, variant, stack }) => plain([app, release, variant !== "release" && variant, stack && stack !== "default" && `(${stack})`].filter(Boolean).join(" "));

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
