// What a finding rests on, in words: the facts that its rule kept.

import { h } from "./dom.js";
import { chip, count, date, instant, left, plain, text, time, word } from "./words.js";

const MOST = 24;
const families = { ecdsa: "ECDSA", rsa: "RSA", ed25519: "Ed25519", ed448: "Ed448" };
const names = {
  reason: "Why", detail: "Why", served: "Served", pins: "Pinned", notes: "Notes", names: "Names of the certificate", addresses: "Addresses", trust_store: "Trust store", client: "Client",
  spki: "Key", sha256: "Certificate", subject: "Subject", not_before: "Valid from", not_after: "Valid to", host: "Host", expires: "Pinning ends", ends: "All ends", file: "File",
  last_scan_at: "Last scan", started_at: "Service started", period_s: "Scanned every", last_error: "Last error", disabled_at: "Disabled", releases: "Releases known", code: "Code",
};
const order = Object.keys(names);

/** Rows of what is known, in the order in which it explains itself; what has no name of ours comes last. */
export function evidenceView(finding) {
  const known = Object.entries(finding.evidence ?? {}).filter(([, value]) => value != null && value !== "" && !(Array.isArray(value) && !value.length));
  if (!known.length) return null;
  const place = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  // `reason` is a code where a `detail` says it in words.
  const rows = known.sort(([a], [b]) => place(a) - place(b)).map(([name, value]) => ["reason" in finding.evidence && "detail" in finding.evidence && name === "reason" ? "code" : name, value]);
  return h("dl", { key: "evidence", class: "details panel padded" }, rows.map(([name, value], index) =>
    h("div", { key: `${index}-${name}` }, h("dt", null, names[name] ?? word({}, name)), h("dd", null, said(name, value)))));
}

function said(name, value) {
  if (name === "code") return h("code", null, text(value, 120));
  if (name === "period_s") return `${Math.round(value / 60)} min`;
  if (name === "not_after" || name === "expires") return time(value, `${date(instant(value))}, ${left(instant(value))}`);
  if (/_at$|^not_before$/.test(name)) return time(value, date(instant(value)));
  if (["spki", "sha256", "pins"].includes(name)) return list([value].flat(), (one) => h("code", null, text(one, 120)));
  if (name === "served") return list(value, chain);
  if (name === "addresses") return list(value, (one) => (typeof one === "object" ? failing(one) : text(one, 60)));
  if (name === "ends") return list(value, (one) => [text(one.host, 120), ": ", time(one.expires, date(instant(one.expires)))]);
  if (Array.isArray(value)) return list(value, (one) => text(typeof one === "object" ? JSON.stringify(one) : one, 300));
  return text(typeof value === "object" ? JSON.stringify(value) : value, 400);
}

function list(items, words) {
  return h("ul", null, items.slice(0, MOST).map((one, index) => h("li", { key: String(index) }, words(one))), items.length > MOST && h("li", { class: "soft" }, `and ${count(items.length - MOST, "more", "more")}`));
}

/** A chain that some addresses serve, by its key. */
function chain({ spki, key_family: family, addresses = [] }) {
  return [family && `${word(families, family)} key `, h("code", { title: spki && plain(spki) }, text(spki?.replace("sha256/", "").slice(0, 8), 12), "…"), ` on ${count(addresses.length, "address", "addresses")}`,
    addresses.length > 0 && h("span", { class: "soft" }, ": ", addresses.slice(0, 8).map(plain).join(", "), addresses.length > 8 && ` and ${addresses.length - 8} more`)];
}

const failing = ({ address, outcome, message, since }) => [address && [text(address, 60), ": "], message ? text(message, 240) : word({}, outcome), since && h("span", { class: "soft" }, " since ", time(since, date(instant(since)))), " ", outcome && chip("", word({}, outcome))];
