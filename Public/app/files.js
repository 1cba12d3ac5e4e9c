// Files that somebody hands over: read in this page, told apart as text and bytes, and never a private key.

import { number, plain } from "./words.js";

/** What one request takes, as the service counts it. */
const FILES = 100;
const BYTES = 7 * 1024 * 1024;
const privateKey = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----/;

/** Whether a text holds a private key, which never leaves this page. */
export const holdsPrivateKey = (words) => privateKey.test(words);

/**
 * Reads what was dropped or chosen: `taken` are `{name, text}` or `{name, base64}` as the API has them, `refused` are
 * sentences. `before` are those that were handed over already; one of the same name is replaced.
 */
export async function readFiles(list, before = []) {
  const taken = [...before];
  const refused = [];
  for (const file of list) {
    const name = file.name.slice(0, 200);
    const others = taken.filter((one) => one.name !== name);
    const why = others.length >= FILES ? `is one more than ${FILES} files` : weight(others) + file.size > BYTES ? `would make more than ${number(BYTES / 1024 / 1024)} MiB together` : null;
    const read = why ? { why } : await one(file, name);
    if (read.why) refused.push(`${plain(name)} ${read.why}.`);
    else taken.splice(0, taken.length, ...others, read);
  }
  return { taken, refused };
}

/** The bytes of files, as text or Base64 carries them. */
const weight = (files) => files.reduce((sum, one) => sum + (one.text ?? one.base64).length, 0);

async function one(file, name) {
  let bytes = null;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return { why: "could not be read; drop files, not folders" };
  }
  if (!bytes.length) return { why: "is empty" };
  const words = asText(bytes);
  if (words === null ? isKey(bytes) : holdsPrivateKey(words)) return { why: "holds a private key, so it was not sent anywhere; hand over its certificate or public key" };
  return words === null ? { name, base64: asBase64(bytes) } : { name, text: words };
}

/** Whether DER begins as PKCS #8, PKCS #1, SEC 1 and PKCS #12 do: a sequence, and in it a version of one byte. */
function isKey(bytes) {
  if (bytes[0] !== 0x30) return false;
  const at = bytes[1] > 0x80 ? 2 + (bytes[1] & 0x7f) : 2;
  return bytes[at] === 2 && bytes[at + 1] === 1;
}

/** Null for what is no text: the service takes no U+0000 in one. */
function asText(bytes) {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Standard Base64 of bytes, piece by piece, since a call has only so many arguments. */
function asBase64(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(binary);
}
