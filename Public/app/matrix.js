// What each release makes of a target: rows are releases, columns what is served, each cell a word and a reason.

import { h } from "./dom.js";
import { leadDays, outcome } from "./ends.js";
import { keyMark } from "./keycolour.js";
import { releaseName } from "./releases.js";
import { link } from "./route.js";
import { part } from "./share.js";
import { families } from "./spans.js";
import { client, verdictChip } from "./verdicts.js";
import { chip, count, date, instant, left, now, number, plain, text, time, word } from "./words.js";

const ROWS = 30;
/** So much room a column needs for a reason to be read; with less, each release is a list. */
const COLUMN = 150;
const BEFORE = 380;
const DAY = 86_400_000;

/** How many of the releases reject something of what is served. */
export const rejecting = (rows) => rows.filter(({ cells }) => cells.some((cell) => cell?.verdict.startsWith("reject"))).length;

/** `keys` are those that have colours on the page; `state.wide` is whether all rows are shown. */
export function matrix({ columns, rows }, keys, state, width, redraw) {
  if (!rows.length) return h("p", { class: "panel empty" }, "No release is known to pin this host. ", h("a", { href: link("/pin-sets") }, "Pin sets"), " are judged here as soon as one names it.");
  const shown = state.wide ? rows : rows.slice(0, ROWS);
  const shares = rows.some((one) => one.share != null);
  const stacked = BEFORE + columns.length * COLUMN > width;
  const head = (...content) => h("th", { role: "columnheader", scope: "col" }, content);
  return h("div", { key: "matrix", class: "panel" }, h("table", { class: stacked ? "matrix stacked" : "matrix", role: "table", "aria-labelledby": "releases" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, head("Release"), head("Client"), shares && head("Users"), columns.map((one) => head(title(one, keys))))),
    h("tbody", { role: "rowgroup" }, shown.map((one) => release(one, columns, keys, shares)))),
  !columns.length && h("p", { key: "none", class: "foot soft" }, "Nothing is served yet that these releases could be asked about."),
  rows.length > ROWS && h("p", { key: "more", class: "more" }, h("button", { class: "quiet", "aria-expanded": String(state.wide), onclick: () => (state.wide = !state.wide, redraw()) }, state.wide ? "Show fewer" : `Show all ${number(rows.length)} releases`)));
}

/** What is served alike: the family, on how many addresses, the key, and when its certificate ends. */
function title({ key_family: family, addresses, spki, not_after: until }, keys) {
  const ends = instant(until);
  const first = addresses.slice(0, 20).map(plain).join(", ");
  return [h("span", { title: addresses.length > 20 ? `${first} and ${addresses.length - 20} more` : first }, `${word(families, family)}, ${count(addresses.length, "address", "addresses")} `), keyMark(spki, keys),
    Number.isFinite(ends) && h("span", { class: "ending" }, time(ends, `ends ${date(ends)}`))];
}

function release(one, columns, keys, shares) {
  const cell = (name, ...content) => h("td", { role: "cell", class: name }, content);
  return h("tr", { key: one.pin_set_id, role: "row" },
    h("th", { role: "rowheader", scope: "row" }, h("a", { href: link(`/pin-sets/${encodeURIComponent(one.pin_set_id)}`) }, releaseName(one)), runsOut(one.runs_out)),
    cell("client", one.clients.map((name, index) => h("span", { key: name, class: index ? "soft" : null }, index ? "+ " : "", client(name)))),
    shares && cell("users", one.share == null ? h("span", { class: "soft" }, "–", h("span", { class: "hidden" }, "share unknown")) : [part(one.share), h("span", { class: "of" }, " of users")]),
    columns.map((column, index) => cell("verdict", h("p", { class: "column" }, title(column, keys)), judgement(one.cells[index]))));
}

/** When a release stops being accepted or stops pinning here, under its name. */
export function runsOut(end) {
  if (!end) return null;
  const at = instant(end.at);
  return h("span", { class: at - now() < leadDays(null) * DAY ? "runsout near" : "runsout" }, time(at, left(at)), end.summary && [" · ", text(outcome(end), 120)]);
}

function judgement(cell) {
  if (!cell) return h("span", { class: "soft" }, "not judged yet");
  const { notes = [] } = cell;
  // Where all clients of the release say the same, the cell has said it.
  const layers = (cell.layers ?? []).some((layer) => layer.verdict !== cell.verdict || layer.reason !== cell.reason) ? cell.layers : [];
  return [verdictChip(cell.verdict), cell.by === "trap" && [" ", chip("warning", "trap", { title: "The app’s authors are unlikely to want this." })],
    h("p", { class: "soft" }, text(cell.reason, 240)),
    (layers.length > 1 || notes.length > 0) && h("details", { key: "more" }, h("summary", null, layers.length > 1 ? "Client by client" : "Notes"),
      layers.length > 1 && h("ul", { class: "layers" }, layers.map((layer) => h("li", { key: layer.client }, client(layer.client), ": ", verdictChip(layer.verdict), " ", text(layer.reason, 240)))),
      notes.slice(0, 8).map((note, index) => h("p", { key: String(index), class: "soft" }, text(note, 240))))];
}
