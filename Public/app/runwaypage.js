// The whole runway: every end that is known, by app and kind.

import { get } from "./api.js";
import { h } from "./dom.js";
import { leadDays } from "./ends.js";
import { paging } from "./paging.js";
import { go, hash, link } from "./route.js";
import { runway } from "./runway.js";
import { may } from "./session.js";
import { plain } from "./words.js";

const LIMIT = 50;
const kinds = [["", "Every end"], ["release", "of releases"], ["certificate", "of certificates"], ["chain", "of issuers"], ["pin_set", "of pin sets"]];

let list = null;
let apps = [];
let lead = leadDays(null);

export const title = () => "Runway";

export async function load(params, query, signal) {
  const wanted = { limit: LIMIT, kind: query.get("kind"), app: query.get("app"), cursor: query.get("cursor") };
  const [ends, pinSets, settings] = await Promise.all([get("runway", wanted, signal), get("pin-sets", { limit: 200 }, signal), may("admin") ? get("settings", {}, signal) : null]);
  list = ends;
  apps = [...new Set(pinSets.items.map((one) => one.app))];
  lead = leadDays(settings?.thresholds?.lead_time_s);
}

export function view(width, redraw, params, query) {
  return [
    h("p", { key: "crumb", class: "crumbs" }, h("a", { href: link("/") }, "Overview"), " /"),
    h("h1", { key: "title", id: "runway", class: "title" }, "What ends next"),
    h("p", { key: "idea", class: "under legend" }, "A diamond is a certificate or path that ends, a flag is pinning that turns off. Releases stand with the day on which they stop being accepted or stop pinning."),
    h("div", { key: "filters", class: "filters" }, select("kind", "Kind of end", kinds, query), apps.length > 1 && select("app", "App", [["", "Any app"], ...apps.map((app) => [app, plain(app).slice(0, 60)])], query)),
    list.items.length || !query.get("kind") && !query.get("app") ? runway(list.items, width, null, lead)
      : h("p", { key: "none", class: "panel empty" }, "No end that is known fits these filters. ", h("a", { href: hash({ kind: null, app: null, cursor: null }) }, "Show all"), "."),
    paging(list, query, "end"),
  ];
}

const select = (name, label, options, query) => h("label", { key: name }, h("span", { class: "hidden" }, label),
  h("select", { onchange: (event) => go({ [name]: event.currentTarget.value, cursor: null }) }, options.map(([value, words]) => h("option", { key: value, value, selected: value === (query.get(name) ?? "") }, words))));
