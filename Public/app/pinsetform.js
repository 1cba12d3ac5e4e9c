// Adding pin sets: files are dropped, chosen or pasted, shown as they were understood, and then added.

import { h } from "./dom.js";
import { holdsPrivateKey, readFiles } from "./files.js";
import { Form, refusal } from "./form.js";
import { Handover, native } from "./handover.js";
import { answers } from "./pinanswers.js";
import { reading } from "./pinreading.js";
import { link, visit } from "./route.js";
import { toast } from "./toast.js";
import { count, number, plain, text } from "./words.js";

const FIELD = "source";
const example = `pinwatch: 1
app: shop-ios
release: "5.1.0"
client: urlsession
policy: …`;

/** What the person of this page is at; null while nobody adds. */
let adding = null;
let redraw = () => {};

/** Forgets what was handed over: the page of adding has been left. */
export const leaveAdding = () => ([adding, redraw] = [null, () => {}]);

/** Takes dropped or chosen files as if they had been handed over on the page. */
export async function take(list) {
  adding ??= begin();
  const mine = adding;
  const { taken, refused } = await readFiles(list, mine.files);
  if (adding !== mine) return;
  mine.refused = refused;
  // One native file is edited where it would have been pasted.
  if (taken.length === 1 && !mine.files.length && !mine.pasted.trim() && native(taken[0].text)) mine.pasted = taken[0].text;
  else mine.files = taken;
  if (taken.length && !refused.length) await mine.reader.submit(null, () => redraw());
  else redraw();
}

function begin() {
  // What was refused is about answers that have changed since.
  const made = new Handover(() => (made.adder.problem = null, redraw()));
  made.refused = [];
  made.reader = new Form("pinset", () => read(made));
  made.adder = new Form("pinsets", () => store(made));
  return made;
}

async function read(mine) {
  mine.refused = [];
  if (!mine.files.length && !mine.pasted.trim()) throw refusal([{ field: FIELD, message: "Drop or choose files first, or paste the text of one." }]);
  if (holdsPrivateKey(mine.pasted)) throw refusal([{ field: FIELD, message: "This is a private key, so it was not sent anywhere. Paste its certificate or public key." }]);
  await mine.read();
  mine.adder.problem = null;
  // Whoever goes on typing is left where they are.
  if (document.activeElement?.id !== mine.reader.idOf(FIELD)) setTimeout(() => document.getElementById("shape")?.focus());
}

async function store(mine) {
  const made = await mine.store();
  const replaced = mine.replacing();
  leaveAdding();
  visit(made.length === 1 ? link(`/pin-sets/${encodeURIComponent(made[0].id)}`) : link("/pin-sets"));
  toast(made.length === 1 ? [text(`${made[0].app} ${made[0].release}`, 80), replaced ? " was replaced." : " was added."] : `${count(made.length, "pin set")} were ${replaced ? "taken over" : "added"}.`);
}

export function add(again) {
  adding ??= begin();
  redraw = again;
  const understood = adding.understood();
  const more = h("a", { class: "quiet", href: link("/pin-sets") }, "Cancel");
  return h("section", { key: "add", class: "adding", "aria-labelledby": "adding" },
    h("p", { class: "crumbs" }, h("a", { href: link("/pin-sets") }, "Pin sets"), " /"),
    h("h1", { id: "adding", class: "title" }, "Add a pin set"),
    h("div", { class: understood ? "columns known" : "columns" },
      adding.reader.view(again, { verb: verb(), calm: understood, busy: "Reading…", failed: "Not understood", more: !understood && more }, handed(adding), sourceField(adding)),
      h("div", { "aria-live": "polite" }, understood ? shape(adding, more) : teach())));
}

const verb = () => (adding.files.length + (adding.pasted.trim() ? 1 : 0) > 1 ? "Read the files" : "Read the file");

/** The files that were handed over, and the way to more. */
function handed(mine) {
  const drop = (name) => () => {
    mine.files = mine.files.filter((one) => one.name !== name);
    document.getElementById("pinset-file")?.focus();
    redraw();
  };
  const chosen = async (event) => {
    const box = event.currentTarget;
    const list = [...box.files];
    // So that the same file can be chosen again after it was changed.
    box.value = "";
    await take(list);
  };
  return h("div", { key: "files", class: "field" },
    h("p", { class: "dropzone" },
      h("input", { id: "pinset-file", type: "file", multiple: true, class: "hidden", onchange: chosen }),
      h("label", { class: "quiet", for: "pinset-file" }, "Choose files"), h("span", { class: "soft" }, " or drop them anywhere on this page")),
    mine.refused.length > 0 && h("ul", { key: "refused", class: "problem", role: "alert" }, mine.refused.slice(0, 20).map((words, index) => h("li", { key: String(index) }, text(words, 300)))),
    mine.files.length > 0 && h("ul", { key: "handed", class: "rows handed", "aria-label": "Files handed over" }, mine.files.map((one) => h("li", { key: one.name },
      h("span", null, text(one.name, 120), h("span", { class: "soft" }, ` ${size(one)}`)), h("button", { type: "button", class: "quiet", "aria-label": `Take away ${plain(one.name).slice(0, 120)}`, onclick: drop(one.name) }, "Take away")))));
}

function size({ text: words, base64 }) {
  const bytes = words?.length ?? Math.floor(base64.length * 0.75);
  return bytes < 1024 ? count(bytes, "byte") : `${number(Math.round(bytes / 1024))} KiB`;
}

function sourceField(mine) {
  const typed = (event) => {
    const before = [mine.understood(), verb()].join();
    mine.pasted = event.currentTarget.value;
    if (before !== [mine.understood(), verb()].join()) redraw();
  };
  const pasted = (event) => {
    const box = event.currentTarget;
    // After the paste has arrived in the field.
    if (!box.value.trim()) setTimeout(() => box.form.requestSubmit());
  };
  return mine.reader.area(FIELD, "Pin file", {
    rows: mine.files.length ? "5" : "14", class: "code", value: mine.pasted, placeholder: example, oninput: typed, onpaste: pasted,
    hint: "Or paste text: a native file, an Info.plist, a network security configuration, source code, pins or certificates.",
  });
}

const teach = () => h("div", { key: "teach", class: "panel teach soft" },
  h("p", null, "Drop what the app is built from: an Info.plist, sources that pin with TrustKit, Alamofire or OkHttp, an Android network security configuration, certificates."),
  h("p", null, "What was understood is shown here before anything is stored."),
  h("p", null, "One pin set is one release of one app. Files of several systems become several releases."));

/** What was understood, what is asked about it, and the way to store it. */
function shape(mine, more) {
  const lead = (problem) => mine.adder.message(mine.placed(problem));
  return h("section", { key: "shape", "aria-labelledby": "shape" },
    h("h2", { id: "shape", tabindex: "-1" }, "What was understood"),
    mine.readings.map((one, index) => reading(one, index, lead, redraw)),
    h("div", { key: "answers", class: "panel teach" },
      mine.adder.view(redraw, { ...mine.verbs(), more }, answers(mine, mine.adder))));
}
