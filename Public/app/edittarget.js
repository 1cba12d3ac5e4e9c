// What of a target can be changed. Host, port and name stay: another one is another target.

import { etagOf, send } from "./api.js";
import { cancel, openDialog } from "./dialog.js";
import { Form, readLabels, refusal, writeLabels } from "./form.js";
import { named, path } from "./targetactions.js";
import { toast } from "./toast.js";
import { trustStore } from "./truststore.js";

/** Opens the form. */
export function edit(target) {
  const ifMatch = etagOf(path(target));
  const initial = {
    owner: target.owner, labels: writeLabels(target.labels), period_s: String(target.period_s), trust_store: target.trust_store,
    addresses_policy: target.addresses_policy, addresses: (target.addresses ?? []).join("\n"),
  };
  let opened = null;
  const form = new Form("edit", async (data) => {
    const changed = changes(target, initial, data);
    if (Object.keys(changed).length) await send("PATCH", path(target), changed, { ifMatch });
    opened.close();
    toast(Object.keys(changed).length ? `${named(target)} was saved.` : "Nothing was changed.");
  }, initial);
  opened = openDialog({ title: `Edit ${named(target)}`, content: (redraw, close) => form.view(redraw, { verb: "Save", more: cancel(close) },
    form.choice("owner", "Whose is it", [["ours", "ours"], ["third_party", "a third party’s"]]),
    form.line("labels", "Labels", { hint: "Such as app: shop, environment: production." }),
    form.line("period_s", "Seconds between scans", { hint: "Empty takes the service’s own period.", inputmode: "numeric" }),
    trustStore(form),
    form.choice("addresses_policy", "Addresses scanned", [["all", "all that the name has"], ["first", "the first alone"]]),
    form.area("addresses", "Only these addresses", { hint: "One on a line, in place of those that the name has. Empty asks the name.", rows: "3" })) });
}

/** What the form has other than the target, as RFC 7396 wants it: null takes away. */
function changes(target, initial, data) {
  const found = {};
  for (const name of ["owner", "trust_store", "addresses_policy"]) if (data.has(name) && data.get(name) !== initial[name]) found[name] = data.get(name);
  if (data.get("period_s").trim() !== initial.period_s) found.period_s = seconds(data.get("period_s").trim());
  if (data.get("addresses") !== initial.addresses) found.addresses = data.get("addresses").split(/[\s,]+/).filter(Boolean);
  if (data.get("labels") !== initial.labels) {
    const labels = readLabels(data.get("labels"), "labels");
    const gone = Object.keys(target.labels ?? {}).filter((name) => !Object.hasOwn(labels, name));
    found.labels = { ...labels, ...Object.fromEntries(gone.map((name) => [name, null])) };
  }
  return found;
}

function seconds(written) {
  if (written === "") return null;
  if (!/^\d+$/.test(written)) throw refusal([{ field: "period_s", message: "Write seconds as digits, such as 300." }]);
  return Number(written);
}
