// About: what the configuration file says, and reading it again.

import { get, send } from "./api.js";
import { h } from "./dom.js";
import { Form } from "./form.js";
import { ago, count, instant, number, span, text, time, word } from "./words.js";

const sections = { pin_sets: "pin sets", trust_stores: "trust stores" };

let settings = null;
/** What the last reading from this page brought. */
let result = null;
let form = null;

export async function load(query, signal) {
  settings = await get("settings", {}, signal);
}

export function view(redraw) {
  form ??= new Form("reload", async () => {
    result = null;
    result = await send("POST", "settings/reload");
  });
  const restart = settings.restart_needed ?? [];
  return [
    h("div", { key: "head", class: "head top" }, h("h2", null, "The configuration file")),
    h("div", { key: "reload", class: "panel padded" },
      h("p", null, h("code", null, text(settings.config_file, 300))), h("p", { class: "soft" }, "Read ", time(settings.loaded_at, ago(instant(settings.loaded_at))), ". Change it on the machine, then read it again; if it has faults, what is in force stays."),
      form.view(redraw, { verb: "Read the file again", busy: "Reading…", failed: "The file was not taken over" }),
      h("div", { role: "status" }, result && changes(result)),
      restart.length > 0 && h("p", { key: "restart", class: "caution" }, "These differ in the file but are read at a start only. Restart the service to take them over: ", restart.map((key, index) => [index > 0 && ", ", h("code", null, text(key, 80))]), ".")),
    h("h2", { key: "force" }, "In force ", h("span", { class: "note" }, "changed in the file only")),
    h("dl", { key: "settings", class: "panel padded details" }, rows().map(([name, value]) => h("div", { key: name }, h("dt", null, name), h("dd", null, value)))),
  ];
}

function changes({ changed, changes: all }) {
  if (!changed) return h("p", null, "The file was read. Nothing in it has changed.");
  return [h("p", null, `The file was read, with ${count(all.length, "change")}:`), h("ul", { class: "changes" }, all.slice(0, 100).map((one, index) => h("li", { key: String(index) },
    word(sections, one.section), one.name && [" ", h("strong", null, text(one.name, 100))], ` ${word({}, one.what)}`, one.detail && [": ", text(one.detail, 240)])), all.length > 100 && h("li", { class: "soft" }, `and ${number(all.length - 100)} more`))];
}

const seconds = (value) => (value == null ? "unknown" : span(value * 1000));
const list = (items) => (items?.length ? text(items.join(", "), 400) : h("span", { class: "soft" }, "none"));

function rows() {
  const { scan = {}, thresholds = {}, retention = {} } = settings;
  return [
    ["Version", text(settings.version, 40)], ["Listens on", [text(settings.listen, 80), settings.tls ? " with TLS" : " without TLS"]],
    ["Public address", settings.public_url ? text(settings.public_url, 200) : h("span", { class: "soft" }, "not set")],
    ["Database", text(settings.database, 300)], ["Trusted proxies", list(settings.trusted_proxies)],
    ["Secret key", settings.secret_key ? "set" : "not set: channels with secrets cannot be added here"], ["Environments", list(settings.environments)],
    ["Scans", `every ${seconds(scan.period_s)}, each at most ${seconds(scan.timeout_s)}, ${number(scan.in_flight)} at once`],
    ["Addresses of a host", scan.addresses === "first" ? "the first" : `all, at most ${number(scan.max_addresses)}`],
    ["Through a proxy", scan.proxy ? [text(scan.proxy.url, 300), scan.proxy.authenticated ? " with a user" : "", scan.proxy.no_proxy?.length ? [", but not to ", list(scan.proxy.no_proxy)] : ""] : "none"],
    ["Ports by API", list(scan.allow_ports)], ["Never visited", list(scan.deny_addresses)], ["Trust stores", list(settings.trust_stores)],
    ["Ends are told", `near ${seconds(thresholds.near_s)}, soon ${seconds(thresholds.soon_s)}, imminent ${seconds(thresholds.imminent_s)} before`],
    ["Releases are at risk", `${seconds(thresholds.lead_time_s)} before their pins run out`],
    ["Scans fail", `after ${count(thresholds.failing_after, "failed scan")} in a row`], ["A key that returns is quiet", `within ${seconds(thresholds.flap_window_s)}`],
    ["Kept", `spans ${seconds(retention.spans_s)}, events ${seconds(retention.events_s)}, messages ${seconds(retention.deliveries_s)}`],
  ];
}
