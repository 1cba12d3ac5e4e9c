// What ends and what comes of it, in words that need no glossary.

import { part } from "./share.js";
import { plain } from "./words.js";

/** Days before an end in which an app still can be released and reach its users, where the service does not say. */
const LEAD_DAYS = 30;
const names = { certificate: "certificate", chain: "issuer", pin_set: "pin set", release: "release" };

/** The lead time in days of an answer that tells it in seconds. */
export const leadDays = (seconds) => (seconds > 0 ? Math.max(1, Math.round(seconds / 86_400)) : LEAD_DAYS);

/** Whether pinning turns off at this end, rather than a certificate or path ends. */
export const turnsOff = ({ kind, summary }) => kind === "pin_set" || (kind === "release" && /^unpinned\b/.test(summary ?? ""));

/** What happens, as `outcome` of a release and else as the service says it. */
export const outcome = ({ summary, kind }) => plain(summary ?? names[kind] ?? "").slice(0, 110).replace(/^unpinned: its pinning ends$/, "pinning turns off").replace(/^unpinned:/, "pinning turns off:");

/** What happens, and to how many. */
export const reason = (item) => `${outcome(item)}${item.share == null ? "" : ` · ${part(item.share)} of users`}`;
