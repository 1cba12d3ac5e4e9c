// A button that copies something.

import { h } from "./dom.js";

const SHOWN = 2_000;
let last = null;

/** Where the clipboard is out of reach, what stands before the button is marked instead. */
export function copyButton(value, redraw, label = null) {
  const copy = async (event) => {
    const before = event.currentTarget.previousElementSibling;
    try {
      await navigator.clipboard.writeText(value);
      last = { value, words: "Copied" };
    } catch {
      // Browsers hand out the clipboard only over TLS and on loopback: then the text is at least marked.
      if (before) getSelection().selectAllChildren(before);
      last = { value, words: "Marked: press Ctrl+C" };
    }
    redraw();
    setTimeout(() => (last = null, redraw()), SHOWN);
  };
  const words = last?.value === value ? last.words : "Copy";
  return h("button", { key: "copy", type: "button", class: "quiet", "aria-label": label && words === "Copy" ? label : null, onclick: copy }, words);
}
