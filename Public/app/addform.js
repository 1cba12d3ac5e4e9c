// The way to the form that adds pin sets: fetched when it is first needed, by a link or by files that are dropped.

import { dropping } from "./dropping.js";
import { link, route, visit } from "./route.js";
import { may } from "./session.js";

let form = null;

/** The form's module, null until somebody needed it. */
export const addForm = () => form;
export const fetchAddForm = async () => (form ??= await import("./pinsetform.js"));

/** Files that are dropped on any page of pin sets are to become some. */
dropping(/^\/pin-sets(\/|$)/, async (files) => {
  if (!route().query.has("add")) visit(link("/pin-sets", { add: "1" }));
  await (await fetchAddForm()).take(files);
}, () => may("editor"));
