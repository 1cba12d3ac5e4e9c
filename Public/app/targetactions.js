// What can be done with a target: scan now, pause, edit, delete; the last can be undone.

import { etagOf, send } from "./api.js";
import { cancel, openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { Form, readLabels, refusal, writeLabels } from "./form.js";
import { link, visit } from "./route.js";
import { may } from "./session.js";
import { attempt, toast } from "./toast.js";
import { count, plain } from "./words.js";

const path = (target) => `targets/${encodeURIComponent(target.id)}`;
const named = (target) => plain(target.host_unicode ?? target.host).slice(0, 80);
/** How long a scan is waited for; it goes on if that is over. */
const WAIT_S = 30;
const scanning = new Set();

export function actions(target, redraw) {
  if (!may("editor")) return null;
  const busy = scanning.has(target.id);
  const own = target.managed_by === "api";
  return h("div", { class: "actions" },
    own && h("button", { key: "pause", type: "button", class: "quiet", onclick: () => pause(target, !target.paused) }, target.paused ? "Resume" : "Pause"),
    own && h("button", { key: "edit", type: "button", class: "quiet", onclick: () => edit(target) }, "Edit"),
    own && h("button", { key: "delete", type: "button", class: "quiet", onclick: () => remove(target) }, "Delete"),
    h("button", { key: "scan", type: "button", class: "primary", "aria-disabled": busy ? "true" : null, onclick: () => busy || scan(target, redraw) }, busy ? "Scanning…" : "Scan now"));
}

/** The page may be left meanwhile: what came of it is told in a notice. */
async function scan(target, redraw) {
  scanning.add(target.id);
  redraw();
  const answer = await attempt(() => send("POST", `${path(target)}/scan`, undefined, { query: { wait: `${WAIT_S}s` }, patience: (WAIT_S + 10) * 1000 }), `${named(target)} was not scanned`);
  scanning.delete(target.id);
  redraw();
  if (!answer) return;
  toast(answer.items ? `${named(target)} was scanned: ${outcome(answer.items)}.` : `${named(target)} is still being scanned; what comes of it appears here.`);
}

function outcome(observations) {
  const addresses = new Set(observations.map((one) => one.address).filter(Boolean));
  const answered = new Set(observations.filter((one) => one.chain?.length || one.outcome === "ok").map((one) => one.address));
  if (!addresses.size) return "its name does not resolve";
  return answered.size === addresses.size ? `${count(addresses.size, "address answers", "addresses answer")}` : `${answered.size} of ${count(addresses.size, "address answers", "addresses answer")}`;
}

async function pause(target, paused) {
  const changed = await attempt(() => send("PATCH", path(target), { paused }), `${named(target)} was not ${paused ? "paused" : "resumed"}`);
  if (!changed) return;
  toast(paused ? `${named(target)} is paused: nothing is scanned until it is resumed.` : `${named(target)} is scanned again.`, { undo: () => pause(target, !paused) });
}

async function remove(target) {
  if ((await attempt(() => send("DELETE", path(target), undefined, { ifMatch: etagOf(path(target)) }), `${named(target)} was not deleted`)) === undefined) return;
  visit(link("/targets"));
  toast(`${named(target)} was deleted.`, { undo: () => restore(target) });
}

/** Posting the same target again brings it back with its history. */
async function restore(target) {
  const { host, port, sni, addresses, owner, labels, period_s, trust_store, paused, addresses_policy } = target;
  const back = await send("POST", "targets", { host, port, sni, addresses, owner, labels, period_s, trust_store, paused, addresses_policy });
  visit(link(`/targets/${encodeURIComponent(back.id)}`));
}

function edit(target) {
  const ifMatch = etagOf(path(target));
  const initial = {
    owner: target.owner, labels: writeLabels(target.labels), period_s: String(target.period_s), trust_store: target.trust_store,
    addresses_policy: target.addresses_policy, addresses: (target.addresses ?? []).join("\n"),
  };
  let opened = null;
  const form = new Form("edit", async (data) => {
    const changed = changes(target, initial, data);
    if (Object.keys(changed).length) await send("PATCH", path(target), changed, { ifMatch });
    opened.close();
    toast(Object.keys(changed).length ? `${named(target)} was saved.` : "Nothing was changed.");
    }, initial);
  opened = openDialog({ title: `Edit ${named(target)}`, content: (redraw, close) => form.view(redraw, { verb: "Save", more: cancel(close) },
    form.choice("owner", "Whose is it", [["ours", "ours"], ["third_party", "a third party’s"]]),
    form.line("labels", "Labels", { hint: "Such as app: shop, environment: production." }),
    form.line("period_s", "Seconds between scans", { hint: "Empty takes the service’s own period.", inputmode: "numeric" }),
    form.line("trust_store", "Trust store", { hint: "A name from the configuration, such as system." }),
    form.choice("addresses_policy", "Addresses scanned", [["all", "all that the name has"], ["first", "the first alone"]]),
    form.area("addresses", "Only these addresses", { hint: "One on a line, in place of those that the name has. Empty asks the name.", rows: "3" })) });
}

/** What the form has other than the target, as RFC 7396 wants it: null takes away. */
function changes(target, initial, data) {
  const found = {};
  for (const name of ["owner", "trust_store", "addresses_policy"]) if (data.get(name) !== initial[name]) found[name] = data.get(name).trim();
  if (data.get("period_s").trim() !== initial.period_s) found.period_s = seconds(data.get("period_s").trim());
  if (data.get("addresses") !== initial.addresses) found.addresses = data.get("addresses").split(/[\s,]+/).filter(Boolean);
  if (data.get("labels") !== initial.labels) {
    const labels = readLabels(data.get("labels"), "labels");
    const gone = Object.keys(target.labels ?? {}).filter((name) => !Object.hasOwn(labels, name));
    found.labels = { ...labels, ...Object.fromEntries(gone.map((name) => [name, null])) };
  }
  return found;
}

function seconds(written) {
  if (written === "") return null;
  if (!/^\d+$/.test(written)) throw refusal([{ field: "period_s", message: "Write seconds as digits, such as 300." }]);
  return Number(written);
}
