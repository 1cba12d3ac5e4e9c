// Adding a pin set: a native file is pasted, chosen or dropped, shown as it was understood, and then added.

import { send } from "./api.js";
import { h } from "./dom.js";
import { Form, placed, refusal } from "./form.js";
import { link, visit } from "./route.js";
import { toast } from "./toast.js";
import { hostsView, problems } from "./pinsetparts.js";
import { client } from "./verdicts.js";
import { chip, text } from "./words.js";

const FIELD = "source";
const MOST = 1024 * 1024;
const example = `pinwatch: 1
app: shop-ios
release: "5.1.0"
client: urlsession
policy: …`;

let form = null;
/** What the service understood of `source`. */
let preview = null;
let source = "";
let over = false;

/** Forgets what was pasted: the page of adding has been left. */
export const leaveAdding = () => ([form, preview, source, over] = [null, null, "", false]);

export function add(redraw) {
  form ??= new Form("pinset", (data) => (understood() ? store() : read(data.get(FIELD))));
  const verb = understood() ? "Add this pin set" : "Read the file";
  return h("section", { key: "add", class: "adding", "aria-labelledby": "adding" },
    h("p", { class: "crumbs" }, h("a", { href: link("/pin-sets") }, "Pin sets"), " /"),
    h("h1", { id: "adding", class: "title" }, "Add a pin set"),
    h("div", { class: "columns" },
      form.view(redraw, { verb, busy: understood() ? "Adding…" : "Reading…", failed: understood() ? "Not added" : "Not understood", more: h("a", { class: "quiet", href: link("/pin-sets") }, "Cancel") }, sourceField(form, redraw)),
      h("div", { "aria-live": "polite" }, understood() ? shape(preview) : teach())));
}

const understood = () => preview !== null && preview.source === source;

async function read(written) {
  source = written;
  preview = null;
  if (!written.trim()) throw refusal([{ field: FIELD, message: "Paste a pin file first, or choose one." }]);
  try {
    preview = { source: written, made: await send("POST", "pin-sets", { source: written }, { query: { preview: "true" }, quiet: true }) };
  } catch (error) {
    throw placed(error, FIELD);
  }
}

async function store() {
  const made = await send("POST", "pin-sets", { source });
  leaveAdding();
  visit(link(`/pin-sets/${encodeURIComponent(made.id)}`));
  toast([text(`${made.app} ${made.release}`, 80), " was added."]);
}

/** The text of a native file; a file may be dropped on it. */
function sourceField(owner, redraw) {
  const typed = (event) => {
    const before = understood();
    source = event.currentTarget.value;
    if (before !== understood()) redraw();
  };
  const pasted = (event) => {
    const box = event.currentTarget;
    // After the paste has arrived in the field.
    if (!box.value.trim()) setTimeout(() => box.form.requestSubmit());
  };
  const drag = (inside) => (event) => {
    event.preventDefault();
    if (over === inside) return;
    over = inside;
    redraw();
  };
  const drop = (event) => {
    drag(false)(event);
    take(event.dataTransfer.files[0], redraw);
  };
  return [
    owner.area(FIELD, "Pin file", { rows: "16", class: over ? "code dropping" : "code", hint: "A native file, YAML or JSON. Paste it or drop it here.", placeholder: example, oninput: typed, onpaste: pasted, ondragover: drag(true), ondragleave: drag(false), ondrop: drop }),
    h("p", { key: "choose", class: "choose" },
      h("input", { id: "pinset-file", type: "file", class: "hidden", accept: ".yaml,.yml,.json", onchange: (event) => take(event.currentTarget.files[0], redraw) }),
      h("label", { class: "quiet", for: "pinset-file" }, "Choose a file")),
  ];
}

async function take(file, redraw) {
  if (!file) return;
  const box = document.getElementById(form.idOf(FIELD));
  if (file.size > MOST) {
    form.problem = refusal([{ field: FIELD, message: `${file.name} is larger than 1 MiB, the most that is taken here; a larger one can stand in the configuration.` }]);
    return redraw();
  }
  box.value = await file.text();
  box.form.requestSubmit();
}

const teach = () => h("div", { key: "teach", class: "panel teach soft" },
  h("p", null, "What was understood is shown here before anything is stored."),
  h("p", null, "One file is one release of one app. Pins are written in it as text; ", h("code", null, "file:"), " is only read on the service’s own machine."));

/** What a file was understood to say. */
function shape({ made }) {
  return h("section", { key: "shape", class: "panel teach", "aria-labelledby": "shape" },
    h("h2", { id: "shape" }, "What was understood"),
    h("h3", null, text(`${made.app} ${made.release}`, 120), made.variant !== "release" && [" ", chip("", text(made.variant, 30))]),
    h("p", { class: "soft" }, made.clients.map(client).join(" and ")),
    hostsView(made), problems(made));
}
