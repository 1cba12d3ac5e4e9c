// A time axis: where its ticks stand and what they say, in local time.

import { s } from "./dom.js";
import { clock, dayOfYear, monthOf, seconds, weekday } from "./words.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const steps = [
  ["second", 10, 10_000], ["minute", 1, MINUTE], ["minute", 5, 5 * MINUTE], ["minute", 15, 15 * MINUTE], ["hour", 1, HOUR],
  ["hour", 6, 6 * HOUR], ["day", 1, DAY], ["day", 7, 7 * DAY], ["month", 1, 30.4 * DAY], ["month", 3, 91 * DAY],
  ["year", 1, 365 * DAY], ["year", 5, 1826 * DAY],
];
const labels = {
  second: (at) => `${clock(at)}:${seconds(at)}`, minute: clock, hour: (at) => `${weekday(at)}, ${clock(at)}`, day: dayOfYear, month: monthOf,
  year: (at) => String(at.getFullYear()),
};

const fields = { second: "Seconds", minute: "Minutes", hour: "Hours", day: "Date", month: "Month", year: "FullYear" };
const order = ["second", "minute", "hour", "day", "month", "year"];

function floor(ms, unit, size) {
  const at = new Date(ms);
  at.setMilliseconds(0);
  for (const finer of order.slice(0, order.indexOf(unit))) at[`set${fields[finer]}`](finer === "day" ? 1 : 0);
  const value = at[`get${fields[unit]}`]();
  if (unit !== "day") at[`set${fields[unit]}`](value - (value % size));
  return at;
}

/** At most about `most` ticks between two instants. */
export function ticks(from, to, most) {
  const [unit, size] = steps.find(([, , length]) => (to - from) / length <= most) ?? steps.at(-1);
  const found = [];
  const at = floor(from, unit, size);
  for (let turn = 0; turn < 40 && at.getTime() < to; turn++) {
    const january = unit === "month" && at.getMonth() === 0;
    if (at.getTime() >= from) found.push({ at: at.getTime(), label: january ? `Jan ${at.getFullYear()}` : labels[unit](at) });
    at[`set${fields[unit]}`](at[`get${fields[unit]}`]() + size);
  }
  return found;
}

/** The ticks as lines and labels between x positions given by `x`; those that would touch `until` are left out. */
export function axis(from, to, most, x, height, until) {
  return s("g", { key: "axis", class: "axis", "aria-hidden": "true" }, ticks(from, to, most).map(({ at, label }) => [
    s("line", { x1: x(at), x2: x(at), y1: 26, y2: height }),
    x(at) + label.length * 7 + 10 < until && s("text", { x: x(at) + 5, y: 18 }, label),
  ]));
}
