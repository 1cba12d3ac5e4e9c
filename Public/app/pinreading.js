// What the service understood of the files of one release, shown before anything is stored.

import { copyButton } from "./copy.js";
import { h } from "./dom.js";
import { lintView, place } from "./lintview.js";
import { hostsView, problems } from "./pinsetparts.js";
import { link } from "./route.js";
import { client } from "./verdicts.js";
import { chip, count, date, instant, left, plain, text, time } from "./words.js";

const MOST = 50;
const kinds = { certificate: "certificate", public_key: "public key", request: "signing request" };

/** One reading; `lead(problem)` is the control that goes to a place of its native text, `redraw` is for copying. */
export function reading(one, index, lead, redraw) {
  const made = one.pin_set;
  const id = `reading-${index}`;
  return h("section", { key: id, class: "panel teach reading", "aria-labelledby": id },
    h("h3", { id }, made ? text(made.release === "unknown" ? made.app : `${made.app} ${made.release}`, 120) : text(one.origin, 160), made?.release === "unknown" && h("span", { class: "soft" }, ", release not known"), made && made.variant !== "release" && [" ", chip("", text(made.variant, 30))]),
    h("p", { class: "soft" }, "Read as ", text(one.format_words, 80), one.origin && [": ", text(one.origin, 300)], made?.clients.length > 0 && [". Pins are checked by ", made.clients.map(client).join(" and ")], "."),
    one.exists && h("p", { class: "caution" }, "This release is there already: ", h("a", { href: link(`/pin-sets/${encodeURIComponent(one.exists)}`) }, "look at it"), ". Replacing it keeps its history."),
    one.problems.length > 0 && h("div", { class: "problem" }, h("p", null, h("strong", null, "It cannot be taken as it stands.")), h("ul", null, one.problems.slice(0, MOST).map((problem, at) => h("li", { key: String(at) }, lead(problem))))),
    made && [hostsView(made), problems(made)],
    part("Left out or unclear", one.remarks.length, h("ul", { class: "rows lint" }, one.remarks.slice(0, MOST).map((remark, at) => h("li", { key: String(at) }, h("p", null, text(remark.message, 400)), h("p", { class: "soft" }, place(remark)))), rest(one.remarks.length))),
    part("What lint says", one.lint.length, lintView(one.lint)),
    part("Keys and certificates found", one.keys.length, h("ul", { class: "rows lint" }, one.keys.slice(0, MOST).map((key, at) => found(key, at, redraw)), rest(one.keys.length))));
}

const part = (title, some, ...content) => some > 0 && h("div", { key: title, class: "part" }, h("h4", null, title), content);
const rest = (all) => all > MOST && h("li", { key: "more", class: "soft" }, `and ${count(all - MOST, "more", "more")}`);

function found(key, index, redraw) {
  const ends = instant(key.not_after);
  return h("li", { key: String(index) },
    h("p", null, key.subject ? text(key.subject, 160) : `A ${kinds[key.kind] ?? "key"}`, h("span", { class: "soft" }, ` · ${kinds[key.kind] ?? plain(key.kind)} in `, text(key.file, 120), Number.isFinite(ends) && [", ", time(ends, `ends ${date(ends)}, ${left(ends)}`)])),
    key.spki ? h("p", { class: "copy" }, h("code", null, text(key.spki, 80)), copyButton(key.spki, redraw, `Copy the pin of ${plain(key.subject ?? key.file).slice(0, 60)}`)) : h("p", { class: "soft" }, "Its key cannot be read, so it has no pin."));
}
