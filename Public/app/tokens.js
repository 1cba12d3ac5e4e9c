// Tokens: who may do what here, and until when.

import { get, send } from "./api.js";
import { ask, cancel, openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { Form } from "./form.js";
import { shownOnce } from "./secret.js";
import { session, signIn } from "./session.js";
import { toast } from "./toast.js";
import { ago, chip, date, instant, left, now, plain, text, time, word } from "./words.js";

const roles = { viewer: "Viewer: sees everything but settings", editor: "Editor: also changes targets, pin sets, silences and alerts", admin: "Admin: also channels, routes, tokens and settings" };
const lives = [["", "never"], ["30", "in 30 days"], ["90", "in 90 days"], ["365", "in a year"]];
const DAY = 86_400_000;

let list = null;

export async function load(query, signal) {
  list = await get("tokens", { limit: 200 }, signal);
}

export function view(redraw, fresh) {
  const first = session().open;
  return [
    h("div", { key: "head", class: "head top" }, h("h2", null, "Tokens"), h("p", { class: "actions" }, h("button", { class: "primary", onclick: () => create(first, redraw, fresh) }, first ? "Create the first token" : "Create a token"))),
    list.items.length ? h("ul", { key: "tokens", class: "panel rows" }, list.items.map(row))
      : h("p", { key: "none", class: "panel empty" }, "No token yet. A token is what people sign in with, and what scripts send to the API."),
  ];
}

function row(one) {
  const valid = one.state === "valid";
  return h("li", { key: one.id, class: valid ? "row" : "row past" },
    h("div", null,
      h("h3", null, text(one.name, 80)),
      h("p", { class: "soft" }, time(one.created_at, `created ${date(instant(one.created_at))}`), " · ", one.last_used_at ? time(one.last_used_at, `last used ${ago(instant(one.last_used_at))}`) : "never used", " · ", life(one))),
    h("div", { class: "actions" }, chip("", word({}, one.role)), !valid && chip("", word({}, one.state)),
      valid && h("button", { class: "quiet", "aria-label": `Revoke ${plain(one.name)}`, onclick: () => revoke(one) }, "Revoke")));
}

function life({ state, expires_at: end, revoked_at: revoked }) {
  if (state === "revoked") return time(revoked, `revoked ${ago(instant(revoked))}`);
  if (!end) return "does not expire";
  return time(end, state === "expired" ? `expired ${date(instant(end))}` : `expires ${date(instant(end))}, ${left(instant(end))}`);
}

function create(first, redraw, fresh) {
  let shown = null;
  const form = new Form("token", async (data) => {
    const body = { name: data.get("name").trim(), role: data.get("role") ?? "admin" };
    if (data.get("life")) body.expires_at = `${new Date(now() + Number(data.get("life")) * DAY).toISOString().slice(0, 19)}Z`;
    // What is visible would be asked for without the token, and refused.
    const { token } = await send("POST", "tokens", body, { quiet: first });
    shown = shownOnce(token, "The token");
    // The first token ends the time when nobody needed one, for this page too.
    if (!first) return;
    await signIn(token);
    await fresh();
  }, { role: first ? "admin" : "viewer" });
  openDialog({
    title: first ? "Create the first token" : "Create a token",
    closed: redraw,
    content: (again, close) => shown ? done(first, shown, again, close) : form.view(again, { verb: "Create", busy: "Creating…", failed: "Not created", more: cancel(close) },
      first && h("p", { key: "first" }, "From then on everybody needs a token. This page signs in with it at once."),
      form.line("name", "Name", { hint: "Whose it is, or what uses it.", maxlength: "80" }),
      first ? h("p", { key: "role", class: "soft" }, "It is an admin’s, so that you can create the others.") : form.several("role", "Role", Object.entries(roles), { type: "radio" }),
      form.choice("life", "It expires", lives)),
  });
}

function done(first, shown, again, close) {
  return h("div", { key: "done", class: "form" }, shown(again), first && h("p", null, "You are signed in with it now."),
    h("p", { class: "buttons" }, h("button", { type: "button", class: "primary", made: (node) => queueMicrotask(() => node.focus()), onclick: close }, "Done")));
}

const revoke = (one) => ask({
  title: `Revoke ${plain(one.name)}?`, words: "Whoever uses this token is refused at once, and everybody signed in with it is signed out. It cannot be brought back.", verb: "Revoke", busy: "Revoking…",
  run: async () => {
    await send("DELETE", `tokens/${encodeURIComponent(one.id)}`);
    toast([text(one.name, 80), " was revoked."]);
  },
});
