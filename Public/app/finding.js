// What is wrong, in a row: the words, what to do, and the facts as labels.

import { h } from "./dom.js";
import { chip, ended, kinds, number, word } from "./words.js";

/** The facts of a finding as labels: severity, what kind, how much of it, and whether it is only last known. */
export function findingChips(finding) {
  const { scope, affected_share: share } = finding;
  return h("p", { class: "chips" },
    chip(finding.severity, word({}, finding.severity)), chip("", word(finding.stage === "expired" ? { ...kinds, ...ended } : kinds, finding.kind)),
    share != null && chip("", `${(share * 100).toFixed(share < 0.1 ? 1 : 0).replace(/\.0$/, "")} % of users`),
    scope?.of > 1 && chip("", `${number(scope.affected)} of ${number(scope.of)} affected`),
    finding.stale && chip("", "stale: last known", { title: "The target has stopped answering, so this is what was last known." }));
}
