// The pages of a list, in the address.

import { h } from "./dom.js";
import { hash } from "./route.js";
import { count } from "./words.js";

/** Links to the first and the next page of `list`; nothing where it fits on one. */
export function paging(list, query, one, many) {
  if (!list.next && !query.get("cursor")) return null;
  return h("nav", { key: "paging", class: "paging", "aria-label": "Pages" }, h("span", null, count(list.total, one, many)),
    query.get("cursor") && h("a", { href: hash({ cursor: null }) }, "First"),
    list.next && h("a", { href: hash({ cursor: list.next }) }, "Next"));
}
