// What is shown, as it stands in the address: `#/?q=api&state=critical&open=12`. So it can be sent to a colleague.

const listeners = [];

/** The part after `#` as page and parameters. */
export function route() {
  const [page, query = ""] = location.hash.replace(/^#/, "").split("?", 2);
  return { page: page || "/", query: new URLSearchParams(query) };
}

/** The hash for the route with `changes` made to its parameters; null or "" removes one. */
export function hash(changes) {
  const { page, query } = route();
  for (const [name, value] of Object.entries(changes)) {
    if (value == null || value === "") query.delete(name);
    else query.set(name, value);
  }
  const rest = query.toString();
  return `#${page.startsWith("/") ? page : "/"}${rest ? "?" + rest : ""}`;
}

/** Goes there; `step` makes an entry in the browser's history. */
export function go(changes, step = true) {
  history[step ? "pushState" : "replaceState"](null, "", hash(changes));
  for (const listener of listeners) listener();
}

export const onRoute = (listener) => listeners.push(listener);
for (const kind of ["hashchange", "popstate"]) addEventListener(kind, () => listeners.forEach((listener) => listener()));
