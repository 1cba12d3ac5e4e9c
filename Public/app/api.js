// The service's API. Every answer is kept with its ETag, and an unchanged one comes back as the very same object.

import { learnClock } from "./words.js";

const kept = new Map();
const KEPT = 80;

/** What went wrong, in words; `status` 0 where no answer came. */
export class ApiError extends Error {
  constructor(status, title, detail, retryAfter = 0) {
    super(detail ? `${title}: ${detail}` : title);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

let token = null;
try {
  token = sessionStorage.getItem("pinwatch.token");
} catch {
  // Without storage the token lives as long as the page.
}

export const hasToken = () => token !== null;
/** Takes a bearer token for this tab, or forgets it with null. */
export function setToken(value) {
  token = value;
  kept.clear();
  try {
    if (value === null) sessionStorage.removeItem("pinwatch.token");
    else sessionStorage.setItem("pinwatch.token", value);
  } catch {
    // As above.
  }
}

/** GETs `path` below `api/v1`; `query` leaves out what is null or empty. Throws ApiError. */
export async function get(path, query = {}, signal = null) {
  const pairs = Object.entries(query).filter(([, value]) => value != null && value !== "");
  const url = `api/v1/${path}${pairs.length ? "?" + new URLSearchParams(pairs) : ""}`;
  const known = kept.get(url);
  const headers = { Accept: "application/json" };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  if (known) headers["If-None-Match"] = known.etag;
  const limit = AbortSignal.timeout(15_000);
  let response;
  let body;
  try {
    response = await fetch(url, { headers, cache: "no-store", signal: signal ? AbortSignal.any([signal, limit]) : limit });
    body = response.status === 304 ? null : await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (response) throw new ApiError(response.status, "The answer could not be read", `${path} gave no JSON`);
    throw new ApiError(0, limit.aborted ? "The service took longer than 15 s to answer" : "The service cannot be reached");
  }
  learnClock(response.headers.get("Date"));
  if (response.status === 304 && known) return known.body;
  if (!response.ok || body === null) throw problem(response, body);
  keep(url, response.headers.get("ETag"), body);
  return body;
}

function problem(response, body) {
  const title = typeof body?.title === "string" ? body.title : `The service answered ${response.status}`;
  const detail = typeof body?.detail === "string" ? body.detail : "";
  return new ApiError(response.status, title, detail, Number(response.headers.get("Retry-After")) || 0);
}

function keep(url, etag, body) {
  kept.delete(url);
  if (!etag) return;
  kept.set(url, { etag, body });
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
}
