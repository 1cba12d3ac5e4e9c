// A secret that the service shows this once, with a button that copies it.

import { h } from "./dom.js";

/** A widget for one secret; what it keeps goes with whoever holds it. */
export function shownOnce(value, label) {
  let words = "Copy";
  const copy = async (event, redraw) => {
    const field = event.currentTarget.previousElementSibling;
    try {
      await navigator.clipboard.writeText(value);
      words = "Copied";
    } catch {
      // Browsers hand out the clipboard only over TLS and on loopback: then the text is at least marked.
      field.select();
      words = "Marked: press Ctrl+C";
    }
    redraw();
  };
  return (redraw) => h("div", { key: "secret", class: "field" },
    h("label", { for: "shown-once" }, label),
    h("p", { class: "secret" },
      h("input", { id: "shown-once", class: "code", type: "text", readonly: true, value, autocomplete: "off", spellcheck: "false", onfocus: (event) => event.currentTarget.select() }),
      h("button", { type: "button", class: "quiet", onclick: (event) => copy(event, redraw) }, words)),
    h("p", { class: "hint" }, "It is shown this once. Keep it where your other secrets are."),
    h("p", { class: "hidden", role: "status" }, words === "Copy" ? "" : words));
}
