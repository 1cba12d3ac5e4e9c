// What is shown, as it stands in the address: `#/targets?state=critical&host=api`. So it can be sent to a colleague.

const listeners = [];
let seen = location.href;

/** The part after `#` as path and parameters. */
export function route() {
  const whole = location.hash.replace(/^#/, "");
  const at = whole.indexOf("?");
  const path = at < 0 ? whole : whole.slice(0, at);
  return { path: path.startsWith("/") ? path : "/", query: new URLSearchParams(at < 0 ? "" : whole.slice(at + 1)) };
}

/** The hash of a page: `link("/targets", {state: "critical"})`; null and "" are left out, a list repeats its name. */
export function link(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) if (one != null && one !== "") query.append(name, one);
  }
  const rest = query.toString();
  return `#${path}${rest ? "?" + rest : ""}`;
}

/** The hash of the page that is shown with `changes` made to its parameters; null or "" removes one. */
export function hash(changes) {
  const { path, query } = route();
  const all = Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)]));
  return link(path, { ...all, ...changes });
}

/** Goes to a page, given as `link` or `hash` give it; `step` makes an entry in the browser's history. */
export function visit(where, step = true) {
  history[step ? "pushState" : "replaceState"](null, "", where);
  moved(true);
}

/** Stays on the page and changes its parameters. */
export const go = (changes, step = true) => visit(hash(changes), step);

export const onRoute = (listener) => listeners.push(listener);

function moved(byPage) {
  if (location.href === seen) return;
  seen = location.href;
  for (const listener of listeners) listener(byPage);
}

// One step of the history may tell of itself in both ways.
for (const kind of ["popstate", "hashchange"]) addEventListener(kind, () => moved(false));

/** Where links of the page's first version lead now: `#/?open=12`, `#/?q=api&state=critical`. */
export function renamed({ path, query }) {
  if (path !== "/") return null;
  const opened = (query.get("open") ?? "").split(",").filter(Boolean).at(-1);
  if (opened) return link(`/targets/${encodeURIComponent(opened)}`, { range: query.get("range") });
  if (!["q", "state", "sort"].some((name) => query.get(name))) return null;
  return link("/targets", { host: query.get("q"), state: query.get("state"), sort: query.get("sort") });
}
