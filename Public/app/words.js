// Words for people: numbers, times, and text that came from outside.

import { h } from "./dom.js";

// Written by hand, since the browser's own formats cost the first view more than all else, and English is what there is.
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const two = (value) => String(value).padStart(2, "0");
/** Parts of a local time: `09:42`, `28 Nov`, `28 Nov 2026`, `Sun`. */
export const clock = (at) => `${two(new Date(at).getHours())}:${two(new Date(at).getMinutes())}`;
export const dayOfYear = (at) => `${new Date(at).getDate()} ${monthOf(at)}`;
export const day = (at) => `${dayOfYear(at)} ${new Date(at).getFullYear()}`;
export const monthOf = (at) => months[new Date(at).getMonth()];
export const weekday = (at) => weekdays[new Date(at).getDay()];
export const seconds = (at) => two(new Date(at).getSeconds());

/** `+01:00`, how far local time is from UTC at that instant. */
function zone(at) {
  const minutes = -new Date(at).getTimezoneOffset();
  return `${minutes < 0 ? "−" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

const DAY = 86_400_000;

let skew = 0;
/** Milliseconds of the service's clock, so that ages are right on a computer whose own clock is not. */
export const now = () => Date.now() + skew;
/** Learns the service's clock from a response's Date header, which counts whole seconds. */
export function learnClock(header) {
  const difference = Date.parse(header) - Date.now();
  if (Number.isFinite(difference)) skew = Math.abs(difference) > 2_000 ? difference : 0;
}

export const number = (value) => (value == null ? "unknown" : String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ","));
export const count = (value, one, many = one + "s") => `${number(value)} ${value === 1 ? one : many}`;

/** Milliseconds of an RFC 3339 time, NaN where there is none. */
export const instant = (time) => (time == null ? NaN : Date.parse(time));
export const date = (ms) => (Number.isFinite(ms) ? day(ms) : "unknown");

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
  return `${day(ms)}, ${clock(ms)}:${seconds(ms)} ${zone(ms)} · ${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** `09:42`, `yesterday, 22:10`, `Sun`, `28 Nov`: as near as the reader needs it. */
export function moment(ms, withClock = false) {
  if (!Number.isFinite(ms)) return "unknown";
  const days = Math.round((new Date(now()).setHours(0, 0, 0, 0) - new Date(ms).setHours(0, 0, 0, 0)) / DAY);
  if (days === 0) return clock(ms);
  const near = days === 1 ? "yesterday" : days > 1 && days < 7 ? weekday(ms) : null;
  if (near) return withClock ? `${near}, ${clock(ms)}` : near;
  return Math.abs(days) < 300 ? dayOfYear(ms) : day(ms);
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
// What can be taken for something else: a letter of another script inside a Latin word, a letter, digit or sign that is
// a plain one in other clothes, and signs that look like those that part a URL.
const run = /[\p{L}\p{M}\p{N}]+/gu;
const latin = /\p{Script=Latin}/u;
const lookalike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Georgian}\p{Script=Lisu}\p{Script=Tifinagh}]/u;
const disguised = /[\u2024\u2044\u2215\u2236\u29f8\ua789\u{ff01}-\u{ff5e}\u{1d400}-\u{1d7ff}\u{24b6}-\u{24e9}]/u;
const escaped = (character) => {
  const code = character.codePointAt(0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
};

/** Where characters stand that are not what they seem: `[index, character, invisible]` in order. */
function oddities(value) {
  const found = [...value.matchAll(unseen)].map((match) => [match.index, match[0], true]);
  for (const { 0: letters, index } of value.matchAll(run)) {
    const mixed = latin.test(letters);
    let at = index;
    for (const character of letters) {
      if ((mixed && lookalike.test(character)) || disguised.test(character)) found.push([at, character, false]);
      at += character.length;
    }
  }
  for (const match of value.matchAll(/[^\p{L}\p{M}\p{N}]/gu)) if (disguised.test(match[0])) found.push([match.index, match[0], false]);
  return found.sort((a, b) => a[0] - b[0]).filter(([at], index, all) => index === 0 || all[index - 1][0] !== at);
}

/** Most of what is shown; U+00AD is an invisible hyphen. */
const ordinary = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u024f]*$/;

/** Text from outside where no elements can be, as in titles. */
export function plain(value) {
  const whole = String(value).slice(0, 4_000);
  if (ordinary.test(whole)) return whole;
  let [shown, at] = ["", 0];
  for (const [index, character] of oddities(whole)) {
    shown += whole.slice(at, index) + escaped(character);
    at = index + character.length;
  }
  return shown + whole.slice(at);
}

/**
 * Text from outside: isolated from its surroundings' direction, what is invisible shown as a code, what can be taken for
 * another letter shown with its code, cut at `limit`.
 */
export function text(value, limit = 240) {
  if (value == null) return h("span", { class: "soft" }, "unknown");
  const whole = String(value);
  if (whole === "") return h("span", { class: "soft" }, "empty");
  const cut = whole.length > limit ? whole.slice(0, limit).replace(/[\ud800-\udbff]$/, "") : whole;
  const parts = [];
  let at = 0;
  for (const [index, character, invisible] of ordinary.test(cut) ? [] : oddities(cut)) {
    const code = h("span", { class: "escape", title: invisible ? "invisible" : "not the letter that it looks like" }, escaped(character));
    parts.push(cut.slice(at, index), invisible ? code : h("span", { class: "odd" }, character, code));
    at = index + character.length;
  }
  parts.push(cut.slice(at));
  if (cut === whole) return h("bdi", null, parts);
  const more = h("span", { class: "soft" }, ` … ${count(whole.length - cut.length, "more character")}`);
  return h("bdi", { title: plain(whole) }, parts, more);
}

/** Kinds of findings that their code does not say clearly. */
export const kinds = {
  "pin.config_error": "pin set unusable", "pin.at_risk": "pins run out", "pin.no_backup": "no backup pin", "pinset.expiry": "pin set ends",
  "pinset.lint": "trap in a pin set", "certificate.expiry": "certificate ends", "chain.expiry": "issuer ends", "certificate.not_yet_valid": "not yet valid",
  "chain.invalid": "chain not trusted", "hostname.mismatch": "wrong name", "certificate.revoked": "certificate revoked", "crypto.weak": "weak cryptography",
  "interception.suspected": "connection is read", "vantage.suspect": "own view in doubt", "scan.failing": "scans fail",
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
