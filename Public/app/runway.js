// What ends next, drawn on a time axis; on narrow screens, and for those who do not see it, the same as a list.

import { axis } from "./axis.js";
import { h, s } from "./dom.js";
import { leadDays, reason, turnsOff } from "./ends.js";
import { link } from "./route.js";
import { date, exactly, instant, left, now, plain, span, text, time } from "./words.js";

const DAY = 86_400_000;
const FARTHEST_DAYS = 400;
const ROW = 36;
const TOP = 52;

/** `lead` is the lead time in days, `more` what stands below. */
export function runway(items, width, more, lead = leadDays(null)) {
  if (!items.length) return h("p", { class: "panel empty" }, "No end is known. Releases, certificates, issuers and pin sets stand here with their dates once they are.");
  return h("div", { class: "panel runway" }, picture(items, width - 2, lead), h("ol", { class: "ends", "aria-labelledby": "runway" }, items.map((item) => row(item, lead))), more);
}

/** Of a release, its name and the host; of all else the subject alone. */
function names({ kind, subject }) {
  const at = kind === "release" ? plain(subject).lastIndexOf(" on ") : -1;
  return at < 0 ? [plain(subject)] : [plain(subject).slice(0, at), plain(subject).slice(at + 4)];
}

const key = (item) => `${item.kind}/${item.target_id}/${item.pin_set_id}/${item.at}/${item.subject}`;

function row(item, lead) {
  const at = instant(item.at);
  return h("li", { key: key(item), class: tone(at, lead) },
    time(at, left(at), { class: "left" }),
    h("div", null, h("a", { href: where(item) }, text(item.subject, 90)), h("p", null, text(reason(item), 160), ` · ${date(at)}`)));
}

const where = (item) => link(item.target_id ? `/targets/${encodeURIComponent(item.target_id)}` : item.pin_set_id ? `/pin-sets/${encodeURIComponent(item.pin_set_id)}` : "/");

const tone = (at, lead) => (at < now() ? "over" : at - now() < lead * DAY ? "near" : "far");

function picture(items, width, leadTime) {
  const today = now();
  const farthest = Math.max(...items.map((item) => instant(item.at)).filter(Number.isFinite), today);
  const until = today + Math.min(Math.max(farthest - today, 2 * leadTime * DAY) * 1.06, FARTHEST_DAYS * DAY);
  const start = Math.min(240, Math.round(width * 0.27));
  const end = width - 24;
  const height = TOP + items.length * ROW + 22;
  const x = (at) => Math.round(start + ((Math.min(at, until) - today) / (until - today)) * (end - start));
  const lead = x(today + leadTime * DAY);
  return s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "list", "aria-labelledby": "runway" },
    s("rect", { key: "lead", class: "lead", x: start, y: 30, width: lead - start, height: height - 38 }),
    axis(today, until, 7, x, height - 8, end),
    s("text", { key: "leadtext", class: "leadtext", "aria-hidden": "true", x: Math.max(lead - 8, start + 124), y: height - 15 }, `lead time ${leadTime} days`),
    s("line", { key: "today", class: "today", x1: start, x2: start, y1: 26, y2: height - 8 }),
    s("text", { key: "todaytext", class: "todaytext", "aria-hidden": "true", x: start - 7, y: 18 }, "today"),
    items.map((item, index) => pictureRow(item, TOP + index * ROW, { start, end, x, lead: leadTime })));
}

function pictureRow(item, y, { start, end, x, lead }) {
  const at = instant(item.at);
  const known = Number.isFinite(at);
  const over = known && at < now();
  const to = known ? Math.max(x(at), start) : start;
  const words = reason(item);
  const whole = `${known ? (over ? `${span(now() - at)} ago` : shortLeft(at)) : "date unknown"} · ${words}`;
  const room = Math.floor((end + 20 - to - 18) / 6.7);
  const fits = whole.length <= room || to - start < (end - start) / 2;
  const label = cut(whole, fits ? room : Math.floor((to - start - 14) / 6.7));
  const [name, host] = names(item);
  const sentence = `${plain(item.subject)}: ${words}, ${known ? `${left(at)}, ${exactly(at)}` : "date unknown"}`;
  const letters = (start - 34) / 7.4;
  return s("g", { key: key(item), class: tone(at, lead), role: "listitem" },
    s("title", null, sentence),
    s("a", { href: where(item), "aria-label": sentence }, s("text", { class: "subject", x: 20, y: host ? y - 2 : y + 4 }, cut(name, letters)), host && s("text", { class: "where", x: 20, y: y + 13 }, cut(host, letters * 1.1))),
    s("line", { class: "track", x1: start, x2: to, y1: y, y2: y }),
    known && mark(turnsOff(item), to, y),
    s("text", { class: fits ? "reason" : "reason before", "aria-hidden": "true", x: fits ? to + (turnsOff(item) ? 20 : 14) : to - 14, y: fits ? y + 4 : y - 6 }, label));
}

const cut = (words, most) => (words.length > most ? words.slice(0, Math.max(0, Math.floor(most) - 1)) + "…" : words);

const shortLeft = (at) => (at - now() < DAY ? span(at - now()) : `${Math.floor((at - now()) / DAY)} d`);

function mark(flag, x, y) {
  if (flag) return s("path", { class: "mark", d: `M${x - 1} ${y + 9}V${y - 9}h14l-4 4.5 4 4.5h-12v9z` });
  return s("path", { class: "mark", d: `M${x} ${y - 7}l7 7-7 7-7-7z` });
}
