// Settings: what only an admin sees and changes, a section each.

import * as about from "./about.js";
import * as audit from "./audit.js";
import * as channels from "./channels.js";
import { h } from "./dom.js";
import { link } from "./route.js";
import * as routes from "./routes.js";
import { may, session, signOut } from "./session.js";
import { attempt } from "./toast.js";
import * as tokens from "./tokens.js";
import { text, word } from "./words.js";

const sections = { channels, routes, tokens, audit, about };
const names = { channels: "Channels", routes: "Routes", tokens: "Tokens", audit: "Audit", about: "About" };

const chosen = ({ section }) => (Object.hasOwn(sections, section ?? "") ? section : "channels");
export const title = (params) => `${names[chosen(params)]} · Settings`;

export async function load(params, query, signal) {
  if (may("admin")) await sections[chosen(params)].load(query, signal);
}

export function view(width, redraw, params, query) {
  const current = chosen(params);
  const fresh = async () => (await load(params, query, null), redraw());
  return [
    h("div", { key: "head", class: "head" }, h("h1", { class: "title" }, "Settings"), who()),
    may("admin") ? [
      h("nav", { key: "tabs", class: "tabs", "aria-label": "Settings" }, Object.entries(names).map(([code, name]) =>
        h("a", { key: code, href: link(`/settings/${code}`), "aria-current": code === current ? "page" : null }, name))),
      session().open && h("p", { key: "open", class: "aside" }, "No token exists yet, so everybody on this machine may do everything, without signing in. ",
        current === "tokens" ? "The first token you create ends that." : ["To end that, ", h("a", { href: link("/settings/tokens") }, "create the first token"), "."]),
      h("section", { key: current, "aria-label": names[current] }, sections[current].view(redraw, fresh, query)),
    ] : h("p", { key: "viewer", class: "panel empty" }, "Settings are for admins. Sign in with an admin’s token to see and change them."),
  ];
}

function who() {
  const { name, role, open, via } = session() ?? {};
  if (open || via !== "session") return null;
  const out = async () => {
    if (await attempt(() => signOut().then(() => true), "You are still signed in")) location.reload();
  };
  return h("p", { class: "actions" }, h("span", { class: "soft" }, "You are ", text(name, 60), `, ${word({}, role)}`), h("button", { class: "quiet", onclick: out }, "Sign out"));
}
