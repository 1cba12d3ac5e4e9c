// Before a key is rotated: whether every release would accept it, asked before anything is installed.

import { get, send } from "./api.js";
import { h } from "./dom.js";
import { dropping } from "./dropping.js";
import { readFiles } from "./files.js";
import { Form, refusal } from "./form.js";
import { answerView } from "./preflightanswer.js";
import { go } from "./route.js";
import { attempt } from "./toast.js";
import { number, text } from "./words.js";

/** Hosts that are suggested, and the pause after the last key until they are asked for, in milliseconds. */
const HOSTS = 20;
const PAUSE = 200;
const PATIENCE = 60_000;
const secret = "This is a private key, so it was not sent anywhere. Pinwatch needs its certificate, signing request or public key.";

let hosts = [];
let form = null;
let redraw = () => {};
/** What is asked about: a host, and text or the bytes of a file. */
let question = { host: "", text: "", file: null };
let answer = null;
let refused = [];
/** The host of the address that was taken over. */
let linked = null;
let typing = 0;

export const title = () => "Preflight";

export async function load(params, query, signal) {
  await suggest(signal);
  const named = query.get("host");
  if (named !== null && named !== linked && named !== question.host.trim()) change({ host: named });
  linked = named;
}

/** Hosts that are watched and contain what is typed. */
async function suggest(signal = null) {
  const words = question.host.trim();
  const { items } = await get("targets", { host: words, limit: HOSTS }, signal);
  if (words === question.host.trim()) hosts = [...new Set(items.map((one) => one.host))];
}

/** What is asked about changes, so there is no answer to it yet. */
function change(to) {
  question = { ...question, ...to };
  answer = null;
}

export function view(width, again) {
  redraw = again;
  form ??= new Form("preflight", ask);
  return [
    h("h1", { key: "title", class: "title" }, "Preflight"),
    !answer && h("p", { key: "idea", class: "under" }, "May we rotate? Whether every release accepts a certificate or key that you mean to install, before you install it. Nothing is stored."),
    h("div", { key: "answer", "aria-live": "polite" }, answer && answerView(answer, width)),
    answer && h("h2", { key: "again" }, "Ask about another"),
    h("div", { key: "ask", class: "panel teach" }, form.view(again, { verb: "Ask", busy: "Asking…", failed: "Not answered" }, hostField(), candidateField())),
  ];
}

function hostField() {
  // So the address can be sent on, and a link with another host is another question.
  const named = (event) => go({ host: event.currentTarget.value.trim() }, false);
  const typed = (event) => {
    const had = answer !== null;
    change({ host: event.currentTarget.value });
    if (had) redraw();
    clearTimeout(typing);
    typing = setTimeout(() => attempt(suggest, "Hosts could not be looked up").then(redraw), PAUSE);
  };
  return [
    form.line("host", "Host", { value: question.host, list: "preflight-hosts", maxlength: "253", placeholder: "api.example.com", hint: "One that is watched, or any other that releases pin.", oninput: typed, onchange: named }),
    h("datalist", { key: "hosts", id: "preflight-hosts" }, hosts.map((host) => h("option", { key: host, value: host }))),
  ];
}

function candidateField() {
  const typed = (event) => {
    const had = answer !== null;
    change({ text: event.currentTarget.value, file: null });
    if (had) redraw();
  };
  const chosen = async (event) => {
    const box = event.currentTarget;
    const list = [...box.files];
    box.value = "";
    await take(list);
  };
  const clear = () => (change({ file: null }), redraw(), document.getElementById(form.idOf("candidate"))?.focus());
  return [
    question.file
      ? h("div", { key: "file", class: "field handed" }, h("p", null, "It is asked about ", h("strong", null, text(question.file.name, 120)), ". "), h("p", null, h("button", { type: "button", class: "quiet", onclick: clear }, "Take it away")))
      : form.area("candidate", "New certificate, chain, signing request or public key", { rows: "7", class: "code", value: question.text, placeholder: "-----BEGIN CERTIFICATE-----", hint: "As PEM, a chain with the server’s own certificate first. Never the private key.", oninput: typed }),
    h("p", { key: "choose", class: "dropzone" },
      h("input", { id: "preflight-file", type: "file", multiple: true, class: "hidden", onchange: chosen }),
      h("label", { class: "quiet", for: "preflight-file" }, "Choose a file"), h("span", { class: "soft" }, " or drop it anywhere on this page")),
    refused.length > 0 && h("ul", { key: "refused", class: "problem", role: "alert" }, refused.map((words, index) => h("li", { key: String(index) }, text(words, 300)))),
  ];
}

/** Takes files: texts one after another as a chain is written, or one file of bytes. */
async function take(list) {
  const { taken, refused: why } = await readFiles(list);
  refused = why;
  const words = taken.filter((one) => one.text != null);
  const bytes = taken.filter((one) => one.base64 != null);
  if (words.some((one) => one.text.includes("PRIVATE KEY"))) refused = [secret];
  else if (bytes.length > 1 || (bytes.length && words.length)) refused = [`These are ${number(taken.length)} files, not all of them text. Hand over a chain as one PEM file.`];
  else if (taken.length) change(bytes.length ? { file: bytes[0] } : { text: words.map((one) => one.text.trim()).join("\n"), file: null });
  redraw();
}

dropping(/^\/preflight$/, take);

async function ask() {
  const host = question.host.trim();
  const candidate = question.file ? question.file.base64 : question.text.trim();
  refused = [];
  answer = null;
  const missing = [!host && { field: "host", message: "Say which host is to serve it." }, !candidate && { field: "candidate", message: "Paste a certificate, signing request or public key, or drop its file." }].filter(Boolean);
  if (missing.length) throw refusal(missing);
  if (candidate.includes("PRIVATE KEY")) throw refusal([{ field: "candidate", message: secret }]);
  answer = await send("POST", "preflight", { host, candidate }, { quiet: true, patience: PATIENCE });
  setTimeout(() => {
    const heading = document.getElementById("answer");
    heading?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" });
  });
}
