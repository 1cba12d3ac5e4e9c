// A chain as sent, and the details of its certificates. All of it is a stranger's text.

import { get } from "./api.js";
import { copyButton } from "./copy.js";
import { h } from "./dom.js";
import { keyMark } from "./keycolour.js";
import { ago, count, date, instant, left, plain, span, text, time, word } from "./words.js";

const NAMES = 20;
const LINKS = 6;
const known = new Map();
const opened = new Set();

/** Loads the certificates of a chain that are not known yet; they never change. Throws ApiError. */
export async function loadChain(fingerprints) {
  const missing = fingerprints.slice(0, LINKS).filter((sha256) => !known.has(sha256));
  const loaded = await Promise.all(missing.map((sha256) => get(`certificates/${encodeURIComponent(sha256)}`)));
  if (known.size > 300) known.clear();
  missing.forEach((sha256, index) => known.set(sha256, loaded[index]));
}

/** What is known of a certificate, undefined before it is loaded. */
export const certificate = (sha256) => known.get(sha256);

/** Opens the leaf's details. */
export const reveal = (owner, sha256) => opened.add(`${owner}/${sha256}`);

export function chainView(owner, fingerprints, beside, redraw) {
  const links = fingerprints.slice(0, LINKS);
  const rest = fingerprints.length - links.length;
  return h("ol", { class: "chain" },
    links.map((sha256, position) => link(`${owner}/${sha256}`, sha256, position, beside, redraw)),
    rest > 0 && h("li", { key: "rest", class: "soft" }, `and ${count(rest, "more certificate")}`));
}

function link(id, sha256, position, beside, redraw) {
  const read = known.get(sha256);
  const place = position === 0 ? "leaf" : position === 1 ? "issuer" : "further up";
  if (!read) return h("li", { key: `${position}/${sha256}`, class: "soft" }, `${place} ${plain(sha256).slice(0, 8)}… is loading`);
  const open = opened.has(id);
  const toggle = () => (open ? opened.delete(id) : opened.add(id), redraw());
  const end = instant(read.not_after);
  return h("li", { key: `${position}/${sha256}`, class: position === 0 ? "leaf" : null },
    h("div", { class: "rung" },
      h("button", { class: "name", type: "button", id: `cert-${id.replace(/\W/g, "-")}`, "aria-expanded": String(open), onclick: toggle }, text(shortName(read), 90)),
      keyMark(read.spki, beside), read.revocation?.status === "revoked" && h("strong", { class: "bad" }, "revoked")),
    h("p", { class: "soft" }, [
      place, keyWords(read.key),
      `${date(instant(read.not_before))} to ${date(end)}`, left(end), read.names?.dns && position === 0 && count(nameCount(read), "name"),
    ].filter(Boolean).join(" · ")),
    open && details(read, redraw));
}

const nameCount = ({ names }) => (names?.dns?.length ?? 0) + (names?.ip?.length ?? 0);

/** The subject's common name for a heading; the whole subject is in the details. */
export function shortName({ subject, names }) {
  if (subject == null) return names?.dns?.[0] ?? null;
  const common = /(?:^|[,+])CN=((?:\\.|[^,+\\])*)/.exec(subject)?.[1];
  return common || subject || names?.dns?.[0] || "(empty subject)";
}

function keyWords(key) {
  if (!key) return "key unreadable";
  return plain([key.type === "EC" ? "ECDSA" : key.type, key.curve ?? (key.bits && `${key.bits} bits`)].filter(Boolean).join(" "));
}

function details(read, redraw) {
  const { unreadable = [], names } = read;
  const rows = [
    ["Subject", text(read.subject, 400)], ["Issuer", text(read.issuer, 400)],
    ["Names", nameList(names)], ["Serial", h("code", null, text(read.serial, 90))],
    ["Valid from", time(read.not_before, date(instant(read.not_before)))],
    ["Valid to", time(read.not_after, `${date(instant(read.not_after))}, ${left(instant(read.not_after))}`)],
    ["Lifetime", read.lifetime_s == null ? text(null) : span(read.lifetime_s * 1000)],
    ["Key", keyWords(read.key)], ["Signature", text(read.signature, 90)],
    ["Authority", [read.is_ca == null ? "unknown" : read.is_ca ? "yes, may issue" : "no", read.self_signed && ", signed by itself"]],
    ["Timestamps", read.scts == null ? text(null) : read.scts === 0 ? "none in the certificate" : `${count(read.scts, "signed timestamp")} in the certificate`],
    read.revocation && ["Revocation", revocation(read.revocation)],
    ["Download", [download(read.sha256, "pem"), " ", download(read.sha256, "der")]],
    ["Pin of the key", copied(read.spki, redraw)], ["SHA-256 of the whole", copied(read.sha256, redraw)],
  ];
  return h("dl", { key: "details", class: "details" }, rows.filter(Boolean).map(([name, value]) => pair(name, value)),
    unreadable.length > 0 && pair("Unreadable", h("ul", { class: "unreadable" }, unreadable.slice(0, NAMES).map(({ field, why }) =>
      h("li", null, h("code", null, text(field, 60)), " ", text(why, 200))))));
}

const answers = {
  good: "not revoked", revoked: "revoked", unknown: "not known to its issuer's responder", unavailable: "no answer to be had", none_offered: "nobody to ask",
};
const sources = { stapled_ocsp: "by the server's staple", ocsp: "by the issuer's OCSP responder", crl: "by the issuer's list" };

function revocation({ status, source, revoked_at, reason, detail, checked_at }) {
  return [
    word(answers, status), source && `, ${word(sources, source)}`, revoked_at && [", on ", time(revoked_at, date(instant(revoked_at)))],
    reason && `: ${word({}, reason)}`, h("span", { class: "soft" }, ` · looked at ${ago(instant(checked_at))}`),
    detail && h("p", { class: "soft" }, text(detail, 400)),
  ];
}

const download = (sha256, form) => h("a", { class: "quiet", href: `api/v1/certificates/${encodeURIComponent(sha256)}.${form}`, download: `${plain(sha256).slice(0, 16)}.${form}` }, form.toUpperCase());

const pair = (name, value) => h("div", { key: name }, h("dt", null, name), h("dd", null, value));

function nameList(names) {
  const all = [...(names?.dns ?? []), ...(names?.ip ?? [])];
  if (!names) return text(null);
  if (!all.length) return h("span", { class: "soft" }, "none");
  return h("ul", { class: "names" }, all.slice(0, NAMES).map((name) => h("li", null, text(name, 120))),
    all.length > NAMES && h("li", { class: "soft" }, `and ${count(all.length - NAMES, "more", "more")}`));
}

/** A hash with a button that copies it. */
const copied = (value, redraw) => (value == null ? text(null) : h("span", { class: "copy" }, h("code", null, text(value, 100)), " ", copyButton(value, redraw)));
