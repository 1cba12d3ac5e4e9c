// One pin set: what it pins, where it applies, and the text that says so.

import "./addform.js";
import { get, send, tagOf } from "./api.js";
import { openDialog, cancel } from "./dialog.js";
import { h } from "./dom.js";
import { Form, placed } from "./form.js";
import { lintView } from "./lintview.js";
import { hostsView, placesView, problems, sourceView } from "./pinsetparts.js";
import { link, visit } from "./route.js";
import { may } from "./session.js";
import { ofUsers } from "./share.js";
import { attempt, toast } from "./toast.js";
import { client, standing } from "./verdicts.js";
import { ago, chip, instant, plain, text, time } from "./words.js";

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
      h("p", { class: "actions" }, h("button", { class: "quiet", onclick: exported }, "Export"),
        ours && [h("button", { class: "quiet", onclick: remove }, "Delete"), h("button", { class: "primary", onclick: () => replace() }, "Replace the file")])),
    h("p", { key: "under", class: "under" }, h("span", null, one.clients.map(client).join(" and ")), one.share != null && h("span", null, ofUsers(one.share)),
      h("span", null, time(one.updated_at, `changed ${ago(instant(one.updated_at))}`)), h("span", null, standing(one.verdicts, one.target_count))),
    one.managed_by === "config" && h("p", { key: "file", class: "aside" }, "It comes from ", h("code", null, text(one.origin, 200)), " and is changed there. Settings can read the files again."),
    problems(one),
    h("h2", { key: "pins-title" }, "What it pins"), h("div", { key: "pins", class: "panel padded" }, hostsView(one)),
    lint(),
    h("h2", { key: "places-title" }, "Where it applies"), h("div", { key: "places", class: "panel padded" }, placesView(one, "No target matches its hosts yet.")),
    one.source != null && [
      h("div", { key: "source-title", class: "head" }, h("h2", null, one.has_originals ? "As Pinwatch keeps it" : "The file"), one.has_originals && h("p", { class: "actions" }, h("button", { class: "quiet", onclick: originals }, "Show the original files"))),
      sourceView(one.source),
    ],
  ];
}

function lint() {
  const found = one.lint ?? [];
  if (!found.length) return null;
  return h("section", { key: "lint", "aria-labelledby": "lint" }, h("h2", { id: "lint" }, "What lint says"),
    h("div", { class: "panel padded" }, lintView(found)));
}

/** Both are fetched when they are first opened. */
const exported = async () => {
  const { id, app, release, clients } = one;
  (await import("./exportdialog.js")).exportPins({ path: path(id), name: `${app}-${release}`, of: plain(`${app} ${release}`).slice(0, 80), clients });
};
const originals = async () => {
  const { id } = one;
  await (await import("./originals.js")).showOriginals(path(id));
};

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
  const { id, app, release, source, has_originals: isImported } = one;
  let files = [];
  const back = async () => {
    const again = files.length ? (await send("POST", "pin-sets/import", { files, source })).items[0] : await send("POST", "pin-sets", { source });
    visit(link(`/pin-sets/${encodeURIComponent(again.id)}`));
  };
  const done = await attempt(async () => {
    // They go with it, and come back with it.
    if (isImported) files = (await get(`${path(id)}/originals`)).items;
    await send("DELETE", path(id));
    return true;
  }, "It was not deleted");
  if (!done) return;
  visit(link("/pin-sets"));
  toast([text(`${app} ${release}`, 80), " was deleted."], { undo: source == null ? null : back });
}
