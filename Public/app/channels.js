// Channels: where alerts are sent, how each fares, and a test of each.

import { get, send, tagOf } from "./api.js";
import { clause, deliveriesView } from "./deliveries.js";
import { ask, cancel, openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { Form } from "./form.js";
import { shownOnce } from "./secret.js";
import { toast } from "./toast.js";
import { ago, chip, count, instant, moment, number, plain, text, time, word } from "./words.js";

const types = { webhook: "Webhook", slack: "Slack" };
const tones = { ok: "ok", failing: "warning", disabled: "critical", sealed: "critical" };
/** By a channel's name, what came of the test that was sent from this page, or "…" while it is under way. */
const tests = new Map();

let list = null;
let dead = null;

export async function load(query, signal) {
  [list, dead] = await Promise.all([get("channels", { limit: 200 }, signal), get("deliveries", { state: "dead", limit: 20 }, signal)]);
}

const path = ({ id }) => `channels/${encodeURIComponent(id)}`;

export function view(redraw) {
  return [
    h("div", { key: "head", class: "head top" }, h("h2", null, "Channels"), h("p", { class: "actions" }, h("button", { class: "primary", onclick: () => add() }, "Add a channel"))),
    list.items.length ? h("ul", { key: "channels", class: "panel rows" }, list.items.map((one) => row(one, redraw)))
      : h("p", { key: "none", class: "panel empty" }, "No channel yet, so nobody is told when something breaks. Add a webhook or a Slack channel and send it a test."),
    dead.items.length > 0 && [h("h2", { key: "dead" }, "Messages given up"), deliveriesView(dead, { named: true })],
  ];
}

function row(one, redraw) {
  const ours = one.managed_by === "api";
  const label = (verb) => ({ class: "quiet", "aria-label": `${verb} ${plain(one.name)}` });
  return h("li", { key: one.id, class: "row channel" },
    h("div", null,
      h("h3", null, text(one.name, 60)),
      h("p", { class: "soft" }, word(types, one.type), " at ", text(one.url_host, 120), !ours && " · from the configuration file", one.secrets > 1 && " · two secrets are valid", one.allow_private && " · private addresses allowed"),
      untried(one) ? h("p", null, chip("", "untried"), " nothing was sent yet") : h("p", null, chip(tones[one.state] ?? "", word({}, one.state)), " ", condition(one)),
      h("p", { class: "outcome", role: "status" }, outcome(tests.get(one.id)))),
    h("div", { class: "actions" },
      h("button", { ...label("Test"), onclick: () => test(one, redraw) }, "Send a test"),
      ours && [
        h("button", { key: "edit", ...label("Edit"), onclick: () => edit(one) }, "Edit"),
        one.type === "webhook" && h("button", { key: "rotate", ...label("New secret for"), onclick: () => rotate(one) }, "New secret"),
        h("button", { key: "delete", ...label("Delete"), onclick: () => remove(one) }, "Delete"),
      ]));
}

const untried = ({ id, state, last_delivery_at: last }) => state === "ok" && !last && !tests.get(id)?.delivered;

/** How it fares, in words. */
function condition({ state, failures, last_error: error, paused_until: until, last_delivery_at: last }) {
  switch (state) {
    case "failing": return [`${count(failures, "try", "tries")} failed in a row`, error && [": ", clause(error)], until && [". Next try ", time(until, moment(instant(until), true))], "."];
    case "disabled": return ["The receiver says that it is gone, so nothing is sent", error && [": ", clause(error)], ". Edit its URL or delete it."];
    case "sealed": return "Its secret cannot be opened with the secret key in use. Give back the key it was sealed with, or set its URL and secret anew.";
    default: return last && ["last delivered ", time(last, ago(instant(last)))];
  }
}

function outcome(result) {
  if (!result) return null;
  if (result === "…") return "Sending a test…";
  const { delivered, status, error, ms } = result;
  if (delivered) return h("span", { class: "good" }, `The test arrived: the receiver took it in ${number(ms)} ms.`);
  return h("span", { class: "failed" }, "The test did not arrive: ", error ? clause(error) : `the receiver answered ${plain(status)}`, ".");
}

async function test(one, redraw) {
  if (tests.get(one.id) === "…") return;
  tests.set(one.id, "…");
  redraw();
  try {
    tests.set(one.id, await send("POST", `${path(one)}/test`, undefined, { patience: 30_000 }));
  } catch (error) {
    tests.set(one.id, { delivered: false, error: error.message });
    if (error.status === undefined) throw error;
  } finally {
    redraw();
  }
}

const hostHint = "Loopback and private addresses are refused unless this is ticked.";

function add() {
  let made = null;
  let secret = null;
  const form = new Form("channel", async (data) => {
    const body = { name: data.get("name").trim(), type: data.get("type"), url: data.get("url").trim(), allow_private: data.has("allow_private") };
    if (data.get("secret")) body.secret = data.get("secret").trim();
    made = await send("POST", "channels", body);
    if (made.secret) secret = shownOnce(made.secret, "Its secret, to verify signatures with");
    delete made.secret;
  }, { type: "webhook" });
  let type = "webhook";
  const turn = (again) => (event) => (type = event.currentTarget.value, again());
  openDialog({
    title: "Add a channel",
    content: (again, close) => made ? added(made, secret, again, close) : form.view(again, { verb: "Add", busy: "Adding…", failed: "Not added", more: cancel(close) },
      form.several("type", "Type", Object.entries(types), { type: "radio", onchange: turn(again) }),
      form.line("name", "Name", { hint: "Letters, digits, dots and hyphens, such as ops." }),
      form.line("url", "URL", { type: "url", hint: type === "slack" ? "The incoming webhook that Slack gave you. It is kept sealed." : "Alerts are posted here. It is kept sealed, since it may hold a password.", placeholder: "https://" }),
      type === "webhook" && form.line("secret", "Secret", { hint: "Left empty, one is made and shown once.", placeholder: "whsec_…" }),
      form.tick("allow_private", "Allow private addresses", { hint: hostHint })),
  });
}

/** After adding: the secret this once, and a test. */
function added(made, secret, again, close) {
  return h("div", { key: "added", class: "form" },
    h("p", null, text(made.name, 60), " was added. Send it a test before you rely on it."), secret?.(again),
    h("p", { class: "outcome", role: "status" }, outcome(tests.get(made.id))),
    h("p", { class: "buttons" }, h("button", { type: "button", class: "primary", autofocus: true, made: focus, onclick: () => test(made, again) }, "Send a test"), cancel(close, "Done")));
}

const focus = (node) => queueMicrotask(() => node.focus());

function edit(one) {
  let opened = null;
  const form = new Form("channel", async (data) => {
    const body = { allow_private: data.has("allow_private") };
    for (const name of ["url", "secret"]) if (data.get(name)?.trim()) body[name] = data.get(name).trim();
    await send("PATCH", path(one), body, { ifMatch: tagOf(one) });
    opened.close();
    toast([text(one.name, 60), " was saved. Send it a test to be sure."]);
  }, { allow_private: one.allow_private });
  opened = openDialog({
    title: `Edit ${plain(one.name)}`,
    content: (again, close) => form.view(again, { verb: "Save", more: cancel(close) },
      form.line("url", "URL", { type: "url", hint: `It goes to ${plain(one.url_host)}. The whole is not shown again; left empty, it stays.`, placeholder: "https://" }),
      one.type === "webhook" && form.line("secret", "Secret", { hint: "Left empty, it stays.", placeholder: "whsec_…" }),
      form.tick("allow_private", "Allow private addresses", { hint: hostHint })),
  });
}

function rotate(one) {
  let secret = null;
  const form = new Form("rotate", async () => {
    const made = await send("PATCH", path(one), { rotate_secret: true }, { ifMatch: tagOf(one) });
    secret = shownOnce(made.secret, "The new secret");
  });
  openDialog({
    title: `A new secret for ${plain(one.name)}`,
    content: (again, close) => secret
      ? h("div", { key: "made", class: "form" }, secret(again), h("p", null, "Messages are signed with both secrets now. Give the new one to the receiver."), h("p", { class: "buttons" }, h("button", { type: "button", class: "primary", made: focus, onclick: close }, "Done")))
      : form.view(again, { verb: "Make a new secret", busy: "Making…", failed: "No secret was made", more: cancel(close) },
        h("p", { key: "words" }, "Messages are then signed with the new secret and the one in use, so that the receiver can change over without losing any. An older second one ends.")),
  });
}

const remove = (one) => ask({
  title: `Delete ${plain(one.name)}?`, words: "What is on its way to it is dropped, and it hears nothing more. Its URL and secret cannot be brought back.", verb: "Delete", busy: "Deleting…",
  run: async () => {
    await send("DELETE", path(one));
    tests.delete(one.id);
    toast([text(one.name, 60), " was deleted."]);
  },
});
