// Pins as the apps' own files: the format is chosen, the text shown, copied or downloaded.

import { ApiError, getText } from "./api.js";
import { copyButton } from "./copy.js";
import { cancel, openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { text } from "./words.js";

/** The API's formats with their words, the ending of a file, and the clients whose own it is. */
const formats = [
  ["native", "Pinwatch’s own file", "yaml", []], ["info-plist", "Info.plist with pinned domains", "plist", ["apple-pinned-domains"]],
  ["trustkit-plist", "TrustKit, property list", "plist", ["trustkit-ios"]], ["trustkit-swift", "TrustKit, Swift", "swift", []], ["trustkit-objc", "TrustKit, Objective-C", "m", []],
  ["alamofire", "Alamofire 5, Swift", "swift", ["alamofire"]], ["alamofire4", "Alamofire 4, Swift", "swift", ["alamofire4"]], ["afnetworking", "AFNetworking, Objective-C", "m", ["afnetworking"]],
  ["android-nsc", "Android network security configuration", "xml", ["android-nsc", "trustkit-android"]], ["okhttp-kotlin", "OkHttp, Kotlin", "kt", ["okhttp", "okhttp3"]], ["okhttp-java", "OkHttp, Java", "java", []],
  ["wultra", "Wultra fingerprint list", "json", ["wultra-ios", "wultra-android"]], ["curl", "curl command line", "txt", ["curl"]], ["wget", "wget command line", "txt", ["wget"]], ["hpkp", "HPKP header", "txt", ["hpkp"]],
];

/** Opens the dialog; `path` is what the API exports, `of` its words, `name` its file's, `issuers` whether those can be asked for. */
export function exportPins({ path, name, of, clients = [], issuers = false }) {
  const state = { format: formats.find(([, , , own]) => own.some((client) => clients.includes(client)))?.[0] ?? "native", issuers: false, words: null, problem: null };
  let asking = null;
  const opened = openDialog({ title: `Export ${of}`, wide: true, content: (redraw, close) => sheet(state, { path, name, issuers, redraw, close, load }) });

  /** The newest question alone is answered. */
  async function load() {
    asking?.abort();
    const mine = (asking = new AbortController());
    [state.words, state.problem] = [null, null];
    opened.redraw();
    try {
      state.words = await getText(`${path}/export`, query(state), mine.signal);
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      state.problem = error;
    }
    opened.redraw();
  }
  load();
}

const query = ({ format, issuers }) => ({ format, issuers: issuers ? "true" : null });

function sheet(state, { path, name, issuers, redraw, close, load }) {
  const choose = (event) => (state.format = event.currentTarget.value, load());
  const tick = (event) => (state.issuers = event.currentTarget.checked, load());
  const ending = formats.find(([code]) => code === state.format)[2];
  const asked = new URLSearchParams(Object.entries(query(state)).filter(([, value]) => value));
  return h("div", { class: "form" },
    h("div", { class: "field" }, h("label", { for: "export-format" }, "Format"),
      h("select", { id: "export-format", onchange: choose }, formats.map(([code, words]) => h("option", { key: code, value: code, selected: code === state.format }, words)))),
    issuers && h("div", { class: "field tick" }, h("input", { id: "export-issuers", type: "checkbox", onchange: tick }), h("label", { for: "export-issuers" }, "The issuers’ keys too")),
    h("div", { key: "text", role: "status" },
      state.problem && h("p", { class: "problem" }, text(state.problem.message, 500), "."),
      state.words == null && !state.problem && h("p", { class: "soft" }, "Writing…"),
      state.words != null && h("pre", { class: "exported", tabindex: "0", role: "region", "aria-label": "The exported text" }, state.words.split("\n").slice(0, 2_000).map((line) => [line === "" ? null : text(line.replaceAll("\t", "    "), 2_000), "\n"]))),
    h("p", { class: "buttons" }, state.words != null && [copyButton(state.words, redraw), h("a", { key: "download", class: "quiet", href: `api/v1/${path}/export?${asked}`, download: `${name.replace(/[^\w.-]+/g, "-").slice(0, 80)}.${ending}` }, "Download")], cancel(close, "Close")));
}
