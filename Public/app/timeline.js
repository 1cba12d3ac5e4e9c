// The history of a target's keys: a lane per key family, a bar per span in its key's colour, time running right to now.

import { axis } from "./axis.js";
import { h, s } from "./dom.js";
import { keyColour, shortKey } from "./keycolour.js";
import { count, exactly, instant, moment, now, number, plain, time, word } from "./words.js";

const families = { ecdsa: "ECDSA", rsa: "RSA", ed25519: "Ed25519", ed448: "Ed448", other: "other" };

const DAY = 86_400_000;
export const ranges = { "30d": ["30 d", 30 * DAY], "90d": ["90 d", 90 * DAY], "1y": ["1 y", 365 * DAY], all: ["all", null] };
const LEFT = 92;
const RIGHT = 126;
const TOP = 40;
const BAR = 22;
/** What is served beside a family's main chain, as in a rollout under way, is a thinner lane. */
const THIN = 15;
const STEP = 30;
const NARROWEST = 6;
const SHORTEST = 60_000;

/**
 * The addresses that serve an open span now: those seen within a day and not since then in another span of the family;
 * of a closed one, all that ever did.
 */
export function serving(one, spans) {
  const others = spans.filter((other) => other !== one && other.key_family === one.key_family).flatMap((other) => other.addresses);
  return one.addresses.filter(({ address, last_seen: seen }) => !one.open || (now() - instant(seen) < DAY
    && !others.some((other) => other.address === address && instant(other.last_seen) > instant(seen))));
}

const begin = (one) => instant(one.first_seen);
const finish = (one) => (one.open ? now() : instant(one.last_seen));
const pins = (spans) => [...new Set(spans.map((one) => one.spki).filter(Boolean))];

/** Lanes of spans that do not overlap, family by family, each in order of time. */
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
    rows.forEach((row, index) => found.push({ name: index === 0 ? word(families, family) : "also", thick: index === 0 ? BAR : THIN, spans: row }));
  }
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

/**
 * The picture. `state` holds `{selected, zoom}` of this target between drawings; `act` is called with what the reader
 * does: `{select}`, `{zoom}`, `{open}`.
 */
export function timeline(target, spans, range, state, width, act) {
  const all = windowOf(range, spans);
  const shown = state.zoom ? { from: state.zoom.from, to: state.zoom.to ?? now() } : all;
  const rows = lanes(spans);
  const height = TOP + rows.length * STEP + 8;
  const end = width - RIGHT;
  const x = (at) => LEFT + ((Math.min(Math.max(at, shown.from), shown.to) - shown.from) / (shown.to - shown.from)) * (end - LEFT);
  const drawing = { all: spans, target, shown, end, x, spans: pins(spans), state, act, rows, first: all.first };
  const current = rows.flatMap((row) => row.spans).find((one) => one.id === state.selected) ?? rows[0].spans.at(-1);
  return h("div", { class: "scroll", made: newestFirst }, s("svg", {
    width, height, viewBox: `0 0 ${width} ${height}`, role: "group", class: "timeline",
    "aria-label": `Keys served, ${count(spans.length, "span")}. Arrow keys move, plus and minus zoom, Enter opens the certificate.`,
    onkeydown: (event) => key(event, drawing, current),
  }, axis(shown.from, shown.to, Math.max(3, Math.floor((end - LEFT) / 110)), x, height - 6, end - 8),
  s("line", { key: "now", class: "today", x1: end, x2: end, y1: 26, y2: height - 6 }),
  s("text", { key: "nowtext", class: "nowtext", x: end + 7, y: 18, "aria-hidden": "true" }, state.zoom?.to ? moment(shown.to, true) : "now"),
  rows.map((row, index) => lane(row, TOP + index * STEP, drawing, current))));
}

/** Where the picture is wider than its box, now is what is seen first. */
const newestFirst = (box) => requestAnimationFrame(() => (box.scrollLeft = box.scrollWidth));

function lane(row, y, drawing, current) {
  const last = row.spans.at(-1);
  const note = last.open ? count(serving(last, drawing.all).length, "address", "addresses") : "no longer served";
  const middle = y + row.thick / 2 + 4;
  return s("g", { key: `lane-${row.spans[0].id}` },
    s("text", { key: "name", class: row.thick === BAR ? "family" : "", x: 0, y: middle, "aria-hidden": "true" }, row.name),
    row.spans.map((one, index) => bar(one, row.spans[index - 1], y, row.thick, drawing, current)),
    s("text", { key: "note", class: "addresses", x: drawing.end + 7, y: middle, "aria-hidden": "true" }, note));
}

function bar(one, before, y, thick, { all, target, shown, x, spans, act }, current) {
  const [start, stop] = [begin(one), finish(one)];
  if (!(stop >= shown.from && start <= shown.to)) return null;
  const seen = Math.min(instant(one.last_seen), stop);
  const left = Math.min(x(start), x(stop) - NARROWEST);
  const wide = x(stop) - left;
  const unknown = one.open && stop - seen > 2.5 * 1000 * (target.period_s ?? 300) ? x(seen) : null;
  const chosen = one.id === current.id;
  const words = [shortKey(one.spki), before && before.spki === one.spki && "renewed, same key", one.flaps > 0 && `back ${number(one.flaps)}×`];
  const label = [words.filter(Boolean).join(" · "), words[0]].find((text) => text.length * 6.9 + 14 < (unknown ?? left + wide) - left);
  return s("g", {
    key: String(one.id), id: `bar-${target.id}-${one.id}`, class: `bar ${keyColour(one.spki, spans)}`, role: "button",
    tabindex: chosen ? "0" : "-1", "aria-pressed": String(chosen), "aria-label": sentence(one, all),
    onclick: () => act({ select: one.id, open: true }),
  },
  s("title", null, sentence(one, all)),
  s("rect", { x: left, y, width: wide, height: thick, rx: 2 }),
  unknown != null && s("path", { class: "unknown", d: hatch(unknown, left + wide, y, thick) }),
  one.flaps > 0 && s("path", { class: "flap", d: `M${left + 1} ${y - 3}h${Math.min(9, wide)}` }),
  label && s("text", { x: left + 7, y: y + thick / 2 + 4, "aria-hidden": "true" }, label));
}

/** Slanted strokes over the time in which nothing was seen: unknown is not absent. */
function hatch(from, to, y, thick) {
  let path = "";
  for (let at = from; at < to - 1 && path.length < 8_000; at += 6) path += `M${at} ${y + thick}L${Math.min(at + 8, to)} ${y}`;
  return path;
}

function sentence(one, spans) {
  const addresses = serving(one, spans).length;
  return `${word(families, one.key_family)} key ${shortKey(one.spki)}, first seen ${exactly(begin(one))}, `
    + `${one.open ? "still served, last seen" : "last seen"} ${exactly(instant(one.last_seen))}, ${count(addresses, "address", "addresses")}, `
    + `${count(one.scans, "scan")}, ${one.flaps ? `came back ${count(one.flaps, "time")}` : "never interrupted"}`;
}

function key(event, drawing, current) {
  const { rows, state, act } = drawing;
  const at = rows.findIndex((row) => row.spans.includes(current));
  const inOrder = rows.flatMap((row) => row.spans).sort((a, b) => begin(a) - begin(b));
  const place = inOrder.indexOf(current);
  const near = (row) => row && [...row.spans].sort((a, b) => apart(a, current) - apart(b, current))[0];
  const moves = {
    ArrowLeft: inOrder[place - 1], ArrowRight: inOrder[place + 1], Home: inOrder[0], End: inOrder.at(-1),
    ArrowUp: near(rows[at - 1]), ArrowDown: near(rows[at + 1]),
  };
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in moves) {
    const to = moves[event.key] ?? current;
    act({ select: to.id, zoom: follow(to, drawing), focus: `bar-${drawing.target.id}-${to.id}` });
  } else if (event.key === "+" || event.key === "=") act({ zoom: zoomed(current, drawing, 0.5) });
  else if (event.key === "-" || event.key === "−") act({ zoom: zoomed(current, drawing, 2) });
  else if (event.key === "0" && state.zoom) act({ zoom: null });
  else if (event.key === "Enter" || event.key === " ") act({ select: current.id, open: true });
  else return;
  event.preventDefault();
}

const apart = (a, b) => Math.max(0, begin(a) - finish(b), begin(b) - finish(a));

/** The window moved so far that the span is in it. */
function follow(one, { shown, state }) {
  if (finish(one) > shown.from && begin(one) < shown.to) return state.zoom ?? null;
  const length = shown.to - shown.from;
  return settle(Math.min(begin(one) - length * 0.1, now() - length), length);
}

function zoomed(one, { shown, first }, factor) {
  const longest = Math.max(now() - first, 30 * DAY) * 1.05;
  const length = Math.min(Math.max((shown.to - shown.from) * factor, SHORTEST), longest);
  const middle = (Math.max(begin(one), shown.from) + Math.min(finish(one), shown.to)) / 2;
  return settle(one.open ? now() - length : middle - length / 2, length);
}

/** A window that ends at now keeps ending there as time goes on. */
const settle = (from, length) => (from + length >= now() - length * 0.01 ? { from: now() - length, to: null } : { from, to: from + length });

/** The same as a table. */
export function table(spans) {
  const heads = ["Family", "Key", "First seen", "Last seen", "Scans", "Came back", "Addresses"];
  return h("table", { class: "plain" },
    h("caption", { class: "hidden" }, "Keys served, one row per span"),
    h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", null, lanes(spans).flatMap((row) => row.spans).map((one) => h("tr", { key: String(one.id) },
      h("td", null, word(families, one.key_family)), h("td", null, h("code", null, shortKey(one.spki))),
      h("td", null, time(one.first_seen, moment(begin(one), true))),
      h("td", null, one.open ? "now" : time(one.last_seen, moment(finish(one), true))),
      h("td", null, number(one.scans)), h("td", null, one.flaps ? count(one.flaps, "time") : "never"),
      h("td", null, plain(serving(one, spans).map((address) => address.address).join(", ") || "none"))))));
}
