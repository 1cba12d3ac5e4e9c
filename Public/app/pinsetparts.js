// The parts of a pin set that are shown of a stored one and of one that is still being added.

import { h } from "./dom.js";
import { link } from "./route.js";
import { client, verdictChip } from "./verdicts.js";
import { count, date, instant, left, number, plain, text, time, word } from "./words.js";

const PINS = 40;
const LINES = 2_000;
const matches = { any_in_path: "for any certificate of the path", leaf: "for the server’s own certificate", any: "for any certificate" };

/** Its hosts with their pins. */
export function hostsView({ hosts }) {
  return h("ul", { key: "hosts", class: "rows pinhosts" }, hosts.map((host, index) => h("li", { key: String(index) },
    h("p", null, h("strong", null, text(host.pattern, 120)), h("span", { class: "soft" }, ` ${count(host.pin_count ?? host.pins.length, "pin")} `, host.match && word(matches, host.match)),
      host.expires && h("span", { class: "soft" }, " · ", time(host.expires, `pinning ends ${date(instant(host.expires))}, ${left(instant(host.expires))}`))),
    host.pins.length > 0 && h("ul", { class: "pinlist" }, host.pins.slice(0, PINS).map((pin) => h("li", { key: pin }, h("code", null, text(pin, 120)))),
      host.pins.length > PINS && h("li", { class: "soft" }, `and ${number(host.pins.length - PINS)} more`)))));
}

/** The targets that it applies to, worst first as the service gives them; `none` is said where there is none. */
export function placesView({ targets = [], target_count: all = targets.length }, none) {
  if (!targets.length) return h("p", { key: "places", class: "soft" }, all ? `${count(all, "target matches", "targets match")} its hosts, and none has been judged yet.` : none);
  return h("ul", { key: "places", class: "rows places" }, targets.map((one, index) => h("li", { key: `${one.id}-${index}` },
    h("p", null, h("a", { href: link(`/targets/${encodeURIComponent(one.id)}`) }, text(one.label, 120)), h("span", { class: "soft" }, ` ${count(addresses(one), "address", "addresses")}`)),
    h("p", null, verdictChip(one.verdict), " ", text(one.reason, 300), " ", one.code && one.code !== one.verdict && h("code", { class: "soft", title: "the verdict’s code" }, plain(one.code))))),
  all > targets.length && h("li", { key: "more", class: "soft" }, `and ${count(all - targets.length, "more target")}`));
}

const addresses = ({ addresses: some }) => (Array.isArray(some) ? some.length : some);

export function problems({ problems: all = [] }) {
  if (!all.length) return null;
  return h("ul", { key: "problems", class: "problem" }, all.slice(0, 20).map((one, index) => h("li", { key: String(index) }, client(one.client), " would not load it: ", text(one.reason, 300), " ", h("code", null, plain(one.code)))));
}

/** A file's text line by line. */
export function sourceView(source) {
  const lines = source.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, LINES).map((line) => [line === "" ? null : text(line.replaceAll("\t", "    "), 2_000), "\n"]);
  return h("pre", { key: "source", class: "panel padded", tabindex: "0", "aria-label": "The file" }, shown, lines.length > LINES && `… ${count(lines.length - LINES, "more line")}`);
}
