// Silences: what is not told, for how long, and why.

import { get, send } from "./api.js";
import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { may } from "./session.js";
import { attempt, toast } from "./toast.js";
import { chip, count, instant, kinds, moment, now, span, text, time, word } from "./words.js";

const days = { mon: "Mondays", tue: "Tuesdays", wed: "Wednesdays", thu: "Thursdays", fri: "Fridays", sat: "Saturdays", sun: "Sundays" };

let list = { items: [], total: 0 };

/** Throws ApiError. */
export async function loadSilences(signal) {
  list = await get("silences", { limit: 200 }, signal);
}

/** Who did something, by the name that the service knows them by. */
export const person = (name) => (name === "loopback" ? "somebody on this machine" : text(name, 60));

/** What a silence is called beside an alert that it silences. */
export function silenceName(id) {
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

/** When it is in force. */
function until({ ends_at: end, weekly, state, starts_at: start }) {
  if (weekly) return [weekly.weekdays.map((day) => word(days, day)).join(", "), ` from ${weekly.from} to ${weekly.to}`, h("span", { class: "soft" }, " (", text(weekly.zone, 40), ")")];
  const at = instant(end);
  if (state === "ended") return time(at, `ended ${span(now() - at)} ago`);
  return [instant(start) > now() && [time(start, `from ${moment(instant(start), true)}`), " "], time(at, `until ${moment(at, true)}, ${span(at - now())} from now`)];
}

/** What it matches, as a person would say it: `Warnings at *.example.com with app: shop`. */
function matchersWords({ targets = [], host, labels = {}, kind = [], severity = [] }) {
  const kindWords = kind.map((one) => `“${word(kinds, one)}”`).join(" and ");
  const what = [severity.map((one) => word({}, one)).join(" and "), kind.length ? kindWords : severity.length ? "alerts" : "everything"].filter(Boolean).join(" ");
  const where = [host && text(host, 120), targets.length === 1 ? ["target ", text(targets[0], 20)] : targets.length > 1 && count(targets.length, "target")].filter(Boolean);
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
