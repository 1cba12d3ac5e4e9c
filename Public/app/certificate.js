// A chain as sent, and the details of its certificates. All of it is a stranger's text.

import { get } from "./api.js";
import { h } from "./dom.js";
import { keyMark } from "./keycolour.js";
import { count, date, instant, left, plain, span, text, time } from "./words.js";

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
  const certificate = known.get(sha256);
  const place = position === 0 ? "leaf" : position === 1 ? "issuer" : "further up";
  if (!certificate) return h("li", { key: `${position}/${sha256}`, class: "soft" }, `${place} ${plain(sha256).slice(0, 8)}… is loading`);
  const open = opened.has(id);
  const toggle = () => (open ? opened.delete(id) : opened.add(id), redraw());
  const end = instant(certificate.not_after);
  return h("li", { key: `${position}/${sha256}`, class: position === 0 ? "leaf" : null },
    h("div", { class: "link" },
      h("button", { class: "name", id: `cert-${id.replace(/\W/g, "-")}`, "aria-expanded": String(open), onclick: toggle }, text(shortName(certificate), 90)),
      keyMark(certificate.spki, beside)),
    h("p", { class: "soft" }, [
      place, keyWords(certificate.key),
      `${date(instant(certificate.not_before))} to ${date(end)}`, left(end), certificate.names?.dns && position === 0 && count(nameCount(certificate), "name"),
    ].filter(Boolean).join(" · ")),
    open && details(certificate, redraw));
}

const nameCount = ({ names }) => (names?.dns?.length ?? 0) + (names?.ip?.length ?? 0);

/** The subject's common name for a heading; the whole subject is in the details. */
function shortName({ subject, names }) {
  if (subject == null) return names?.dns?.[0] ?? null;
  const common = /(?:^|[,+])CN=((?:\\.|[^,+\\])*)/.exec(subject)?.[1];
  return common || subject || names?.dns?.[0] || "(empty subject)";
}

function keyWords(key) {
  if (!key) return "key unreadable";
  return plain([key.type === "EC" ? "ECDSA" : key.type, key.curve ?? (key.bits && `${key.bits} bits`)].filter(Boolean).join(" "));
}

function details(certificate, redraw) {
  const { unreadable = [], names } = certificate;
  const rows = [
    ["Subject", text(certificate.subject, 400)], ["Issuer", text(certificate.issuer, 400)],
    ["Names", nameList(names)], ["Serial", h("code", null, text(certificate.serial, 90))],
    ["Valid from", time(certificate.not_before, date(instant(certificate.not_before)))],
    ["Valid to", time(certificate.not_after, `${date(instant(certificate.not_after))}, ${left(instant(certificate.not_after))}`)],
    ["Lifetime", certificate.lifetime_s == null ? text(null) : span(certificate.lifetime_s * 1000)],
    ["Key", keyWords(certificate.key)], ["Signature", text(certificate.signature, 90)],
    ["Authority", [certificate.is_ca == null ? "unknown" : certificate.is_ca ? "yes, may issue" : "no", certificate.self_signed && ", signed by itself"]],
    ["Pin of the key", copied(certificate.spki, redraw)], ["SHA-256 of the whole", copied(certificate.sha256, redraw)],
  ];
  return h("dl", { key: "details", class: "details" }, rows.map(([name, value]) => pair(name, value)),
    unreadable.length > 0 && pair("Unreadable", h("ul", { class: "unreadable" }, unreadable.slice(0, NAMES).map(({ field, why }) =>
      h("li", null, h("code", null, text(field, 60)), " ", text(why, 200))))));
}

const pair = (name, value) => h("div", { key: name }, h("dt", null, name), h("dd", null, value));

function nameList(names) {
  const all = [...(names?.dns ?? []), ...(names?.ip ?? [])];
  if (!names) return text(null);
  if (!all.length) return h("span", { class: "soft" }, "none");
  return h("ul", { class: "names" }, all.slice(0, NAMES).map((name) => h("li", null, text(name, 120))),
    all.length > NAMES && h("li", { class: "soft" }, `and ${count(all.length - NAMES, "more", "more")}`));
}

let lastCopied = null;

/** A hash with a button that copies it. */
function copied(value, redraw) {
  if (value == null) return text(null);
  const copy = async (event) => {
    const code = event.currentTarget.previousElementSibling;
    try {
      await navigator.clipboard.writeText(value);
      lastCopied = { value, words: "Copied" };
    } catch {
      // Browsers hand out the clipboard only over TLS and on loopback: then the text is at least marked.
      getSelection().selectAllChildren(code);
      lastCopied = { value, words: "Marked: press Ctrl+C" };
    }
    redraw();
    setTimeout(() => (lastCopied = null, redraw()), 2_000);
  };
  return h("span", { class: "copy" }, h("code", null, text(value, 100)), " ",
    h("button", { class: "quiet", onclick: copy }, lastCopied?.value === value ? lastCopied.words : "Copy"));
}
