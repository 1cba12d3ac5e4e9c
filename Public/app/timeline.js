// The history of a target's keys: a lane per key family, a bar per span in its key's colour, time running right to now.
// Below, which release pinned which of them when.

import { axis } from "./axis.js";
import { h, s } from "./dom.js";
import { keyColour, shortKey } from "./keycolour.js";
import { begin, families, finish, follow, gaps, keysOf, lanes, neighbour, serving, turns, windowOf, zoomed } from "./spans.js";
import { count, exactly, instant, moment, now, plain, word } from "./words.js";

const LEFT = 92;
const RIGHT = 126;
const TOP = 40;
const BAR = 22;
/** What is served beside a family's main chain, as in a rollout under way, is a thinner lane. */
const THIN = 15;
const STEP = 32;
/** Over a lane in which keys changed stands how. */
const ROOM = 16;
const PIN = 12;
const PIN_STEP = 21;
const MOST_PINNED = 8;
const NARROWEST = 6;
/** A missed scan is no gap; two and a half periods are. */
const PERIODS = 2.5;
const LETTER = 6.4;

const turned = {
  to_pin_of_all: "to a key that all pin", to_pin_of_some: "to a key that some pin", to_pin_of_none: "to a key that nobody pins",
  returned: "back to an earlier key", unknown_third: "unknown third key",
};

/**
 * The picture. `facts` are `{target, spans, events, pinned}`; `state` holds `{range, selected, zoom}` between drawings;
 * `act` is called with what the reader does: `{select, open, zoom, focus}`.
 */
export function timeline(facts, state, width, act) {
  const { target, spans, pinned = [] } = facts;
  const all = windowOf(state.range, spans);
  const shown = state.zoom ? { from: state.zoom.from, to: state.zoom.to ?? now() } : all;
  const end = width - RIGHT;
  const x = (at) => LEFT + ((Math.min(Math.max(at, shown.from), shown.to) - shown.from) / (shown.to - shown.from)) * (end - LEFT);
  let y = TOP;
  const rows = lanes(spans).map((row) => {
    const changes = turns(row).filter((one) => one.at > shown.from && one.at < shown.to);
    const top = y + (changes.length ? ROOM : 0);
    y = top + STEP;
    return { ...row, changes, y: top, thick: row.main ? BAR : THIN };
  });
  const pins = pinned.slice(0, MOST_PINNED);
  const bottom = y + (pins.length ? 14 + pins.length * PIN_STEP : 0);
  const current = spans.find((one) => one.id === state.selected) ?? rows[0].spans.at(-1);
  const drawing = { ...facts, shown, end, x, keys: keysOf(spans), rows, current, act, zoom: state.zoom, first: all.first };
  return h("div", { class: "scroll", made: newestFirst }, s("svg", {
    width, height: bottom + 8, viewBox: `0 0 ${width} ${bottom + 8}`, role: "group", class: "timeline",
    "aria-label": `Keys served, ${count(spans.length, "span")}. Arrow keys move, plus and minus zoom, Enter opens the certificate.`,
    onkeydown: (event) => pressed(event, drawing),
  }, axis(shown.from, shown.to, Math.max(3, Math.floor((end - LEFT) / 110)), x, bottom, end - 8),
  s("line", { key: "now", class: "today", x1: end, x2: end, y1: 26, y2: bottom }),
  s("text", { key: "nowtext", class: "nowtext", x: end + 7, y: 18, "aria-hidden": "true" }, state.zoom?.to ? moment(shown.to, true) : "now"),
  rows.map((row) => lane(row, drawing)),
  gaps(spans, PERIODS * 1000 * (target.period_s ?? 300)).map((gap) => unseen(gap, rows, drawing)),
  pins.map((one, index) => release(one, y + 14 + index * PIN_STEP, index, drawing))));
}

/** Where the picture is wider than its box, now is what is seen first. */
const newestFirst = (box) => requestAnimationFrame(() => (box.scrollLeft = box.scrollWidth));

function lane(row, drawing) {
  const last = row.spans.at(-1);
  const note = last.open ? count(serving(last).length, "address", "addresses") : "no longer served";
  const middle = row.y + row.thick / 2 + 4;
  return s("g", { key: `lane-${row.spans[0].id}` },
    s("text", { key: "name", class: row.main ? "family" : "", x: 0, y: middle, "aria-hidden": "true" }, row.name),
    row.spans.map((one, index) => bar(one, row.spans[index - 1], row, drawing)),
    row.changes.map((one, index) => turn(one, row, row.changes[index + 1], drawing)),
    s("text", { key: "note", class: "addresses", x: drawing.end + 7, y: middle, "aria-hidden": "true" }, note));
}

function bar(one, before, { y, thick }, { spans, target, shown, x, keys, act, current }) {
  const [start, stop] = [begin(one), finish(one)];
  if (!(stop >= shown.from && start <= shown.to)) return null;
  const left = Math.min(x(start), x(stop) - NARROWEST);
  const wide = x(stop) - left;
  const chosen = one.id === current.id;
  const words = [shortKey(one.spki), before && before.spki === one.spki && "renewed, same key", one.flaps > 0 && `back ${plain(one.flaps)}×`];
  const label = [words.filter(Boolean).join(" · "), words[0]].find((text) => text.length * 6.9 + 14 < wide);
  return s("g", {
    key: String(one.id), id: `bar-${target.id}-${one.id}`, class: `bar ${keyColour(one.spki, keys)}`, role: "button",
    tabindex: chosen ? "0" : "-1", "aria-pressed": String(chosen), "aria-label": sentence(one, spans),
    onclick: () => act({ select: one.id, open: true }),
  },
  s("title", null, sentence(one, spans)),
  s("rect", { x: left, y, width: wide, height: thick, rx: 2 }),
  one.flaps > 0 && s("path", { class: "flap", d: `M${left + 1} ${y - 3}h${Math.min(9, wide)}` }),
  label && s("text", { x: left + 7, y: y + thick / 2 + 4, "aria-hidden": "true" }, label));
}

/** A dashed mark where a key followed another, and how it stood to the pins where there is room for the words. */
function turn(one, { y, thick }, next, { x, end, events = [] }) {
  const event = events.find((other) => other.evidence?.to?.spki === one.to && Math.abs(instant(other.at) - one.at) < 86_400_000);
  const words = event?.class && Object.hasOwn(turned, event.class) ? turned[event.class] : "new key";
  const at = x(one.at);
  const room = (next ? x(next.at) : end) - at;
  const wide = words.length * LETTER + 12;
  const before = room < wide && at - LEFT > wide;
  return s("g", { key: `turn-${one.id}`, class: "turn", "aria-hidden": "true" },
    s("path", { d: `M${at} ${y - 5}v${thick + 10}` }),
    (before || room >= wide) && s("text", { class: before ? "before" : "", x: before ? at - 3 : at + 3, y: y - 6 }, words));
}

/** Slanted strokes over the time in which nothing was seen: unknown is not absent. */
function unseen({ from, to }, rows, { x, shown }) {
  if (to < shown.from || from > shown.to) return null;
  const [left, right] = [x(from), x(to)];
  let path = "";
  for (const { y, thick } of rows) {
    for (let at = left; at < right - 1 && path.length < 20_000; at += 6) path += `M${at} ${y + thick}L${Math.min(at + 8, right)} ${y}`;
  }
  return s("g", { key: `gap-${from}`, class: "gap" }, s("title", null, `Nothing was seen from ${exactly(from)} to ${exactly(to)}`),
    s("path", { d: path }));
}

/** A release's pins of this host over time, with the squares of those keys that are drawn above. */
function release({ id, name, from, to, ended, pins }, y, index, { x, end, keys, shown }) {
  const [left, right] = [x(from), x(Math.min(to ?? now(), now()))];
  const served = pins.filter((pin) => keys.includes(pin));
  const wide = Math.max(right - left, NARROWEST);
  const room = Math.floor((wide - 12 - served.length * 13) / LETTER);
  const outside = room < Math.min(name.length, 6) && to != null;
  const label = outside ? name : name.length > room ? `${name.slice(0, Math.max(0, room - 1))}…` : name;
  return s("g", { key: `pinned-${id}`, class: "pinned", "aria-hidden": "true" },
    s("title", null, `${name} pins ${served.map(shortKey).join(", ") || "none of the keys seen"}, since ${moment(from, true)}`),
    index === 0 && s("text", { class: "family", x: 0, y: y + PIN - 2 }, "Pinned by"),
    !(from > shown.to || (to ?? now()) < shown.from) && [
      s("rect", { x: left, y, width: wide, height: PIN + 2, rx: 2 }),
      served.map((pin, at) => s("rect", { class: `square ${keyColour(pin, keys)}`, x: left + 5 + at * 13, y: y + 3, width: 8, height: 8, rx: 2 })),
      room >= 4 && !outside && s("text", { x: left + 7 + served.length * 13, y: y + PIN - 1 }, label),
      ended && s("text", { class: "ended", x: Math.min(right + 6, end - 90), y: y + PIN - 1 }, outside ? `${name}: ended` : "pin set ended"),
    ]);
}

function sentence(one, spans) {
  const addresses = serving(one).length;
  return `${word(families, one.key_family)} key ${shortKey(one.spki)}, first seen ${exactly(begin(one))}, `
    + `${one.open ? "still served, last seen" : "last seen"} ${exactly(instant(one.last_seen))}, ${count(addresses, "address", "addresses")}, `
    + `${count(one.scans, "scan")}, ${one.flaps ? `came back ${count(one.flaps, "time")}` : "never interrupted"}`;
}

function pressed(event, { rows, current, shown, zoom, first, target, act }) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const to = neighbour(event.key, rows, current);
  if (to) act({ select: to.id, zoom: follow(to, shown, zoom ?? null), focus: `bar-${target.id}-${to.id}` });
  else if (event.key === "+" || event.key === "=") act({ zoom: zoomed(current, shown, first, 0.5) });
  else if (event.key === "-" || event.key === "−") act({ zoom: zoomed(current, shown, first, 2) });
  else if (event.key === "0" && zoom) act({ zoom: null });
  else if (event.key === "Enter" || event.key === " ") act({ select: current.id, open: true });
  else return;
  event.preventDefault();
}
