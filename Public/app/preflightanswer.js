// The answer of a preflight: the sentence first, whom it would hit, then release by release, and what was assumed.

import { h } from "./dom.js";
import { keyMark } from "./keycolour.js";
import { releaseName } from "./releases.js";
import { link } from "./route.js";
import { part } from "./share.js";
import { client, verdictChip } from "./verdicts.js";
import { chip, date, instant, left, number, text, time, word } from "./words.js";

const ROWS = 100;
const NARROW = 760;
const answers = { true: ["ok", "go"], false: ["critical", "stop"], null: ["warning", "could not tell"] };
const systems = { ios: "iOS", macos: "macOS", android: "Android", jvm: "JVM", linux: "Linux" };
const kinds = { chain: "chain", certificate: "certificate", request: "signing request", public_key: "public key" };

export function answerView(answer, width) {
  const [tone, words] = answers[String(answer.go)] ?? answers.null;
  return h("section", { key: "result", class: `preflight ${tone}`, "aria-labelledby": "answer" },
    h("h2", { id: "answer", class: "sentence", tabindex: "-1" }, text(answer.sentence, 400)),
    h("div", { class: "under" }, chip(tone, words), h("span", null, "for ", text(answer.host, 120)), candidate(answer.candidate)),
    answer.users.length > 0 && [h("h2", { key: "users-title" }, "Whom it would hit"), h("ul", { key: "users", class: "panel rows" }, answer.users.map(user))],
    answer.items.length > 0 && [h("h2", { key: "releases-title", id: "per-release" }, "Release by release"), table(answer.items, width)],
    answer.assumed.length > 0 && [h("h2", { key: "assumed-title" }, "What was assumed"), h("ul", { key: "assumed", class: "panel rows" }, answer.assumed.map((one, index) => h("li", { key: String(index), class: "row" }, text(one, 400))))]);
}

function candidate({ kind, subject, spki, not_after: until, certificates }) {
  const ends = instant(until);
  return [h("span", null, certificates > 1 ? `a chain of ${number(certificates)} certificates` : `a ${word(kinds, kind)}`, subject && [", ", text(subject, 120)]),
    h("span", null, "its key ", keyMark(spki)), Number.isFinite(ends) && h("span", null, time(ends, `ends ${date(ends)}, ${left(ends)}`))];
}

const user = ({ sentence, rejected }, index) => h("li", { key: String(index), class: "row" }, h("p", { class: rejected ? "bad" : "caution" }, text(sentence.slice(0, 1).toUpperCase() + sentence.slice(1), 300)));

const rank = ["reject_pin", "reject_chain", "config_error", "unpinned", "depends_on_path", "unknown", "accept_report", "accept", "not_evaluated"];

/** The worst first, debug builds after all that are in people's hands. */
const order = (a, b) => (a.variant === "debug") - (b.variant === "debug") || rank.indexOf(a.verdict) - rank.indexOf(b.verdict) || (b.share ?? 0) - (a.share ?? 0);

function table(items, width) {
  const head = (words) => h("th", { role: "columnheader", scope: "col" }, words);
  const shown = [...items].sort(order).slice(0, ROWS);
  return h("div", { key: "releases", class: "panel" }, h("table", { class: width < NARROW ? "matrix stacked" : "matrix", role: "table", "aria-labelledby": "per-release" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ["Release", "Client", "Users", "Now", "With the new key"].map(head))),
    h("tbody", { role: "rowgroup" }, shown.map(row))),
  items.length > ROWS && h("p", { key: "more", class: "foot" }, `The first ${ROWS} of ${number(items.length)} releases are shown, the worst first.`));
}

function row(one, index) {
  const cell = (name, label, ...content) => h("td", { role: "cell", class: name }, label && h("span", { class: "of" }, label), content);
  const clients = one.layers?.map((layer) => layer.client) ?? [one.client];
  const name = releaseName(one);
  return h("tr", { key: `${one.pin_set_id}/${index}`, role: "row" },
    h("th", { role: "rowheader", scope: "row" }, one.pin_set_id ? h("a", { href: link(`/pin-sets/${encodeURIComponent(one.pin_set_id)}`) }, name) : name,
      one.variant === "debug" && h("span", { class: "runsout" }, "a debug build, which never decides")),
    cell("client", null, clients.filter(Boolean).map((code, at) => h("span", { key: code, class: at ? "soft" : null }, at ? "+ " : "", client(code)))),
    cell("users", null, one.share == null ? h("span", { class: "soft" }, "–", h("span", { class: "hidden" }, "share unknown")) : part(one.share), one.os && h("span", { class: "soft" }, ` of ${word(systems, one.os)}`)),
    cell("verdict", "Now: ", one.now ? verdictChip(one.now) : h("span", { class: "soft" }, "not scanned")),
    cell("verdict", "With the new key: ", verdictChip(one.verdict), one.by === "trap" && [" ", chip("warning", "trap", { title: "The app’s authors are unlikely to want this." })], h("p", { class: "soft" }, text(one.reason, 240)),
      (one.notes ?? []).slice(0, 4).map((note, at) => h("p", { key: String(at), class: "soft" }, text(note, 240)))));
}
