// The choice of whose roots judge a target's chains.

import { session } from "./session.js";
import { plain } from "./words.js";

/** What a target has that names none. */
const USUAL = "system";

/** A choice among the stores of the configuration; null where there is nothing to choose. */
export function trustStore(form, props = {}) {
  const { trust_store: current } = form.initial;
  const names = new Set([current, ...(session()?.trust_stores ?? [])].filter(Boolean));
  if (names.size < 2) return null;
  // The first is what is chosen unless something else was.
  const sorted = [...names].sort((a, b) => (b === USUAL) - (a === USUAL));
  return form.choice("trust_store", "Trust store", sorted.map((name) => [name, plain(name)]), props);
}
