// What is handed over to become pin sets: files, pasted text, answers; and what the service makes of it.

import { ApiError, send } from "./api.js";
import { refusal } from "./form.js";

/** What pasted text is called among the files. */
const PASTED = "pasted.txt";
/** Between the last key of an answer and reading again, in milliseconds. */
const PAUSE = 400;
const PATIENCE = 60_000;

/** Whether a text is a native pin file, in YAML or JSON. */
export const native = (words) => words != null && /^\s*(?:\{\s*)?["']?pinwatch["']?\s*:/.test(words.replace(/^(?:\s*(?:#.*|---)?\r?\n)+/, ""));

export class Handover {
  files = [];
  pasted = "";
  /** What the form was told, by the API's names; only what somebody typed. */
  told = {};
  /** The native text as somebody edited it; null where it stands as it was understood. */
  edited = null;
  readings = null;
  /** What the fields of answers hold as it was typed, blanks and half numbers too. */
  raw = {};
  /** Of which text and files `readings` are, and what was read before somebody edited the native text. */
  #of = null;
  #unedited = null;
  #timer = 0;
  #asking = null;
  /** Whether an answer or the text was changed after `readings` were made. */
  #stale = false;

  constructor(redraw) {
    this.redraw = redraw;
  }

  /** Whether `readings` are of what is handed over now. */
  understood() {
    return this.readings !== null && this.#of.pasted === this.pasted && this.#of.files === this.files;
  }

  #body() {
    const files = this.pasted.trim() ? [...this.files, { name: PASTED, text: this.pasted }] : this.files;
    return { files, ...this.told };
  }

  async #preview(body, signal = null) {
    return (await send("POST", "pin-sets/import", body, { query: { preview: "true" }, quiet: true, patience: PATIENCE, signal })).items;
  }

  /** Asks what the service makes of the files. Throws ApiError. */
  async read() {
    this.#asking?.abort();
    this.readings = null;
    const { pasted, files } = this;
    [this.told, this.raw, this.edited] = [{}, {}, null];
    try {
      const items = await this.#preview(this.#body());
      const [only] = items;
      // A native file that was pasted is mended where it was pasted.
      if (items.length === 1 && this.typed(only) && only.problems.length) throw refusal(only.problems);
      [this.readings, this.#of, this.#stale] = [items, { pasted, files }, false];
    } catch (error) {
      throw this.#named(error);
    }
  }

  /** Whether a reading is of the native text in the page's own field. */
  typed(one) {
    return one.format === "native" && !this.files.length;
  }

  /** An error of the API with its place: in the pasted text, or in a file by its name. */
  #named(error) {
    for (const one of error instanceof ApiError ? error.errors : []) {
      const [, file, line, column] = /^(?:(.*?):)?(\d+):(\d+)$/.exec(one.field ?? "") ?? [];
      const index = /^files\[(\d+)\]/.exec(one.field ?? "")?.[1];
      const name = file ?? (index == null ? null : this.#body().files[index]?.name ?? null);
      if (line && this.pasted && (name === PASTED || name == null)) Object.assign(one, { field: "source", at: [Number(line), Number(column)] });
      else if (one.field === PASTED || name === PASTED) one.field = "source";
      else if (index != null && name) one.field = name;
    }
    return error;
  }

  /** A problem of the native text as the form places it. */
  placed({ field, message }) {
    const [, line, column] = /(\d+):(\d+)$/.exec(field ?? "") ?? [];
    return line && this.editable() ? { field: "native", message, at: [Number(line), Number(column)] } : { field, message };
  }

  /** Whether there is one native text to edit. */
  editable() {
    return this.readings?.length === 1 && !this.typed(this.readings[0]) && (this.readings[0].source ?? this.edited) !== null;
  }

  /** Takes an answer, empty for none, and reads again once nothing more is typed. */
  answer(name, value, raw = value) {
    this.raw[name] = raw;
    if (value === "" || value === null) delete this.told[name];
    else this.told[name] = value;
    this.#later();
  }

  /** Takes the native text as it is edited; null takes the edits back. */
  edit(words) {
    if (this.edited === null) [this.#unedited] = this.readings;
    this.edited = words;
    this.#later();
  }

  #later() {
    this.#stale = true;
    this.#asking?.abort();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#again(), PAUSE);
  }

  /** The newest question alone is answered. */
  async #again() {
    const mine = (this.#asking = new AbortController());
    try {
      const items = this.edited === null ? await this.#preview(this.#body(), mine.signal) : [await this.#mended(mine.signal)];
      if (mine.signal.aborted || !this.understood()) return;
      [this.readings, this.#stale] = [items, false];
      this.redraw();
    } catch (error) {
      // What is refused is said when it is to be stored.
      if (!mine.signal.aborted && !(error instanceof ApiError)) throw error;
    }
  }

  /** The reading as it becomes by the edits: what was found in the files stays, what the text says is read anew. */
  async #mended(signal) {
    const source = this.edited;
    const before = { ...this.#unedited, source, questions: [], exists: null, pin_set: null };
    try {
      const [{ pin_set: made, exists, problems, lint }] = await this.#preview({ files: [{ name: PASTED, text: source }] }, signal);
      return { ...before, pin_set: made, exists, problems, lint };
    } catch (error) {
      if (error.status !== 422) throw error;
      return { ...before, problems: error.errors.length ? error.errors : [{ field: null, message: error.message }] };
    }
  }

  replacing() {
    return (this.readings ?? []).some((one) => one.exists);
  }

  verbs() {
    const all = this.readings.length;
    const there = this.readings.filter((one) => one.exists).length;
    if (there) return { verb: all === 1 ? "Replace" : there === all ? `Replace these ${all}` : `Add ${all - there}, replace ${there}`, busy: "Replacing…", failed: "Not replaced" };
    return { verb: all === 1 ? "Add this pin set" : `Add these ${all} pin sets`, busy: "Adding…", failed: "Not added" };
  }

  /** Stores what was understood; gives the pin sets. Throws ApiError. */
  async store() {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    // What nobody was shown is not replaced: where it turns out to exist, the page says so first.
    const before = this.replacing() && !this.#stale;
    try {
      return (await send("POST", "pin-sets/import", { ...this.#body(), source: this.edited ?? undefined, replace: before }, { patience: PATIENCE })).items;
    } catch (error) {
      // Somebody added it meanwhile: the page says so, and offers to replace it.
      if (error.status === 409 && !before) await this.#again();
      throw this.editable() ? this.#toNative(this.#asked(error)) : this.#named(this.#asked(error));
    }
  }

  /** A question that stands beside its own input is not said twice. */
  #asked(error) {
    const open = this.readings.flatMap((one) => one.questions).filter((one) => one.must_answer);
    for (const one of error instanceof ApiError ? error.errors : []) {
      if (!open.some(({ id, words }) => id === one.field && words === one.message) || !["client", "host", "build_setting"].includes(one.field)) continue;
      const name = /build setting (\w+)/.exec(one.message)?.[1];
      if (one.field === "build_setting") one.field = name ? `build_settings.${name}` : "build_settings";
      one.message = "This has to be known first.";
    }
    return error;
  }

  /** Places in the native text lead to where it is edited. */
  #toNative(error) {
    for (const one of error instanceof ApiError ? error.errors : []) Object.assign(one, this.placed(one));
    return error;
  }
}
