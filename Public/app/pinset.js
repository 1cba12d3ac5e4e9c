// One pin set: what it pins, where it applies, and the text that says so.

import { get, send, tagOf } from "./api.js";
import { openDialog, cancel } from "./dialog.js";
import { h } from "./dom.js";
import { Form, placed } from "./form.js";
import { hostsView, placesView, problems, sourceView } from "./pinsetparts.js";
import { share } from "./pinsets.js";
import { link, visit } from "./route.js";
import { may } from "./session.js";
import { attempt, toast } from "./toast.js";
import { client, standing } from "./verdicts.js";
import { ago, chip, instant, text, time } from "./words.js";

let one = null;

export const title = () => (one ? `${one.app} ${one.release}` : "Pin set");
const path = (id) => `pin-sets/${encodeURIComponent(id)}`;

export async function load({ id }, query, signal) {
  one = await get(path(id), {}, signal);
}

export function view() {
  const ours = one.managed_by === "api" && may("editor");
  return [
    h("p", { key: "crumb", class: "crumbs" }, h("a", { href: link("/pin-sets") }, "Pin sets"), " /"),
    h("div", { key: "head", class: "head" },
      h("h1", { class: "title" }, text(`${one.app} ${one.release}`, 120)),
      one.variant !== "release" && chip("", text(one.variant, 30)), one.stack !== "default" && chip("", text(one.stack, 60)),
      ours && h("p", { class: "actions" }, h("button", { class: "quiet", onclick: remove }, "Delete"), h("button", { class: "primary", onclick: () => replace() }, "Replace the file"))),
    h("p", { key: "under", class: "under" }, h("span", null, one.clients.map(client).join(" and ")), one.share != null && h("span", null, share(one.share)),
      h("span", null, time(one.updated_at, `changed ${ago(instant(one.updated_at))}`)), h("span", null, standing(one.verdicts, one.target_count))),
    one.managed_by === "config" && h("p", { key: "file", class: "aside" }, "It comes from ", h("code", null, text(one.origin, 200)), " and is changed there. Settings can read the files again."),
    problems(one),
    h("h2", { key: "pins-title" }, "What it pins"), h("div", { key: "pins", class: "panel padded" }, hostsView(one)),
    h("h2", { key: "places-title" }, "Where it applies"), h("div", { key: "places", class: "panel padded" }, placesView(one, "No target matches its hosts yet.")),
    one.source != null && [h("h2", { key: "source-title" }, "The file"), sourceView(one.source)],
  ];
}

function replace() {
  const { id, source } = one;
  const ifMatch = tagOf(one);
  let opened = null;
  const form = new Form("replace", async (data) => {
    try {
      await send("PATCH", path(id), { source: data.get("source") }, { ifMatch });
    } catch (error) {
      throw placed(error, "source");
    }
    opened.close();
    toast("The file was replaced. Every target it applies to is judged anew.");
  }, { source });
  opened = openDialog({
    title: "Replace the file", wide: true,
    content: (again, close) => form.view(again, { verb: "Replace", busy: "Replacing…", failed: "Not replaced", more: cancel(close) },
      form.area("source", "Pin file", { rows: "18", class: "code", hint: "App, release, variant and stack stay the same; another release is added beside this one." })),
  });
}

/** Deleting asks nothing, since it can be taken back. */
async function remove() {
  const { id, app, release, source } = one;
  const back = async () => {
    const again = await send("POST", "pin-sets", { source });
    visit(link(`/pin-sets/${encodeURIComponent(again.id)}`));
  };
  const done = await attempt(() => send("DELETE", path(id)).then(() => true), "It was not deleted");
  if (!done) return;
  visit(link("/pin-sets"));
  toast([text(`${app} ${release}`, 80), " was deleted."], { undo: source == null ? null : back });
}
