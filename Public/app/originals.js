// The files that a pin set was made of, as they were handed over.

import { get } from "./api.js";
import { copyButton } from "./copy.js";
import { cancel, openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { attempt } from "./toast.js";
import { count, plain, text } from "./words.js";

const LINES = 2_000;

/** Opens a dialog with them; `path` is the pin set's in the API. */
export async function showOriginals(path) {
  const answer = await attempt(() => get(`${path}/originals`), "The original files could not be read");
  if (!answer) return;
  openDialog({ title: "The original files", wide: true, content: (redraw, close) => h("div", { class: "form" }, answer.items.map((one, index) => file(one, index, redraw)), h("p", { class: "buttons" }, cancel(close, "Close"))) });
}

function file(one, index, redraw) {
  const words = one.text;
  const lines = words?.split("\n") ?? [];
  return h("section", { key: String(index) },
    h("div", { class: "copy" }, h("h3", null, text(one.name, 160)), words != null && copyButton(words, redraw, `Copy ${plain(one.name).slice(0, 80)}`)),
    words == null ? h("p", { class: "soft" }, `It is no text: ${count(Math.floor(one.base64.length * 0.75), "byte")}.`)
      : h("pre", { class: "exported", tabindex: "0", role: "region", "aria-label": plain(one.name).slice(0, 80) }, lines.slice(0, LINES).map((line) => [line === "" ? null : text(line.replaceAll("\t", "    "), LINES), "\n"]), lines.length > LINES && `… ${count(lines.length - LINES, "more line")}`));
}
