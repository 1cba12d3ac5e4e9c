// The keys that a target served: the picture, the span that is chosen in it, and the same as tables.

import { loadChain, reveal } from "./certificate.js";
import { h } from "./dom.js";
import { keyMark, shortKey } from "./keycolour.js";
import { go } from "./route.js";
import { begin, families, finish, keysOf, lanes, ranges, serving, windowOf } from "./spans.js";
import { timeline } from "./timeline.js";
import { count, date, instant, moment, number, plain, time, word } from "./words.js";

const NARROWEST = 620;

/** The span that was picked, else the one that the most addresses serve now, else the last. */
export function chosenSpan(spans, selected) {
  const open = spans.filter((one) => one.open).map((one) => [one, serving(one).length]).sort((a, b) => b[1] - a[1]);
  return spans.find((one) => one.id === selected) ?? open[0]?.[0] ?? spans[0] ?? null;
}

/** `facts` as for the timeline, with `total` spans; `state` is kept by the page: `{selected, zoom}`. */
export function keyHistory(facts, state, range, width, redraw) {
  const { spans, total } = facts;
  const heading = h("h2", { id: "keys" }, "Keys served");
  if (!spans.length) return h("section", { key: "keys" }, heading, h("p", { class: "panel empty" }, "No certificate has been seen here yet, so there is no history. The first scan begins it."));
  const { chosen } = windowOf(range, spans);
  const one = chosenSpan(spans, state.selected);
  const choose = (name) => () => (state.zoom = null, go({ range: name }, false), redraw());
  return h("section", { key: "keys", "aria-labelledby": "keys" },
    h("div", { class: "head" }, heading,
      h("div", { class: "ranges", role: "group", "aria-label": "Time shown" }, Object.entries(ranges).map(([name, [label]]) =>
        h("button", { key: name, type: "button", "aria-pressed": String(!state.zoom && chosen === name), onclick: choose(name) }, label)))),
    h("div", { class: "panel history" },
      timeline(facts, { range, selected: one.id, zoom: state.zoom }, Math.max(width - 38, NARROWEST), (doing) => act(doing, facts, state, redraw)),
      h("p", { class: "hint" }, "Arrow keys move, + and − zoom, Enter opens the certificate.", total > spans.length && ` The newest ${number(spans.length)} of ${number(total)} spans are shown.`),
      picked(one, spans),
      h("details", { key: "table" }, h("summary", null, "As a table"), table(spans), facts.pinned.length > 0 && releases(facts.pinned, spans))));
}

function act(doing, { target, spans }, state, redraw) {
  if ("select" in doing) state.selected = doing.select;
  if ("zoom" in doing) state.zoom = doing.zoom;
  if (doing.open) reveal(target.id, chosenSpan(spans, state.selected).chain[0]);
  redraw();
  if (doing.focus) document.getElementById(doing.focus)?.focus({ preventScroll: false });
  if ("select" in doing) loadChain(chosenSpan(spans, state.selected).chain).then(redraw, redraw);
}

/** What is chosen in words, its addresses on demand. */
function picked(one, spans) {
  const addresses = serving(one);
  const until = one.open ? "still served" : ["last seen ", time(one.last_seen, moment(finish(one), true))];
  return h("details", { key: `picked-${one.id}`, class: "picked" },
    h("summary", null, keyMark(one.spki, keysOf(spans)), " first seen ", time(one.first_seen, moment(begin(one), true)), ", ", until, ", ",
      one.open ? `on ${count(addresses.length, "address", "addresses")}` : `once on ${count(addresses.length, "address", "addresses")}`),
    h("ul", { class: "servers" }, addresses.map(({ address, first_seen: first, last_seen: last }) => h("li", { key: address },
      h("code", null, plain(address)), " ", h("span", { class: "soft" }, "since ", time(first, moment(instant(first), true)), !one.open && [" to ", time(last, moment(instant(last), true))])))));
}

/** A table whose cells carry their heads, for where each row stands as a block. */
function plainTable(key, caption, heads, rows) {
  return h("table", { key, class: "plain", role: "table" },
    h("caption", { class: "hidden" }, caption),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads.map((head) => h("th", { role: "columnheader", scope: "col" }, head)))),
    h("tbody", { role: "rowgroup" }, rows.map(([id, ...cells]) => h("tr", { key: id, role: "row" }, cells.map((cell, index) => h("td", { role: "cell", "data-head": heads[index] }, cell))))));
}

function table(spans) {
  const rows = lanes(spans).flatMap((row) => row.spans).map((one) => [
    String(one.id), word(families, one.key_family), h("code", null, shortKey(one.spki)), time(one.first_seen, moment(begin(one), true)),
    one.open ? "now" : time(one.last_seen, moment(finish(one), true)), number(one.scans), one.flaps ? count(one.flaps, "time") : "never",
    plain(serving(one).map((address) => address.address).join(", ") || "none"),
  ]);
  return plainTable("spans", "Keys served, one row per span", ["Family", "Key", "First seen", "Last seen", "Scans", "Came back", "Addresses"], rows);
}

function releases(pinned, spans) {
  const keys = keysOf(spans);
  const rows = pinned.map(({ id, name, from, to, pins }) => [
    id, name, time(from, date(from)), to == null ? "now" : time(to, date(to)), pins.filter((pin) => keys.includes(pin)).map(shortKey).join(", ") || "none of these",
  ]);
  return plainTable("releases", "Which release pinned which of these keys when", ["Release", "Known since", "Until", "Keys"], rows);
}
