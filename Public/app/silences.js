// Silences: what is not told, for how long, and why.

import { get, send } from "./api.js";
import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { link } from "./route.js";
import { may } from "./session.js";
import { attempt, toast } from "./toast.js";
import { chip, count, instant, kinds, moment, now, plain, span, text, time, word } from "./words.js";

const days = { mon: "Mondays", tue: "Tuesdays", wed: "Wednesdays", thu: "Thursdays", fri: "Fridays", sat: "Saturdays", sun: "Sundays" };

/** Targets of silences that are named; the others are told by their number. */
const NAMED = 12;

let list = { items: [], total: 0 };
let names = new Map();

/** Throws ApiError. */
export async function loadSilences(signal) {
  const found = await get("silences", { limit: 200 }, signal);
  const ids = found.items.filter((one) => one.state !== "ended" && one.matchers.targets?.length === 1).map((one) => one.matchers.targets[0]);
  names = new Map(await Promise.all([...new Set(ids)].slice(0, NAMED).map(async (id) => [id, await targetName(id, signal)])));
  list = found;
}

/** Null for one that was deleted. */
async function targetName(id, signal) {
  try {
    const { host, host_unicode: shown, port } = await get(`targets/${encodeURIComponent(id)}`, {}, signal);
    return `${shown ?? host}:${port}`;
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** Who did something, by the name that the service knows them by. */
export const person = (name) => (name === "loopback" ? "somebody on this machine" : text(name, 60));

/** What a silence is called beside an alert that it silences. */
export function silenceName(id) {
  if (id === "vantage.suspect") return "held back while this installation’s own view is in doubt";
  const found = list.items.find((one) => one.id === id);
  if (!found) return "silenced";
  return found.ends_at ? time(found.ends_at, `silenced until ${moment(instant(found.ends_at), true)}`) : ["silenced ", until(found)];
}

export function silencesView() {
  const standing = list.items.filter((one) => one.state !== "ended");
  const ended = list.items.filter((one) => one.state === "ended");
  return h("section", { key: "silences", "aria-label": "Silences" },
    h("h2", null, "Silences"),
    standing.length ? h("ul", { class: "panel rows" }, standing.map(row))
      : h("p", { class: "panel empty" }, "Nothing is silenced. A silence keeps what it matches from being told, while somebody works on it or in a maintenance window."),
    ended.length > 0 && h("details", { key: "ended" }, h("summary", null, `${count(ended.length, "silence")} that ended`), h("ul", { class: "panel rows" }, ended.map(row))));
}

function row(one) {
  const ours = one.managed_by === "api" && one.state !== "ended" && may("editor");
  return h("li", { key: one.id, class: "row" },
    h("div", null,
      h("p", null, h("strong", null, matchersWords(one.matchers))), one.comment && h("p", null, text(one.comment, 240)),
      h("p", { class: "soft" }, until(one), one.managed_by === "config" ? " · from the configuration file" : [" · by ", person(one.created_by)])),
    h("div", { class: "actions" }, one.alerts > 0 && chip("", `silences ${count(one.alerts, "alert")}`), chip("", word({ active: "in force", pending: "not now" }, one.state)),
      ours && h("button", { class: "quiet", onclick: () => end(one) }, "End it")));
}

/** `22:00`, also where it is counted in minutes of the day. */
const hour = (at) => (typeof at === "number" ? `${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}` : at);

/** When a weekly one is in force. */
export const weeklyWords = ({ weekdays, from, to, zone }) =>
  [weekdays.map((day) => word(days, day)).join(", "), ` from ${plain(hour(from))} to ${plain(hour(to))}`, h("span", { class: "soft" }, " (", text(zone, 40), ")")];

/** When it is in force. */
function until({ ends_at: end, weekly, state, starts_at: start }) {
  if (weekly) return weeklyWords(weekly);
  const at = instant(end);
  if (state === "ended") return time(at, `ended ${span(now() - at)} ago`);
  return [instant(start) > now() && [time(start, `from ${moment(instant(start), true)}`), " "], time(at, `until ${moment(at, true)}, ${span(at - now())} from now`)];
}

const target = (id) => (names.get(id) ? h("a", { href: link(`/targets/${encodeURIComponent(id)}`) }, text(names.get(id), 120)) : ["target ", text(id, 20)]);

/** What it matches, as a person would say it: `Warnings at *.example.com with app: shop`. */
function matchersWords({ targets = [], host, labels = {}, kind = [], severity = [] }) {
  const kindWords = kind.map((one) => `“${word(kinds, one)}”`).join(" and ");
  const what = [severity.map((one) => word({}, one)).join(" and "), kind.length ? kindWords : severity.length ? "alerts" : "everything"].filter(Boolean).join(" ");
  const where = [host && text(host, 120), targets.length === 1 ? target(targets[0]) : targets.length > 1 && count(targets.length, "target")].filter(Boolean);
  const marks = Object.entries(labels).map(([name, value]) => text(`${name}: ${value}`, 80));
  const joined = (parts, before) => parts.map((part, index) => [index ? " and " : before, part]);
  return [what[0].toUpperCase() + what.slice(1), joined(where, " at "), joined(marks, " with ")];
}

function end(one) {
  const finish = async () => {
    await send("DELETE", `silences/${encodeURIComponent(one.id)}`);
    toast("The silence ended. What it held back is told now, where it still stands.");
  };
  if (one.alerts === 0) return attempt(finish, "It was not ended");
  return ask({ title: "End this silence?", words: `${count(one.alerts, "alert")} that it holds back will be open again, and the channels are told.`, verb: "End it", busy: "Ending…", run: finish });
}
