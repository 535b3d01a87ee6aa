/** Bytes from text, hexadecimal digits, ids and numbers, and back. */

import { must } from "./faults.mjs";

const encoder = new TextEncoder();
const HEX = /^[0-9a-f]+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Text in UTF-8. */
export const utf8 = (text) => encoder.encode(text);

/** Lower-case hexadecimal digits. */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes that hexadecimal digits stand for: `length` of them, lower case. */
export function unhex(digits, length = 32) {
  must(isHex(digits, length), `is not ${length} bytes in hexadecimal`);
  return Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
}

export function isHex(text, length = 32) {
  return typeof text === "string" && text.length === 2 * length && HEX.test(text);
}

export const isUuid = (text) => typeof text === "string" && UUID.test(text);

/** The 16 raw bytes of an id, as it enters hashes. */
export const uuid = (text) => unhex(text.replaceAll("-", ""), 16);

/** A number as four bytes, the highest first. */
export function u32(number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

/** A number as eight bytes, the highest first. */
export function u64(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

/** The parts, one after another. */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
