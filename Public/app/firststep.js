// What a service that watches nothing yet teaches.

import { h } from "./dom.js";
import { may } from "./session.js";

/** What to do with a service that watches nothing yet. */
export function firstStep() {
  const open = async () => (await import("./addtargets.js")).addTargets();
  return h("div", { class: "first" },
    h("p", null, may("editor")
      ? "Paste the hosts that your apps speak to: names, URLs, host:port, one on a line."
      : "An editor can add hosts here, or name them under targets: in the configuration file."),
    may("editor") && h("p", { class: "soft" }, "Then add what each release pins, and a channel that is told when a host leaves its pins."),
    may("editor") && h("button", { class: "primary", type: "button", onclick: open }, "Paste hosts"));
}
