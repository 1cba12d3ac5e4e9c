// Messages on their way to channels: what became of each, try by try.

import { send } from "./api.js";
import { h } from "./dom.js";
import { may } from "./session.js";
import { attempt, toast } from "./toast.js";
import { ago, chip, count, instant, now, number, plain, span, text, time, word } from "./words.js";

const types = {
  "alert.opened": "that it opened", "alert.escalated": "that it got worse", "alert.updated": "that it changed", "alert.reminder": "that it still stands",
  "alert.acknowledged": "that somebody took it", "alert.resolved": "that it is over", "channel.test": "that this is a test", digest: "a digest",
  "event.key.changed": "that a key changed", "event.chain.changed": "that a chain changed", "event.family.appeared": "that a kind of key appeared", "event.family.disappeared": "that a kind of key disappeared", "event.rollout.started": "that addresses began to move to another certificate", "event.rollout.ended": "that such a move ended", "event.sct.dropped": "that timestamps went", "event.target.added": "that a target was added", "event.target.removed": "that a target was removed",
};

const verbs = { delivered: "was told", pending: "is to be told", dead: "could not be told", dropped: "was not told" };

/** `named` shows of which alert each is. */
export function deliveriesView(list, { named = false } = {}) {
  return h("ul", { key: "deliveries", class: "panel rows" }, list.items.map((one) => row(one, named)),
    list.total > list.items.length && h("li", { key: "more", class: "more soft" }, `and ${count(list.total - list.items.length, "older message")}`));
}

function row(one, named) {
  const retry = may("editor") && (one.state === "dead" || one.state === "pending");
  return h("li", { key: one.id, class: "row delivery" },
    h("div", null,
      h("p", null, h("strong", null, text(one.channel, 60)), " ", verbs[one.state] ?? "is told", " ", word(types, one.type), named && one.alert_id && [" · ", h("a", { href: `#/alerts/${encodeURIComponent(one.alert_id)}` }, "the alert")]),
      h("p", { class: "soft" }, outcome(one)), tries(one)),
    h("div", { class: "actions" }, chip({ delivered: "ok", pending: "warning", dead: "critical" }[one.state] ?? "", word({ dead: "given up", pending: "on its way" }, one.state)),
      retry && h("button", { class: "quiet", onclick: () => again(one) }, "Send again")));
}

function outcome({ state, attempts, next_attempt_at: next }) {
  const last = attempts.at(-1);
  switch (state) {
    case "delivered": return ["Delivered ", last && time(last.at, ago(instant(last.at))), attempts.length > 1 && ` at the ${ordinal(attempts.length)} try`, "."];
    case "pending": return [last ? ["Not yet: ", failure(last), ". "] : "Not tried yet. ", next && ["The next try is ", time(next, soon(instant(next))), "."]];
    case "dead": return [`Given up after ${count(attempts.length, "try", "tries")}`, last && [": ", failure(last)], "."];
    case "dropped": return "Dropped: the channel was deleted, or there was nothing left to tell.";
    default: return word({}, state);
  }
}

const ordinal = (place) => ({ 1: "first", 2: "second", 3: "third" }[place] ?? `${number(place)}th`);
const soon = (ms) => (ms - now() < 1_500 ? "now" : `in ${span(ms - now())}`);
/** A sentence of the service's as a part of another. */
export const clause = (words) => text(words.replace(/\.$/, ""), 240);
/** Where an answer came, its status is all that `error` says. */
const failure = ({ error, status }) => (error && error !== `HTTP ${status}` ? clause(error) : status ? `the receiver answered ${plain(status)}` : "no answer came");

function tries({ attempts }) {
  if (attempts.length < 2) return null;
  return h("details", null, h("summary", null, count(attempts.length, "try", "tries")),
    h("ol", { class: "tries" }, attempts.map((one, index) => h("li", { key: String(index) }, time(one.at, ago(instant(one.at))), " ", one.error || !one.status ? failure(one) : `answered ${plain(one.status)}`,
      one.ms != null && h("span", { class: "soft" }, ` after ${number(one.ms)} ms`)))));
}

async function again({ id, channel }) {
  const sent = await attempt(() => send("POST", `deliveries/${encodeURIComponent(id)}/retry`), "It was not sent again");
  if (!sent) return;
  toast(["It is being sent to ", text(channel, 60), " again."]);
}
