// What a release makes of a target, and what it is built with, in words.

import { h } from "./dom.js";
import { chip, count, number, word } from "./words.js";

const verdicts = {
  accept: "accepted", accept_report: "accepted, reports", reject_pin: "rejected", reject_chain: "chain rejected", unpinned: "not pinned",
  config_error: "unusable", not_evaluated: "not judged", depends_on_path: "depends on the path",
};
const tones = {
  accept: "ok", accept_report: "ok", reject_pin: "critical", reject_chain: "critical", config_error: "critical", depends_on_path: "warning", unknown: "warning",
};
/** The clients that pin files may name, in words. */
export const clientNames = {
  alamofire: "Alamofire 5", alamofire4: "Alamofire 4", "trustkit-ios": "TrustKit", "trustkit-android": "TrustKit Android", "apple-pinned-domains": "Apple pinned domains",
  "android-nsc": "network security config", okhttp: "OkHttp", okhttp3: "OkHttp 3", "ktor-darwin": "Ktor", urlsession: "URLSession", generic: "generic rules",
  "wultra-ios": "Wultra", "wultra-android": "Wultra Android", afnetworking: "AFNetworking", curl: "curl", wget: "wget", hpkp: "HPKP header",
};

export const client = (code) => word(clientNames, code);
export const verdictChip = (verdict) => chip(tones[verdict] ?? "", word(verdicts, verdict));

/** How a pin set stands over all addresses that it applies to. */
export function standing({ accept = 0, reject = 0, unknown = 0, other = 0 }, targets = 0) {
  const all = accept + reject + unknown + other;
  if (!all) return h("span", { class: "soft" }, targets ? `not judged yet on ${count(targets, "target")}` : "applies to no target yet");
  const part = (some) => (some === all ? `on ${all === 1 ? "its only address" : `all ${number(all)} addresses`}` : `on ${number(some)} of ${count(all, "address", "addresses")}`);
  return [
    reject > 0 && chip("critical", `rejected ${part(reject)}`), unknown > 0 && chip("warning", `unknown ${part(unknown)}`),
    other > 0 && chip("", `otherwise ${part(other)}`), reject + unknown + other === 0 && chip("ok", `accepted ${part(accept)}`),
  ];
}
