// Changes as sentences, newest first.

import { h } from "./dom.js";
import { keyMark } from "./keycolour.js";
import { link, route } from "./route.js";
import { chip, classes, instant, moment, text, time, word } from "./words.js";

/** `more` stands under the events, `waiting` over them; `arrived(event)` is whether it has just come. */
export function feed(id, events, { labelledby, waiting = null, arrived = () => false, more = null }) {
  return h("div", { key: id, class: "panel feed" }, waiting,
    h("ul", { id, "aria-labelledby": labelledby }, events.map((event) => row(event, arrived(event))), more));
}

function row(event, fresh) {
  const at = instant(event.at);
  return h("li", { key: String(event.id), class: fresh ? "arrived" : null }, time(at, moment(at), { class: "soft" }),
    h("div", null, sentence(event), " ", keys(event), event.class && chip("", word(classes, event.class)),
      event.quiet && chip("ok", "quiet", { title: "Expected: kept for the record, nobody was told." })));
}

function sentence(event) {
  const target = event.target_id && `/targets/${encodeURIComponent(event.target_id)}`;
  const words = text(event.summary, 300);
  return target && route().path !== target ? h("a", { href: link(target) }, words) : words;
}

/** From which key to which; one where it stayed. */
function keys({ evidence }) {
  const [from, to] = [evidence?.from?.spki, evidence?.to?.spki];
  if (!from && !to) return null;
  return h("span", { class: "step" }, from && from !== to && [keyMark(from, [to]), h("span", { role: "img", "aria-label": "to" }, "→")], to && keyMark(to, [from]));
}
