// A button that copies something.

import { h } from "./dom.js";

const SHOWN = 2_000;
let last = null;

/** `value` is copied, whatever of it is shown. */
export function copyButton(value, redraw, label = null) {
  const copy = async (event) => {
    last = { value, words: (await copied(value, event.currentTarget)) ? "Copied" : "Your browser forbids it" };
    redraw();
    setTimeout(() => (last = null, redraw()), SHOWN);
  };
  const words = last?.value === value ? last.words : "Copy";
  return h("button", { key: "copy", type: "button", class: "quiet", "aria-label": label && words === "Copy" ? label : null, onclick: copy }, words);
}

async function copied(value, beside) {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    // Browsers hand out the clipboard only over TLS and on loopback; elsewhere what is selected can still be copied.
    const box = document.createElement("textarea");
    box.value = value;
    box.className = "hidden";
    beside.after(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    beside.focus();
    return done;
  }
}
