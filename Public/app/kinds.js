// The kinds of findings, for choosing among them.

import { kinds, word } from "./words.js";

const all = [
  "pin.rejected", "pin.config_error", "pin.at_risk", "pin.no_backup", "pinset.expiry", "pinset.lint", "certificate.expiry", "chain.expiry", "certificate.not_yet_valid", "chain.invalid",
  "chain.incomplete", "hostname.mismatch", "certificate.revoked", "crypto.weak", "interception.suspected", "vantage.suspect", "scan.failing", "scan.stale", "host.unpinned", "channel.failing",
];

export const severities = ["critical", "warning", "info"].map((code) => [code, code]);
/** Pairs of code and words. */
export const findingKinds = all.map((code) => [code, word(kinds, code)]);
