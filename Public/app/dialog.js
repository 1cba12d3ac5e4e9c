// Native dialogs: the browser keeps the focus inside, closes them by Escape and gives the focus back.

import { h, render } from "./dom.js";
import { Form } from "./form.js";

let made = 0;

/**
 * Opens a dialog. `content` is given `redraw` and `close` and describes what stands under the title. It closes when the
 * page is left; `closed` is called once it is, however that came.
 */
export function openDialog({ title, content, wide = false, closed = null }) {
  const before = document.activeElement;
  const id = `dialog-${(made += 1)}`;
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", id);
  if (wide) dialog.className = "wide";
  const close = () => dialog.close();
  const redraw = () => dialog.isConnected && render(dialog, h("div", { class: "sheet" }, h("h2", { id }, title), content(redraw, close)));
  dialog.addEventListener("close", () => {
    removeEventListener("hashchange", close);
    dialog.remove();
    // The browser gives the focus back by itself, unless what had it is gone.
    if (!before?.isConnected) document.getElementById("main").focus({ preventScroll: true });
    closed?.();
  });
  addEventListener("hashchange", close);
  document.body.append(dialog);
  redraw();
  dialog.showModal();
  return { close, redraw };
}

/** Asks before `run` is done; what it rejects with is shown there. */
export function ask({ title, words, verb, busy, run }) {
  let opened = null;
  const form = new Form("ask", async () => {
    await run();
    opened.close();
  });
  opened = openDialog({
    title,
    content: (redraw, close) => form.view(redraw, { verb, busy, danger: true, more: h("button", { type: "button", class: "quiet", autofocus: true, onclick: close }, "Cancel") }, h("p", { key: "words" }, words)),
  });
}
