// A notice at the page's foot, spoken by screen readers, with a way back where there is one.

import { h, render } from "./dom.js";
import { text } from "./words.js";

const SHORT = 6_000;
// Long enough to reach the button by keyboard; it waits while somebody is at it.
const LONG = 30_000;

// The region was in the page before its words: one that comes together with them is not read out.
const region = document.getElementById("notices");
region.setAttribute("role", "status");

let timer = null;
let shown = null;

function draw() {
  render(region, shown ? h("div", { key: "toast", class: "toast", onmouseenter: hold, onmouseleave: wait },
    h("p", null, shown.words),
    shown.undo && h("button", { key: "undo", class: "quiet", onclick: undo, onfocus: hold, onblur: wait }, "Undo"),
    h("button", { key: "close", class: "quiet", "aria-label": "Close this notice", onclick: clear, onfocus: hold, onblur: wait }, "Close")) : []);
}

function clear() {
  if (region.contains(document.activeElement)) document.getElementById("main").focus({ preventScroll: true });
  clearTimeout(timer);
  shown = null;
  draw();
}

const hold = () => clearTimeout(timer);

function wait() {
  clearTimeout(timer);
  if (shown) timer = setTimeout(clear, shown.undo ? LONG : SHORT);
}

function undo() {
  const { undo: run } = shown;
  clear();
  return attempt(run, "That could not be undone");
}

/** Says `words` for a while; `undo`, where given, takes back what was done. */
export function toast(words, { undo: run = null } = {}) {
  shown = { words, undo: run };
  draw();
  wait();
}

/** Does `run`; where the service refuses, that is said in a notice, and the answer is undefined. */
export async function attempt(run, failed = "That did not work") {
  try {
    return await run();
  } catch (error) {
    if (error.status === undefined) throw error;
    toast([`${failed}. `, text(error.detail || error.title, 300)]);
    return undefined;
  }
}
