// A new silence: what it matches and for how long, with a look at what it would silence before it does.

import { send } from "./api.js";
import { cancel, openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { Form, readLabels, refusal } from "./form.js";
import { findingKinds, severities } from "./kinds.js";
import { toast } from "./toast.js";
import { count, now, number, plain, text } from "./words.js";

const PAUSE = 250;
const days = [["mon", "Mon"], ["tue", "Tue"], ["wed", "Wed"], ["thu", "Thu"], ["fri", "Fri"], ["sat", "Sat"], ["sun", "Sun"]];
const lengths = [["1", "1 hour"], ["4", "4 hours"], ["morning", "until tomorrow, 09:00"], ["date", "until a date"], ["weekly", "every week"]];
const HOUR = 3_600_000;

/** Opens the form, for `alert` or anew. */
export function silence(alert) {
  const target = alert?.finding.target_id ? { id: alert.finding.target_id, label: plain(alert.subjects[0] ?? alert.finding.subject).slice(0, 120) } : null;
  const state = { how: "1", preview: null, asking: 0, form: null, redraw: null };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  state.form = new Form("silence", async (data) => {
    const made = await send("POST", "silences", read(data));
    opened.close();
    toast(made.alerts ? `Silenced: ${count(made.alerts, "alert")} for now.` : "Silenced. Nothing open matches it now.");
  }, {
    "matchers.targets": target ? [target.id] : [], "matchers.kind": alert?.finding.kind ?? "", how: "1", "weekly.from": "22:00", "weekly.to": "06:00", "weekly.zone": zone,
    "weekly.weekdays": ["sat", "sun"], ends_at: local(now() + 24 * HOUR),
  });
  const opened = openDialog({ title: alert ? "Silence this" : "New silence", wide: true, closed: () => clearTimeout(state.asking), content: (redraw, close) => content(Object.assign(state, { redraw }), target, close) });
  look(state);
}

function content(state, target, close) {
  const { form, redraw } = state;
  const changed = () => {
    const data = new FormData(document.querySelector("dialog[open] form.form"));
    const how = data.get("how");
    if (how !== state.how) [state.how] = [how], redraw();
    clearTimeout(state.asking);
    state.asking = setTimeout(() => look(state), PAUSE);
  };
  const wider = [
    form.line("matchers.host", "Host", { hint: "A name, or *.example.com for all below it." }),
    form.several("matchers.severity", "Severity", severities, { hint: "None ticked means all." }),
    form.line("matchers.labels", "Labels", { hint: "Such as environment: staging, app: shop." }),
  ];
  return h("div", { class: "silencing", oninput: changed }, form.view(redraw, { verb: "Silence", busy: "Silencing…", failed: "Not silenced", more: cancel(close) },
    target && form.several("matchers.targets", "Target", [[target.id, `only ${target.label}`]]),
    form.choice("matchers.kind", "Kind", [["", "any kind"], ...findingKinds]),
    target ? h("details", { key: "wider" }, h("summary", null, "By host, severity or label"), wider) : wider,
    form.several("how", "How long", lengths, { type: "radio" }), state.how === "date" && form.line("ends_at", "Until", { type: "datetime-local", hint: "In your time." }), state.how === "weekly" && weekly(form),
    form.line("comment", "Why", { hint: "For your colleagues.", maxlength: "500" }),
    outlook(state.preview)));
}

const weekly = (form) => [
  form.several("weekly.weekdays", "On", days),
  h("div", { key: "hours", class: "pair" }, form.line("weekly.from", "From", { type: "time" }), form.line("weekly.to", "To", { type: "time" })),
  form.line("weekly.zone", "Time zone", { hint: "If To is before From, it ends on the next day." }),
];

/** What would be silenced now. */
function outlook(preview) {
  const words = preview?.refused ?? (preview ? found(preview) : "Looking what it would silence…");
  return h("div", { key: "outlook", class: "aside", role: "status" }, words);
}

function found({ alerts, alert_count: all, targets, target_count: hosts }) {
  return [
    h("p", null, all ? `It would silence ${count(all, "open alert")} now:` : "No open alert matches it now. What comes while it is in force will be silent."),
    all > 0 && h("ul", null, alerts.slice(0, 5).map((one) => h("li", { key: one.id }, text(one.finding.subject, 120))), all > 5 && h("li", { class: "soft" }, `and ${number(all - 5)} more`)),
    hosts > 0 && h("p", { class: "soft" }, `It covers ${count(hosts, "target")}: `, targets.slice(0, 4).map((one, index) => [index > 0 && ", ", text(one.label, 80)]), hosts > 4 && `, and ${number(hosts - 4)} more`),
  ];
}

async function look(state) {
  const form = document.querySelector("dialog[open] form.form");
  if (!form) return;
  try {
    state.preview = await send("POST", "silences/preview", read(new FormData(form)));
  } catch (error) {
    if (error.status === undefined) throw error;
    const { field, message } = error.errors[0] ?? { message: error.detail || error.title };
    const where = state.form.labels.get(field ?? "");
    state.preview = { refused: ["What it would silence is shown here. ", where && `${where}: `, text(message, 300)] };
  }
  state.redraw();
}

/** The silence that the form describes, as the API takes it. */
function read(data) {
  const some = (name) => data.getAll(`matchers.${name}`).filter(Boolean);
  const matchers = { targets: some("targets"), host: data.get("matchers.host").trim().toLowerCase() || null, kind: some("kind"), severity: some("severity"), labels: readLabels(data.get("matchers.labels"), "matchers.labels") };
  for (const [name, value] of Object.entries(matchers)) if (value === null || !Object.keys(value).length) delete matchers[name];
  if (!Object.keys(matchers).length) throw refusal([{ field: "matchers.kind", message: "Say what it silences: a kind, a host, a severity or a label." }]);
  return { matchers, comment: data.get("comment").trim(), ...duration(data) };
}

function duration(data) {
  const how = data.get("how");
  if (how === "weekly") return { weekly: { weekdays: data.getAll("weekly.weekdays"), from: data.get("weekly.from"), to: data.get("weekly.to"), zone: data.get("weekly.zone").trim() } };
  const end = new Date(now());
  if (how === "morning") end.setHours(24 + 9, 0, 0, 0);
  else if (how === "date") end.setTime(Date.parse(data.get("ends_at")));
  else end.setTime(now() + Number(how) * HOUR);
  if (Number.isNaN(end.getTime())) throw refusal([{ field: "ends_at", message: "Write a date and a time." }]);
  return { ends_at: `${end.toISOString().slice(0, 19)}Z` };
}

/** What a field for local date and time takes. */
const local = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
