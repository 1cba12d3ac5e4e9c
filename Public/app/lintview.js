// What lint says of pins and sources: where it stands, what follows from it, and what to write instead.

import { h } from "./dom.js";
import { client } from "./verdicts.js";
import { chip, count, plain, text } from "./words.js";

const MOST = 60;
const severities = [["error", "error", "critical"], ["warning", "warning", "warning"], ["note", "note", ""]];

/** `Info.plist:3:5`, as compilers write places. */
export const place = ({ file, line, column }) => h("code", null, text([file, line, column].filter((part) => part != null).join(":"), 160));

/** Grouped by severity, the worst first; notes are folded. */
export function lintView(lint) {
  return severities.map(([severity, name, tone]) => {
    const own = lint.filter((one) => one.severity === severity);
    if (!own.length) return null;
    const rows = h("ul", { class: "rows lint" }, own.slice(0, MOST).map((one, index) => row(one, index)), own.length > MOST && h("li", { key: "more", class: "soft" }, `and ${count(own.length - MOST, `more ${name}`)}`));
    const words = chip(tone, count(own.length, name));
    return severity === "note" ? h("details", { key: severity }, h("summary", null, words), rows) : h("div", { key: severity, class: "grade" }, h("p", null, words), rows);
  });
}

const row = (one, index) => h("li", { key: String(index) },
  h("p", null, one.host && [h("strong", null, text(one.host, 120)), " "], text(one.message, 500)),
  one.advice && h("p", { class: "instead" }, "Instead: ", text(one.advice, 400)),
  h("p", { class: "soft" }, place(one), one.client && [" · ", client(one.client)], " · ", h("code", { title: "the rule" }, plain(one.rule))));
