// One colour per key, always with the key's short text beside it.

import { h } from "./dom.js";
import { plain } from "./words.js";

const COLOURS = 8;
const given = new Map();

function preferred(spki) {
  let hash = 2166136261;
  for (let at = 0; at < spki.length; at++) hash = Math.imul(hash ^ spki.charCodeAt(at), 16777619) >>> 0;
  return (hash >>> 8) % COLOURS;
}

/**
 * The class of a key's colour. It follows from the key alone, and stays for as long as the page is open; only where
 * another key of `beside` already has that colour does a key, when it is first met, take the next free one: an old
 * and a new key in one picture must not look alike.
 */
export function keyColour(spki, beside = []) {
  if (!spki) return "key-none";
  if (!given.has(spki)) {
    const taken = new Set(beside.map((other) => given.get(other)));
    let index = preferred(spki);
    for (let tries = 0; tries < COLOURS && taken.has(index); tries++) index = (index + 1) % COLOURS;
    if (given.size > 5_000) given.clear();
    given.set(spki, index);
  }
  return `key-${given.get(spki)}`;
}

/** The first four characters of a pin. */
export const shortKey = (spki) => (spki ? plain(String(spki).replace(/^sha256\//, "").slice(0, 4)) + "…" : "unknown");

/** A key's square and short text, the whole pin in the title. */
export function keyMark(spki, beside) {
  if (!spki) return h("span", { class: "soft" }, "unknown key");
  return h("span", { class: "key", title: plain(spki) },
    h("span", { class: `square ${keyColour(spki, beside)}` }), h("code", null, shortKey(spki)));
}
