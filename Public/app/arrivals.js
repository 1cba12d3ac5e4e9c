// Lists that are newest first and grow while they are read.

import { h } from "./dom.js";
import { number } from "./words.js";

const lists = new Map();
/** So long a row counts as just come, in milliseconds. */
const FRESH = 1_000;

/** Whether the list's first row can be seen, or is still to come: then a new one above it moves nothing that is read. */
const atTop = (name) => (document.getElementById(name)?.getBoundingClientRect().top ?? 0) >= 0;

/**
 * Which of `items` stand in the list whose element has the id `name`: all while its top is in sight, else those that
 * stood there before, and a button that tells how many wait. `arrived(item)` is whether it has just come.
 */
export function arrivals(name, items, idOf, redraw) {
  const list = lists.get(name);
  const ids = items.map(idOf);
  if (!list || !document.getElementById(name)) {
    lists.set(name, { known: new Set(ids), came: new Map(), redraw });
    return { items, waiting: null, arrived: () => false };
  }
  const fresh = ids.filter((id) => !list.known.has(id));
  list.redraw = redraw;
  list.waiting = fresh.length > 0 && !atTop(name);
  if (!list.waiting) {
    for (const id of fresh) list.came.set(id, Date.now());
    list.known = new Set(ids);
  }
  const shown = list.waiting ? items.filter((item) => list.known.has(idOf(item))) : items;
  return { items: shown, waiting: list.waiting ? pill(name, list, fresh.length) : null, arrived: (item) => Date.now() - (list.came.get(idOf(item)) ?? 0) < FRESH };
}

function pill(name, list, waiting) {
  const show = () => {
    document.getElementById(name).scrollIntoView({ block: "start" });
    list.redraw();
  };
  return h("button", { key: "pill", type: "button", class: "pill", onclick: show }, `${number(waiting)} new`);
}

let looking = false;
addEventListener("scroll", () => {
  if (looking) return;
  looking = true;
  requestAnimationFrame(() => {
    looking = false;
    for (const [name, list] of lists) if (list.waiting && document.getElementById(name) && atTop(name)) list.redraw();
  });
}, { passive: true });
