// What the files of a release cannot say and their owner can: questions with the inputs that answer them.

import { h } from "./dom.js";
import { clientNames } from "./verdicts.js";
import { count, plain, text } from "./words.js";

const FEW = 2;
const variants = [["release", "a release build"], ["debug", "a debug build"]];

/** The fields of the form that stores; `form` ties them to what is refused. */
export function answers(mine, form) {
  const { readings } = mine;
  if (readings.every((one) => one.format === "native") && mine.edited === null) return readings.length === 1 && mine.typed(readings[0]) ? null : nativeField(mine, form);
  const open = questions(readings);
  return [
    h("h3", { key: "title" }, readings.length === 1 ? "Of this release" : "Of these releases"),
    mine.edited === null && [identity(mine, form), asking(open, mine, form)],
    nativeField(mine, form, open.some((one) => one.must_answer && !inputs[asked(one)])),
  ];
}

/** Each once, those that have to be answered before the others. */
const questions = (readings) => [...new Map(readings.flatMap((one) => one.questions).map((one) => [`${one.id}/${one.words}`, one])).values()].sort((a, b) => b.must_answer - a.must_answer);

/** What can be left open and has no field here is folded where there is much of it. */
function asking(open, mine, form) {
  const minor = open.filter((one) => !one.must_answer && !inputs[asked(one)]);
  const fold = minor.length > FEW;
  const shown = fold ? open.filter((one) => !minor.includes(one)) : open;
  return [shown.map((one) => question(one, mine, form)),
    fold && h("details", { key: "minor", class: "asked" }, h("summary", null, `${count(minor.length, "more question")} that can be left open`), minor.map((one) => question(one, mine, form)))];
}

/** App, release, build and share, begun with what was understood. */
function identity(mine, form) {
  const one = mine.readings.length === 1 ? mine.readings[0] : null;
  const made = one?.pin_set;
  const guessed = made && !("app" in mine.told) && one.origin.split(", ").includes(made.app);
  const unknown = made && !("release" in mine.told) && made.release === "unknown";
  const typed = (name, read = (value) => value.trim()) => (event) => mine.answer(name, read(event.currentTarget.value), event.currentTarget.value);
  const value = (name, otherwise) => mine.raw[name] ?? otherwise ?? "";
  const placeholder = made ? null : "as the files say";
  return [
    h("div", { key: "identity", class: "fields" },
      form.line("app", "App", { value: value("app", made?.app), placeholder, maxlength: "100", hint: guessed ? "The files do not say it: this is a file’s name." : null, oninput: typed("app") }),
      form.line("release", "Release", { value: value("release", unknown ? "" : made?.release), placeholder: unknown ? "such as 5.2.0" : placeholder, maxlength: "100", hint: unknown ? "The files do not say it." : null, oninput: typed("release") })),
    h("div", { key: "facts", class: "fields" },
      choice(form, "variant", "Build", variants, mine.told.variant ?? made?.variant ?? "release", typed("variant")),
      form.line("share", "Share of users in %", { inputmode: "decimal", value: value("share", shown(made?.share)), placeholder: "unknown", oninput: typed("share", part) })),
  ];
}

const shown = (share) => (share == null ? "" : String(Math.round(share * 10_000) / 100));

/** A percentage as the API's part of one; what is no number is left for the service to refuse. */
function part(typed) {
  const words = typed.replace("%", "").replace(",", ".").trim();
  const value = Number(words);
  return words === "" ? null : Number.isFinite(value) ? value / 100 : typed;
}

const choice = (form, name, label, options, chosen, onchange, hint) => form.field(name, label, hint, (tied) =>
  h("select", { ...tied, onchange }, options.map(([value, words]) => h("option", { key: value, value, selected: value === chosen }, words))));

/** How a question can be answered here; others are answered in the native text or with further files. */
function asked({ id, key }) {
  if (id === "build_setting") return "build_setting";
  if (key === "client") return "client";
  return id === "host" ? "host" : null;
}

const needed = ({ must_answer: must }) => (must ? "It has to be known before this can be added." : "If you do not know, the usual is assumed.");

const inputs = {
  client: (one, mine, form) => choice(form, "client", plain(one.words), [["", "not chosen"], ...Object.entries(clientNames).sort((a, b) => a[1].localeCompare(b[1]))], mine.told.client ?? "",
    (event) => mine.answer("client", event.currentTarget.value), needed(one)),
  host: (one, mine, form) => form.line("host", plain(one.words), { hint: needed(one), value: mine.raw.host ?? "", placeholder: "api.example.com", maxlength: "253", oninput: (event) => mine.answer("host", event.currentTarget.value.trim(), event.currentTarget.value) }),
  build_setting: (one, mine, form) => {
    const name = /build setting (\w+)/.exec(one.words)?.[1] ?? "";
    const settings = mine.told.build_settings ?? {};
    const typed = (event) => mine.answer("build_settings", { ...settings, [name]: event.currentTarget.value });
    return form.line(name ? `build_settings.${name}` : "build_settings", plain(one.words), { hint: needed(one), value: settings[name] ?? "", oninput: typed });
  },
};

function question(one, mine, form) {
  const input = inputs[asked(one)];
  if (input) return h("div", { key: `${one.id}/${one.words}` }, input(one, mine, form));
  const go = () => find(one.key, form);
  const edit = mine.editable() ? h("button", { type: "button", class: "link", onclick: go }, "Answer it in the text")
    : one.must_answer && "Take the other releases’ files away: then the text of this one can be edited here.";
  return h("div", { key: `${one.id}/${one.words}`, class: one.must_answer ? "asked must" : "asked" }, h("p", null, text(one.words, 400)),
    h("p", { class: "hint" }, needed(one), " ", edit));
}

/** Takes the caret to the line of the native text that answers a question, else to its end. */
function find(key, form) {
  const box = document.getElementById(form.idOf("native"));
  box.closest("details").open = true;
  const line = new RegExp(`^[ -]*${key.split(".").at(-1).replace(/\W/g, "")}:`, "m").exec(box.value);
  const at = line ? line.index + line[0].length : box.value.length;
  box.focus();
  box.setSelectionRange(at, at);
}

/** The native text, where there is one to edit. */
function nativeField(mine, form, open = false) {
  if (!mine.editable()) return null;
  const [one] = mine.readings;
  const back = () => mine.edit(null);
  return h("details", { key: "native", class: "asked", open: open || one.problems.length > 0 || mine.edited !== null },
    h("summary", null, "The pins as Pinwatch keeps them"),
    form.area("native", "Native text", { rows: "14", class: "code", value: mine.edited ?? one.source, hint: "What stands here is stored. Once it is edited, it alone says app, release and all else.", oninput: (event) => mine.edit(event.currentTarget.value) }),
    mine.edited !== null && h("p", { key: "back" }, h("button", { type: "button", class: "quiet", onclick: back }, "Take my edits back")));
}
