// The service's API. Every answer is kept with its ETag, and an unchanged one comes back as the very same object.

import { learnClock } from "./words.js";

const kept = new Map();
const KEPT = 80;
const PATIENCE = 15_000;

/**
 * What went wrong, its message in words without a full stop: titles are a status's own phrase, so they speak only where
 * no detail does. `status` is 0 where no answer came, `errors` are the `{field, message}` of a refused body.
 */
export class ApiError extends Error {
  constructor(status, title, detail = "", { errors = [], retryAfter = 0 } = {}) {
    super((detail || title).replace(/\.$/, ""));
    Object.assign(this, { status, title, detail, errors, retryAfter });
  }
}

let refused = () => {};
/** Calls `listener` with every 401 but a refused sign-in. */
export const onUnauthorized = (listener) => (refused = listener);

let written = () => {};
/** Calls `listener` after every write, so that what is visible is asked for anew and no page needs to see to it. */
export const onWritten = (listener) => (written = listener);
const changesNothing = /^session$|^preflight$|\/preview$/;

/** Forgets every answer, as one does for whoever signs in next. */
export const forget = () => kept.clear();

const address = (path, query) => {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const asked = new URLSearchParams(pairs.filter(([, value]) => value != null && value !== ""));
  return `api/v1/${path}${asked.size ? "?" + asked : ""}`;
};

/** GETs `path` below `api/v1`; `query` leaves out what is null or empty and repeats lists. Throws ApiError. */
export async function get(path, query = {}, signal = null) {
  const url = address(path, query);
  const known = kept.get(url);
  const headers = { Accept: "application/json" };
  if (known) headers["If-None-Match"] = known.etag;
  const { response, body } = await ask(url, { headers, cache: "no-store" }, path, signal, PATIENCE);
  if (response.status === 304 && known) return known.body;
  if (!response.ok || body === null) throw problem(response, body);
  keep(url, response.headers.get("ETag"), body);
  return body;
}

/**
 * Writes: `send("PATCH", "targets/17", {paused: true}, {ifMatch: etagOf("targets/17")})`. Gives the answer's body, null
 * where there is none. `patience` is how long to wait in milliseconds, `quiet` leaves what is visible. Throws ApiError.
 */
export async function send(method, path, body, { ifMatch = null, query = {}, signal = null, patience = PATIENCE, quiet = false } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (ifMatch) headers["If-Match"] = ifMatch;
  const request = { method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store" };
  const answer = await ask(address(path, query), request, path, signal, patience);
  if (!answer.response.ok) throw problem(answer.response, answer.body, path === "session" && method === "POST");
  // Whoever wrote may go to another page first.
  if (!quiet && !changesNothing.test(path)) setTimeout(written);
  return answer.body;
}

/** The ETag under which `path` was last read, for `ifMatch`; null if it was not. */
export const etagOf = (path, query = {}) => kept.get(address(path, query))?.etag ?? null;
/** The same for a resource that came in a list: `If-Match` compares the revision alone. */
export const tagOf = ({ revision }) => (revision == null ? null : `"${revision}.0"`);

/** GETs what is plain text. Throws ApiError. */
export async function getText(path, query = {}, signal = null) {
  const read = (response) => (response.ok ? response.text() : response.json());
  const { response, body } = await ask(address(path, query), { headers: { Accept: "text/plain, application/json" }, cache: "no-store" }, path, signal, PATIENCE, read);
  if (!response.ok) throw problem(response, body);
  return body;
}

async function ask(url, request, path, signal, patience, read = (response) => response.json()) {
  const limit = AbortSignal.timeout(patience);
  let response;
  try {
    response = await fetch(url, { ...request, credentials: "same-origin", signal: signal ? AbortSignal.any([signal, limit]) : limit });
    const empty = response.status === 304 || response.status === 204;
    const body = empty ? null : await read(response);
    learnClock(response.headers.get("Date"));
    return { response, body };
  } catch (error) {
    if (signal?.aborted) throw error;
    if (response && !limit.aborted) throw new ApiError(response.status, "The answer could not be read", `${path} gave nothing that can be read`);
    throw new ApiError(0, limit.aborted ? `The service took longer than ${patience / 1000} s to answer` : "The service cannot be reached");
  }
}

function problem(response, body, signingIn = false) {
  const title = typeof body?.title === "string" ? body.title : `The service answered ${response.status}`;
  const detail = typeof body?.detail === "string" ? body.detail : "";
  const errors = Array.isArray(body?.errors) ? body.errors : [];
  const found = new ApiError(response.status, title, detail, { errors, retryAfter: Number(response.headers.get("Retry-After")) || 0 });
  if (found.status === 401 && !signingIn) refused(found);
  return found;
}

function keep(url, etag, body) {
  kept.delete(url);
  if (!etag) return;
  kept.set(url, { etag, body });
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
}
