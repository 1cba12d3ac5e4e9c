// The chain of a target as it is verified: the paths that the service built, or where it tells none, what the
// certificates say of one another.

import { certificate, shortName } from "./certificate.js";
import { h } from "./dom.js";
import { keyMark } from "./keycolour.js";
import { chip, date, ended, instant, kinds, now, plain, text, word } from "./words.js";

const codes = {
  ok: "trusted", expired: "expired", not_yet_valid: "not yet valid", self_signed: "signed by itself", untrusted_root: "root not trusted", missing_issuer: "issuer missing",
  bad_signature: "bad signature", weak: "too weak", wrong_purpose: "wrong purpose", unreadable: "unreadable",
};
const PATHS = 4;

/** `findings` are the target's: those of its chain say what the service objects to. */
export function verified(verification, chain, findings, target) {
  return h("div", { class: "verified" }, verification ? built(verification) : told(chain, findings, target));
}

function built({ valid, code, reason, host_matches: matches, paths = [], stray = [], missing_issuer: missing, trust_store: store }) {
  return [
    h("p", null, chip(valid ? "ok" : "critical", word(codes, code)), " ", !matches && chip("critical", "wrong name"), " ", text(reason, 300), ` Judged by the ${plain(store)} store.`),
    paths.slice(0, PATHS).map((path, index) => h("div", { key: `path-${index}` }, paths.length > 1 && h("h3", null, `Path ${index + 1}`),
      h("ol", { class: "chain" }, path.certificates.map((sha256) => link(sha256, certificate(sha256))),
        h("li", { key: "anchor", class: "anchor" }, h("p", { class: "name" }, text(path.anchor.subject, 120)), h("p", { class: "soft" }, "trust anchor"))))),
    stray.length > 0 && h("p", { class: "soft" }, `On no path: ${stray.map((sha256) => plain(sha256).slice(0, 8)).join(", ")}.`),
    missing && h("p", { class: "soft" }, "Nobody sent the issuer ", text(missing.subject, 160), ".",
      missing.known?.length > 0 && [" It was served before: ", missing.known.map((sha256, index) => [index > 0 && ", ", download(sha256)]), "."]),
  ];
}

const download = (sha256) => h("a", { href: `api/v1/certificates/${encodeURIComponent(sha256)}.pem`, download: `${plain(sha256).slice(0, 16)}.pem` }, `${plain(sha256).slice(0, 8)}….pem`);

function link(sha256, read) {
  return h("li", { key: sha256 }, h("div", { class: "rung" }, h("p", { class: "name" }, read ? text(shortName(read), 90) : `${plain(sha256).slice(0, 8)}…`), read && keyMark(read.spki)),
    read && h("p", { class: "soft" }, `until ${date(instant(read.not_after))}`));
}

/** Follows issuers by their names through what was sent. */
function told(chain, findings, target) {
  const sent = chain.map((sha256) => certificate(sha256)).filter(Boolean);
  if (!sent.length) return h("p", { class: "soft" }, "Nothing was sent that could be verified.");
  const path = [sent[0]];
  while (path.length <= sent.length) {
    const last = path.at(-1);
    const next = sent.find((one) => !path.includes(one) && one.subject != null && one.subject === last.issuer);
    if (last.self_signed || !next) break;
    path.push(next);
  }
  const stray = sent.filter((one) => !path.includes(one));
  const last = path.at(-1);
  const objections = findings.filter((one) => /^(chain\.|hostname\.|certificate\.(expiry|not_yet|revoked))/.test(one.kind) && one.severity !== "info");
  const over = path.find((one) => instant(one.not_after) < now());
  return [
    h("p", null, objections.length ? objections.map((one) => [chip(one.severity, word(one.stage === "expired" ? { ...kinds, ...ended } : kinds, one.kind)), " "]) : chip(over ? "critical" : "ok", over ? "expired" : "no objection"), " ",
      `Judged by the ${plain(target.trust_store)} store. Below is the way up that these certificates name.`),
    h("ol", { class: "chain" }, path.map((one) => link(one.sha256, one)),
      !last.self_signed && h("li", { key: "anchor", class: "anchor" }, h("p", { class: "name" }, text(last.issuer, 160)), h("p", { class: "soft" }, "issuer, not sent"))),
    stray.length > 0 && h("p", { class: "soft" }, "Sent but on no path: ", stray.map((one, index) => [index > 0 && ", ", text(shortName(one), 80)]), "."),
  ];
}
