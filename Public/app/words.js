// Words for people: numbers, times, and text that came from outside.

import { h } from "./dom.js";

const numbers = new Intl.NumberFormat("en");
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });
const DAY = 86_400_000;

let skew = 0;
/** Milliseconds of the service's clock, so that ages are right on a computer whose own clock is not. */
export const now = () => Date.now() + skew;
/** Learns the service's clock from a response's Date header, which counts whole seconds. */
export function learnClock(header) {
  const difference = Date.parse(header) - Date.now();
  if (Number.isFinite(difference)) skew = Math.abs(difference) > 2_000 ? difference : 0;
}

export const number = (value) => (value == null ? "unknown" : numbers.format(value));
export const count = (value, one, many = one + "s") => `${number(value)} ${value === 1 ? one : many}`;

/** Milliseconds of an RFC 3339 time, NaN where there is none. */
export const instant = (time) => (time == null ? NaN : Date.parse(time));
export const date = (ms) => (Number.isFinite(ms) ? day.format(ms) : "unknown");

/** `18 min`, `3 h`, `12 days`: the largest unit that says enough. */
export function span(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h`;
  const days = Math.round(seconds / 86_400);
  return days < 1_100 ? count(days, "day") : `${number(Math.round(days / 365.25))} years`;
}

export const ago = (ms) => (!Number.isFinite(ms) ? "never" : now() - ms < 1_000 ? "just now" : `${span(now() - ms)} ago`);

/** Days left in words; a whole day counts only when it is over. */
export function left(ms) {
  if (!Number.isFinite(ms)) return "unknown";
  const rest = ms - now();
  if (rest < 0) return `ended ${span(-rest)} ago`;
  return rest < DAY ? `${span(rest)} left` : `${count(Math.floor(rest / DAY), "day")} left`;
}

/** Local time and UTC, for titles. */
export function exactly(ms) {
  if (!Number.isFinite(ms)) return "unknown";
  return `${exact.format(ms)} · ${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** `09:42`, `yesterday, 22:10`, `Sun`, `28 Nov`: as near as the reader needs it. */
export function moment(ms, withClock = false) {
  if (!Number.isFinite(ms)) return "unknown";
  const days = Math.round((new Date(now()).setHours(0, 0, 0, 0) - new Date(ms).setHours(0, 0, 0, 0)) / DAY);
  if (days === 0) return clock.format(ms);
  const near = days === 1 ? "yesterday" : days > 1 && days < 7 ? weekday.format(ms) : null;
  if (near) return withClock ? `${near}, ${clock.format(ms)}` : near;
  return Math.abs(days) < 300 ? dayOfYear.format(ms) : day.format(ms);
}

/** A time element with `words`, the exact local time and UTC at hand. */
export function time(value, words, props) {
  const ms = typeof value === "number" ? value : instant(value);
  if (!Number.isFinite(ms)) return h("span", props, words);
  return h("time", { datetime: new Date(ms).toISOString(), title: exactly(ms), ...props }, words);
}

// What a reader cannot see or what reorders what they see: controls, bidirectional and other format characters,
// lone surrogates, unassigned and private characters, ignorables, odd spaces, and marks heaped beyond three.
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?![ \u00a0\u202f])\p{Zs}|(?<=\p{M}{3})\p{M}/gu;
const escaped = (character) => {
  const code = character.codePointAt(0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
};

/** Text from outside where no elements can be, as in titles. */
export const plain = (value) => String(value).slice(0, 4_000).replace(unseen, escaped);

/** Text from outside: isolated from its surroundings' direction, what is invisible shown as a code, cut at `limit`. */
export function text(value, limit = 240) {
  if (value == null) return h("span", { class: "soft" }, "unknown");
  const whole = String(value);
  if (whole === "") return h("span", { class: "soft" }, "empty");
  const cut = whole.length > limit ? whole.slice(0, limit).replace(/[\ud800-\udbff]$/, "") : whole;
  const parts = [];
  let at = 0;
  for (const match of cut.matchAll(unseen)) {
    parts.push(cut.slice(at, match.index), h("span", { class: "escape", title: "invisible" }, escaped(match[0])));
    at = match.index + match[0].length;
  }
  parts.push(cut.slice(at));
  if (cut === whole) return h("bdi", null, parts);
  const more = h("span", { class: "soft" }, ` … ${count(whole.length - cut.length, "more character")}`);
  return h("bdi", { title: plain(whole) }, parts, more);
}

/** Kinds of findings that their code does not say clearly. */
export const kinds = {
  "pin.config_error": "pin set unusable", "pin.no_backup": "no backup pin", "pinset.expiry": "pin set ends",
  "certificate.expiry": "certificate ends", "chain.expiry": "issuer ends", "certificate.not_yet_valid": "not yet valid",
  "chain.invalid": "chain not trusted", "hostname.mismatch": "wrong name", "scan.failing": "scans fail",
  "scan.stale": "scans overdue", "host.unpinned": "no release pins it",
};
/** What those that tell of an end are called once it has come. */
export const ended = { "pinset.expiry": "pinning is off", "certificate.expiry": "certificate ended", "chain.expiry": "issuer ended" };
export const classes = {
  same_key_renewed: "same key", to_pin_of_all: "pinned by all releases", to_pin_of_some: "pinned by some releases",
  to_pin_of_none: "pinned by no release", returned: "an earlier key returned", unknown_third: "unknown third key",
  unpinned: "no release pins it",
};
/** The words for a code, or the code with blanks where it speaks for itself. */
export const word = (words, code) => (code == null ? "unknown" : Object.hasOwn(words, code) ? words[code] : plain(code).replace(/[._]/g, " "));

const tones = { ok: "ok", warning: "warn", critical: "bad" };
/** A small label; status words take their colour, which the word never depends on. */
export const chip = (status, words = status, props) => h("span", { class: `chip ${tones[status] ?? ""}`, ...props }, words);
