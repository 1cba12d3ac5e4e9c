// A notice at the page's foot, spoken by screen readers, with a way back where there is one.

import { h, render } from "./dom.js";
import { text } from "./words.js";

const SHORT = 6_000;
// Long enough to reach the button by keyboard; it waits while somebody is at it.
const LONG = 30_000;

// In the page from the start: a live region that comes with its words is not read out.
const region = document.createElement("div");
region.className = "toasts";
region.setAttribute("role", "status");
document.body.append(region);

let timer = null;
let shown = null;

const draw = () => render(region, shown && h("div", { class: "toast", onmouseenter: hold, onmouseleave: wait },
  h("p", null, shown.words),
  shown.undo && h("button", { key: "undo", class: "quiet", onclick: undo, onfocus: hold, onblur: wait }, "Undo"),
  h("button", { key: "close", class: "quiet", "aria-label": "Close this notice", onclick: clear, onfocus: hold, onblur: wait }, "Close")));

function clear() {
  if (region.contains(document.activeElement)) document.getElementById("main").focus({ preventScroll: true });
  clearTimeout(timer);
  shown = null;
  draw();
}

const hold = () => clearTimeout(timer);

function wait() {
  clearTimeout(timer);
  timer = setTimeout(clear, shown?.undo ? LONG : SHORT);
}

async function undo() {
  const { undo: run } = shown;
  clear();
  try {
    await run();
  } catch (error) {
    if (error.status === undefined) throw error;
    toast(["That could not be undone. ", text(error.message, 300)]);
  }
}

/** Says `words` for a while; `undo`, where given, takes back what was done and rejects with ApiError. */
export function toast(words, { undo: run = null } = {}) {
  shown = { words, undo: run };
  draw();
  wait();
}
