// Forms: fields with their labels, what was refused beside its field and in sum, and nothing that was typed lost.

import { ApiError } from "./api.js";
import { h } from "./dom.js";
import { plain, span, text } from "./words.js";

const gone = "You had been signed out. Send it again once you are signed in: what you typed stays here.";
const moved = "Somebody changed this in the meantime. Close this and look at it again before you save.";

/** An answer as a form gives it where the page itself sees what is wrong; `errors` are `{field, message}`. */
export const refusal = (errors) => new ApiError(422, "Not sent", "", { errors });

/** Where a refusal is about lines and columns of what was typed into `field`, the error that says so. */
export function placed(error, field) {
  for (const one of error.errors ?? []) {
    const [, line, column] = /(?:^|:)(\d+):(\d+)$/.exec(one.field ?? "") ?? [];
    if (line) Object.assign(one, { field, at: [Number(line), Number(column)] });
  }
  return error;
}

/**
 * One form from drawing to drawing. What is typed stays in its elements, which drawing again leaves alone; `initial` is
 * what they begin with. `send` is given the FormData and rejects with ApiError; field names are those of the API.
 */
export class Form {
  constructor(id, send, initial = {}) {
    Object.assign(this, { id, send, initial, busy: false, problem: null });
    this.labels = new Map();
  }

  /**
   * The form; `verb` is its button, `busy` the button's words while it sends, `failed` what is said first where it is
   * refused, `more` what stands beside the button; a `calm` one leaves being the page's first to another.
   */
  view(redraw, { verb, busy = "Saving…", failed = "Not saved", more = null, danger = false, calm = false }, ...fields) {
    const submit = (event) => {
      event.preventDefault();
      return this.submit(new FormData(event.currentTarget), redraw);
    };
    return h("form", { key: this.id, class: "form", novalidate: true, onsubmit: submit },
      fields, this.summary(failed),
      h("p", { key: "buttons", class: "buttons" },
        h("button", { type: "submit", class: danger ? "danger" : calm ? "quiet" : "primary", "aria-disabled": this.busy ? "true" : null }, this.busy ? busy : verb), more));
  }

  async submit(data, redraw) {
    if (this.busy) return;
    [this.busy, this.problem] = [true, null];
    redraw();
    try {
      await this.send(data);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error;
    } finally {
      this.busy = false;
      redraw();
    }
    if (this.problem) this.lead();
  }

  /** Takes the reader to what was refused. */
  lead() {
    const first = [...this.labels.keys()].find((name) => this.errorsOf(name).length);
    const wrong = first && document.getElementById(this.idOf(first));
    (wrong ?? document.getElementById(`${this.id}-problem`))?.focus();
  }

  idOf(name) {
    return `${this.id}-${name.replace(/\W/g, "-")}`;
  }

  /** The field on this form that an error is about: `weekly.weekdays[0]` is about `weekly.weekdays`. */
  fieldOf(error) {
    const field = error.field ?? "";
    const covers = (name) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`);
    return [...this.labels.keys()].filter(covers).sort((a, b) => b.length - a.length)[0] ?? null;
  }

  errorsOf(name) {
    return (this.problem?.errors ?? []).filter((error) => this.fieldOf(error) === name);
  }

  /** Whether all there is to say stands beside the only field. */
  single() {
    return this.labels.size === 1 && this.problem.errors.length > 0 && this.problem.errors.every((error) => this.fieldOf(error));
  }

  summary(failed) {
    if (!this.problem || this.single()) return null;
    const { errors, retryAfter } = this.problem;
    const words = this.reason();
    return h("div", { key: "problem", id: `${this.id}-problem`, class: "problem", role: "alert", tabindex: "-1" },
      h("p", null, h("strong", null, `${failed}.`), words && [" ", text(words, 600)]),
      retryAfter > 0 && h("p", null, `Try again in ${span(retryAfter * 1000)}.`),
      errors.length > 0 && h("ul", null, errors.slice(0, 20).map((error, index) => h("li", { key: String(index) }, this.complaint(error)))));
  }

  /** Why it was refused, in a sentence; null where the errors say it all. */
  reason() {
    const { status, title, detail, errors } = this.problem;
    if (status === 401) return gone;
    if (status === 412) return moved;
    if (errors.length && errors.every((error) => this.fieldOf(error))) return null;
    return (detail || `${title}.`).replace(/; see errors\.?$/, ".");
  }

  complaint(error) {
    const name = this.fieldOf(error);
    if (!name) return [error.field ? [h("code", null, text(error.field, 120)), " "] : null, text(error.message, 400)];
    const go = () => document.getElementById(this.idOf(name))?.focus();
    return [h("button", { type: "button", class: "link", onclick: go }, this.labels.get(name)), ": ", this.message(error)];
  }

  /** An error's words; one with a line and column `at` leads there. */
  message({ field, message, at }) {
    const go = () => {
      const box = document.getElementById(this.idOf(field));
      const start = box.value.split("\n").slice(0, at[0] - 1).join("\n").length + (at[0] > 1 ? at[1] : at[1] - 1);
      box.focus();
      box.setSelectionRange(start, start);
    };
    return [at && [h("button", { type: "button", class: "link", onclick: go }, `Line ${at[0]}, column ${at[1]}`), ": "], text(message, 400)];
  }

  /** A field around `control`, which is made from the properties that tie it to its label, hint and errors. */
  field(name, label, hint, control) {
    this.labels.set(name, label);
    const id = this.idOf(name);
    const errors = this.errorsOf(name);
    const described = [hint && `${id}-hint`, errors.length && `${id}-error`].filter(Boolean).join(" ") || null;
    return h("div", { key: name, class: "field" },
      h("label", { for: id }, label),
      hint && h("p", { id: `${id}-hint`, class: "hint" }, hint),
      control({ id, name, "aria-describedby": described, "aria-invalid": errors.length ? "true" : null }),
      this.refusals(id, errors));
  }

  refusals(id, errors) {
    if (!errors.length) return null;
    return h("p", { key: "error", id: `${id}-error`, class: "failed", role: this.single() ? "alert" : null },
      errors.slice(0, 20).map((error, index) => h("span", { key: String(index), class: "refusal" }, this.message(error))));
  }

  line(name, label, { hint, ...props } = {}) {
    return this.field(name, label, hint, (tied) => h("input", { type: "text", autocomplete: "off", spellcheck: "false", value: this.initial[name] ?? "", ...tied, ...props }));
  }

  area(name, label, { hint, ...props } = {}) {
    return this.field(name, label, hint, (tied) => h("textarea", { rows: "4", spellcheck: "false", value: this.initial[name] ?? "", ...tied, ...props }));
  }

  /** `options` are pairs of value and words. */
  choice(name, label, options, { hint, ...props } = {}) {
    return this.field(name, label, hint, (tied) => h("select", { ...tied, ...props },
      options.map(([value, words]) => h("option", { key: value, value, selected: value === (this.initial[name] ?? options[0][0]) }, words))));
  }

  tick(name, label, { hint, ...props } = {}) {
    this.labels.set(name, label);
    const id = this.idOf(name);
    return h("div", { key: name, class: "field tick" },
      h("input", { type: "checkbox", id, name, value: "true", checked: this.initial[name] === true, "aria-describedby": hint ? `${id}-hint` : null, ...props }),
      h("label", { for: id }, label), hint && h("p", { id: `${id}-hint`, class: "hint" }, hint));
  }

  /** Several of a few, or (`type` "radio") one; `options` are pairs of value and words. */
  several(name, label, options, { hint, type = "checkbox", onchange } = {}) {
    this.labels.set(name, label);
    const id = this.idOf(name);
    const errors = this.errorsOf(name);
    const chosen = [this.initial[name] ?? []].flat();
    return h("fieldset", { key: name, class: "field", "aria-describedby": [hint && `${id}-hint`, errors.length && `${id}-error`].filter(Boolean).join(" ") || null },
      h("legend", null, label), hint && h("p", { id: `${id}-hint`, class: "hint" }, hint),
      h("div", { class: "several" }, options.map(([value, words], index) => h("label", { key: value },
        h("input", { type, name, value, id: index ? `${id}-${plain(value)}` : id, checked: chosen.includes(value), onchange }), " ", words))),
      this.refusals(id, errors));
  }
}

/** Labels from `name: value` pairs by comma or line, as people write them; throws a refusal for `field`. */
export function readLabels(written, field) {
  const labels = {};
  for (const pair of written.split(/[,\n]/).map((part) => part.trim()).filter(Boolean)) {
    const [, name, value] = /^([^:=\s]+)\s*[:=]\s*(.*)$/.exec(pair) ?? [];
    if (!name) throw refusal([{ field, message: `“${plain(pair).slice(0, 60)}” is no label: write name: value, such as app: shop.` }]);
    labels[name] = value;
  }
  return labels;
}

export const writeLabels = (labels) => Object.entries(labels ?? {}).map(([name, value]) => `${name}: ${value}`).join(", ");
