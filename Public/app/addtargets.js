// Adding targets: paste, see what was understood, add.

import { ApiError, send } from "./api.js";
import { cancel, openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { Form, readLabels, refusal } from "./form.js";
import { link, visit } from "./route.js";
import { session } from "./session.js";
import { toast } from "./toast.js";
import { trustStore } from "./truststore.js";
import { chip, count, number, plain, text } from "./words.js";

/** Between the last key and the preview, in milliseconds. */
const PAUSE = 300;
const SHOWN = 100;

const statuses = {
  new: ["ok", "new"], removed: ["ok", "comes back"], known: ["", "there already"], duplicate: ["", "twice"], refused: ["critical", "not understood"],
};
const reasons = {
  removed: "was removed once; its history comes back with it", known: "is watched already", duplicate: "stands above already",
};

/** What was typed last and not added, so that closing the dialog loses nothing. */
let draft = { text: "", labels: "", owner: "ours", environment: "", trust_store: "" };

/** Opens the dialog; `host`, where given, stands there already. */
export function addTargets(host = null) {
  if (host && !draft.text.split("\n").includes(host)) draft = { ...draft, text: [draft.text.trim(), host].filter(Boolean).join("\n") };
  const dialog = new Adding();
  dialog.opened = openDialog({ title: "Add targets", wide: true, content: (redraw, close) => dialog.view(redraw, close) });
  if (draft.text) dialog.look(draft.text);
}

class Adding {
  preview = null;
  trouble = null;
  timer = 0;
  asking = null;
  form = new Form("add", (data) => this.add(data), draft);

  view(redraw, close) {
    this.redraw = redraw;
    const form = this.form;
    const keep = (event) => (draft = Object.fromEntries(new FormData(event.currentTarget.form ?? event.currentTarget.closest("form"))));
    const typed = (event) => {
      keep(event);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(draft.text), PAUSE);
    };
    const environments = session()?.environments ?? [];
    return form.view(redraw, { verb: this.verb(), busy: "Adding…", more: cancel(close) },
      form.area("text", "Hosts", { hint: "One on a line, or with commas between: names, URLs, host:port, [IPv6]:port, smtp://mail.example.com. What follows # is left out.", rows: "7", autofocus: true, oninput: typed, class: "code" }),
      h("div", { key: "about", class: "fields" },
        form.choice("owner", "Whose are they", [["ours", "ours"], ["third_party", "a third party’s"]], { onchange: keep }),
        trustStore(form, { onchange: keep }),
        environments.length > 0 && form.choice("environment", "Environment", [["", "none"], ...environments.map((name) => [name, plain(name)])], { onchange: keep }),
        form.line("labels", "Labels", { placeholder: "app: shop, team: web", oninput: keep })),
      h("div", { key: "preview", class: "preview", role: "status" }, this.understood()));
  }

  wanted() {
    return (this.preview?.items ?? []).filter((item) => item.status === "new" || item.status === "removed");
  }

  verb() {
    const wanted = this.wanted().length;
    return wanted ? `Add ${count(wanted, "target")}` : "Add";
  }

  /** Asks what the service makes of the text; the newest question alone is answered. */
  async look(words) {
    this.asking?.abort();
    const mine = (this.asking = new AbortController());
    this.trouble = null;
    try {
      if (words.trim()) this.preview = await send("POST", "targets/preview", { text: words }, { signal: mine.signal });
      else this.preview = null;
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error;
    }
    this.looked = words;
    this.redraw();
  }

  understood() {
    // The form says so, and keeps what was typed.
    if (this.trouble?.status === 401) return null;
    if (this.trouble) return h("p", { class: "failed" }, "What you pasted could not be looked at. ", text(this.trouble.message, 300));
    if (!this.preview) return null;
    const { items, counts } = this.preview;
    const sum = Object.entries(statuses).filter(([status]) => counts[status] > 0).map(([status, [, words]]) => `${number(counts[status])} ${words}`);
    const shown = [...items].sort((a, b) => (b.status === "refused") - (a.status === "refused")).slice(0, SHOWN);
    return [
      h("p", null, sum.length ? sum.join(" · ") : "No host stands there yet."),
      h("ul", { class: "understood", tabindex: "0", "aria-label": "What was understood" }, shown.map((item, index) => this.item(item, index)),
        items.length > SHOWN && h("li", { key: "rest", class: "soft" }, `and ${count(items.length - SHOWN, "more line")}`)),
    ];
  }

  item(item, index) {
    const [tone, words] = statuses[item.status] ?? ["", item.status];
    const { target } = item;
    const name = target ? `${target.host_unicode ?? target.host}:${target.port}` : item.text;
    const ascii = target && target.host_unicode && target.host_unicode !== target.host ? target.host : null;
    const also = [ascii, target?.starttls && `TLS after ${target.starttls}`].filter(Boolean).join(" · ");
    const reason = item.reason ?? reasons[item.status];
    return h("li", { key: `${item.line}/${index}` }, h("span", { class: "soft" }, `line ${number(item.line)}`),
      h("div", null, text(name, 100), also && h("span", { class: "soft" }, " ", text(also, 100)), reason && h("p", { class: "soft" }, text(reason, 240))), chip(tone, words));
  }

  async add(data) {
    const typed = data.get("text");
    if (!typed.trim()) throw refusal([{ field: "text", message: "Paste at least one host first." }]);
    const labels = readLabels(data.get("labels"), "labels");
    if (data.get("environment")) labels.environment = data.get("environment");
    clearTimeout(this.timer);
    await this.look(typed);
    if (this.trouble) throw this.trouble;
    const wanted = this.wanted();
    if (!wanted.length) throw refusal([{ field: "text", message: "Nothing here can be added: every line is there already or was not understood." }]);
    const targets = wanted.map(({ target: { host, port, sni, starttls } }) => ({ host, port, sni, starttls, owner: data.get("owner"), trust_store: data.get("trust_store") || undefined, labels: Object.keys(labels).length ? labels : undefined }));
    const items = await this.post(targets);
    const left = this.preview.items.filter((item) => item.status === "refused");
    draft = { ...draft, text: left.map((item) => item.text).join("\n") };
    this.opened.close();
    toast(`${count(items.length, "target")} added; ${items.length === 1 ? "its first scan is" : "their first scans are"} on the way.`);
    visit(items.length === 1 ? link(`/targets/${encodeURIComponent(items[0].id)}`) : link("/targets"));
  }

  /** All or none; what is refused is told by its host, since the reader does not count from zero. */
  async post(targets) {
    try {
      return (await send("POST", "targets", targets, { patience: 60_000 })).items;
    } catch (error) {
      for (const one of error.errors ?? []) {
        const target = targets[/^\[(\d+)\]/.exec(one.field ?? "")?.[1]];
        if (target) Object.assign(one, { field: "text", message: `${target.host}: ${one.message}` });
      }
      throw error;
    }
  }
}
