// Native dialogs: the browser keeps the focus inside, closes them by Escape and gives the focus back.

import { h, render } from "./dom.js";
import { Form } from "./form.js";
import { onRoute } from "./route.js";

const open = new Set();
let made = 0;

/**
 * Opens a dialog; `content` is given `redraw` and `close` and describes what stands under the title. It stays while its
 * form is being sent, and closes when the page is left; `closed` is called once it is, however that came.
 */
export function openDialog({ title, content, wide = false, closed = null }) {
  const before = document.activeElement;
  const id = `dialog-${(made += 1)}`;
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", id);
  if (wide) dialog.className = "wide";
  const close = () => dialog.close();
  // What is on its way may answer with something that is shown this once.
  const busy = () => dialog.querySelector('[type="submit"][aria-disabled="true"]') !== null;
  const leave = () => busy() || close();
  const redraw = () => {
    if (dialog.isConnected) render(dialog, h("div", { class: "sheet" }, h("h2", { id }, title), content(redraw, leave)));
  };
  dialog.addEventListener("cancel", (event) => busy() && event.preventDefault());
  dialog.addEventListener("close", () => {
    if (!open.has(dialog)) return;
    open.delete(dialog);
    dialog.remove();
    // The browser gives the focus back by itself, unless what had it is gone.
    if (!before?.isConnected) document.getElementById("main").focus({ preventScroll: true });
    closed?.();
  });
  document.body.append(dialog);
  open.add(dialog);
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
    content: (redraw, close) => form.view(redraw, { verb, busy, failed: "That was not done", danger: true, more: cancel(close, "Cancel", { autofocus: true }) }, h("p", { key: "words" }, words)),
  });
}

export const cancel = (close, words = "Cancel", props = {}) => h("button", { key: "cancel", type: "button", class: "quiet", onclick: close, ...props }, words);

/** Takes open dialogs out of the way, with what was typed in them, until what it gives is called. */
export function setAside() {
  const aside = [...open];
  open.clear();
  for (const dialog of aside) dialog.close();
  return () => {
    for (const dialog of aside) {
      open.add(dialog);
      dialog.showModal();
    }
  };
}

onRoute(() => {
  for (const dialog of open) dialog.close();
});
