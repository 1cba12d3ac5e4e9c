// What can be done with a target: scan now, pause, edit, delete; the last can be undone.

import { etagOf, send } from "./api.js";
import { h } from "./dom.js";
import { link, visit } from "./route.js";
import { may } from "./session.js";
import { attempt, toast } from "./toast.js";
import { count, plain } from "./words.js";

/** Where the API has the target. */
export const path = (target) => `targets/${encodeURIComponent(target.id)}`;
/** A target for sentences. */
export const named = (target) => plain(target.host_unicode ?? target.host).slice(0, 80);
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
    h("button", { key: "silence", type: "button", class: "quiet", onclick: () => silence(target) }, "Silence"),
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

/** The form of silences, about this target. */
async function silence(target) {
  const form = await import("./silence.js");
  form.silence({ finding: { target_id: target.id, subject: named(target) }, subjects: [`${named(target)}:${target.port}`] });
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
  const { host, port, sni, starttls, addresses, owner, labels, period_s, trust_store, paused, addresses_policy } = target;
  const back = await send("POST", "targets", { host, port, sni, starttls, addresses, owner, labels, period_s, trust_store, paused, addresses_policy });
  visit(link(`/targets/${encodeURIComponent(back.id)}`));
}

/** Forms are fetched when the first one is opened. */
const edit = async (target) => (await import("./edittarget.js")).edit(target);
