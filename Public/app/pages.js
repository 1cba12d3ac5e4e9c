// Which page an address means. Each is a module that is fetched when it is first shown, with `title(params)`,
// `async load(params, query, signal)` and `view(width, redraw, params, query)`.

const pages = [
  [/^\/$/, () => import("./overview.js")],
  [/^\/targets$/, () => import("./targets.js")],
  [/^\/targets\/(?<id>[^/]+)$/, () => import("./target.js")],
  [/^\/pin-sets$/, () => import("./pinsets.js")],
  [/^\/pin-sets\/(?<id>[^/]+)$/, () => import("./pinset.js")],
  [/^\/preflight$/, () => import("./preflight.js")],
  [/^\/runway$/, () => import("./runwaypage.js")],
  [/^\/alerts$/, () => import("./alerts.js")],
  [/^\/alerts\/(?<id>[^/]+)$/, () => import("./alert.js")],
  [/^\/settings(?:\/(?<section>[^/]+))?$/, () => import("./settings.js")],
];

/** `{path, module, params}`, null where no page has the path. */
export function found(path) {
  for (const [pattern, module] of pages) {
    const match = pattern.exec(path);
    if (!match) continue;
    try {
      return { path, module, params: Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, value && decodeURIComponent(value)])) };
    } catch {
      return null;
    }
  }
  return null;
}
