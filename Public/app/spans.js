// The history of a target's keys as data: spans in lanes, where keys changed, and when nobody looked.

import { instant, now, word } from "./words.js";

const DAY = 86_400_000;
const SHORTEST = 60_000;
export const families = { ecdsa: "ECDSA", rsa: "RSA", ed25519: "Ed25519", ed448: "Ed448", other: "other" };
export const ranges = { "30d": ["30 d", 30 * DAY], "90d": ["90 d", 90 * DAY], "1y": ["1 y", 365 * DAY], all: ["all", null] };

export const begin = (one) => instant(one.first_seen);
export const finish = (one) => (one.open ? now() : instant(one.last_seen));
/** Every key of the spans once. */
export const keysOf = (spans) => [...new Set(spans.map((one) => one.spki).filter(Boolean))];

/** The addresses that serve an open span now; of a closed one, all that ever did. */
export const serving = (one) => one.addresses.filter(({ current }) => !one.open || current);

/** Lanes of spans that do not overlap, family by family, each in order of time; `main` is a family's first. */
export function lanes(spans) {
  const found = [];
  for (const family of [...Object.keys(families), null]) {
    const rows = [];
    const own = spans.filter((one) => (Object.hasOwn(families, one.key_family) ? one.key_family : null) === family);
    for (const one of own.sort((a, b) => begin(a) - begin(b) || finish(a) - finish(b))) {
      const row = rows.find((spansOfRow) => finish(spansOfRow.at(-1)) <= begin(one));
      if (row) row.push(one);
      else rows.push([one]);
    }
    rows.forEach((row, index) => found.push({ name: index === 0 ? word(families, family) : "also", main: index === 0, spans: row }));
  }
  return found;
}

/** Where a lane went from one key to another. */
export const turns = (row) => row.spans.flatMap((one, index) => {
  const before = row.spans[index - 1];
  return before && before.spki !== one.spki ? [{ at: begin(one), from: before.spki, to: one.spki, id: one.id }] : [];
});

/** Times in which nothing was seen of any key for longer than `patience` milliseconds: nobody looked, or none answered. */
export function gaps(spans, patience) {
  const seen = spans.map((one) => [begin(one), Math.min(instant(one.last_seen), finish(one))]).filter((one) => one.every(Number.isFinite)).sort((a, b) => a[0] - b[0]);
  const found = [];
  let until = seen[0]?.[0] ?? now();
  for (const [from, to] of seen) {
    if (from - until > patience) found.push({ from: until, to: from });
    until = Math.max(until, to);
  }
  if (now() - until > patience) found.push({ from: until, to: now() });
  return found;
}

/** The window of time that a range shows; without a choice, the shortest that tells the story. */
export function windowOf(range, spans) {
  const to = now();
  const first = Math.min(to - SHORTEST, ...spans.map(begin).filter(Number.isFinite));
  const age = to - first;
  const chosen = Object.hasOwn(ranges, range ?? "") ? range : age < 30 * DAY ? "all" : "90d";
  return { chosen, first, from: to - (ranges[chosen][1] ?? age * 1.02), to };
}

const apart = (a, b) => Math.max(0, begin(a) - finish(b), begin(b) - finish(a));

/** Where a key of the keyboard leads from `current`: another span, or undefined. */
export function neighbour(key, rows, current) {
  const at = rows.findIndex((row) => row.spans.includes(current));
  const inOrder = rows.flatMap((row) => row.spans).sort((a, b) => begin(a) - begin(b));
  const place = inOrder.indexOf(current);
  const near = (row) => row && [...row.spans].sort((a, b) => apart(a, current) - apart(b, current))[0];
  switch (key) {
    case "ArrowLeft": return inOrder[place - 1] ?? current;
    case "ArrowRight": return inOrder[place + 1] ?? current;
    case "Home": return inOrder[0];
    case "End": return inOrder.at(-1);
    case "ArrowUp": return near(rows[at - 1]) ?? current;
    case "ArrowDown": return near(rows[at + 1]) ?? current;
    default: return undefined;
  }
}

/** A window that ends at now keeps ending there as time goes on. */
const settle = (from, length) => (from + length >= now() - length * 0.01 ? { from: now() - length, to: null } : { from, to: from + length });

/** The window moved so far that the span is in it; null where `zoom` was null and it is. */
export function follow(one, shown, zoom) {
  if (finish(one) > shown.from && begin(one) < shown.to) return zoom;
  const length = shown.to - shown.from;
  return settle(Math.min(begin(one) - length * 0.1, now() - length), length);
}

/** The window `factor` times as long, around the span. */
export function zoomed(one, shown, first, factor) {
  const longest = Math.max(now() - first, 30 * DAY) * 1.05;
  const length = Math.min(Math.max((shown.to - shown.from) * factor, SHORTEST), longest);
  const middle = (Math.max(begin(one), shown.from) + Math.min(finish(one), shown.to)) / 2;
  return settle(one.open ? now() - length : middle - length / 2, length);
}
