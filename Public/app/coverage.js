// What falls between: hosts that are watched and pinned by no release, and pinned hosts that nobody watches.

import { h } from "./dom.js";
import { link } from "./route.js";
import { may } from "./session.js";
import { count, number, plain, text } from "./words.js";

const FEW = 6;
const NAMES = 3;
const whole = new Set();

/** One panel for both; nothing where nothing falls between. */
export function coverage({ unpinned, unscanned }, redraw) {
  if (!unpinned.total && !unscanned.total) return null;
  return h("section", { key: "coverage", "aria-labelledby": "coverage" },
    h("h2", { id: "coverage" }, "Coverage ", h("span", { class: "note" }, "what is pinned or watched, and not both")),
    h("div", { class: "panel coverage" },
      part("unscanned", "Pinned by a release, but not watched", unscanned, unwatched, redraw),
      part("unpinned", "Watched, but pinned by no release", unpinned, unpinnedTarget, redraw)));
}

function part(name, title, { items, total }, row, redraw) {
  if (!total) return null;
  const open = whole.has(name);
  const shown = open ? items : items.slice(0, FEW);
  const toggle = () => (open ? whole.delete(name) : whole.add(name), redraw());
  return h("section", { key: name, "aria-labelledby": name }, h("h3", { id: name }, title, h("span", { class: "note soft" }, number(total))),
    h("ul", { class: "rows" }, shown.map(row)),
    items.length > FEW && h("p", null, h("button", { class: "quiet", "aria-expanded": String(open), onclick: toggle }, open ? "Show fewer" : `Show ${items.length < total ? `${number(items.length)} of ${number(total)}` : `all ${number(total)}`}`)));
}

const unpinnedTarget = ({ target_id: id, label }) => h("li", { key: id }, h("a", { href: link(`/targets/${encodeURIComponent(id)}`) }, text(label, 120)));

function unwatched({ host, pin_sets: sets }) {
  const add = async () => (await import("./addtargets.js")).addTargets(host);
  const pattern = host.includes("*");
  return h("li", { key: host },
    h("p", null, h("strong", null, text(host, 120)), " ", h("span", { class: "soft" }, "pinned by "), sets.slice(0, NAMES).map((one, index) => [index > 0 && ", ", h("a", { href: link(`/pin-sets/${encodeURIComponent(one.id)}`) }, text(one.label, 80))]),
      sets.length > NAMES && ` and ${count(sets.length - NAMES, "more", "more")}`),
    pattern ? h("span", { class: "soft" }, "a pattern: add the hosts behind it")
      : may("editor") && h("button", { class: "quiet", "aria-label": `Add ${plain(host).slice(0, 80)} as a target`, onclick: add }, "Add target"));
}
