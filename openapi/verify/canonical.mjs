/**
 * Canonical JSON: RFC 8785 on a restricted profile.
 *
 * Keys are ASCII in snake_case, numbers are integers of a size that every reader keeps,
 * strings are valid Unicode. There is one spelling of each value.
 */

import { Fault, must } from "./faults.mjs";

const KEY = /^[a-z][a-z0-9_]*$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const DEEPEST = 32;

/** The one spelling of a value. */
export function canonical(value, depth = 0) {
  must(depth <= DEEPEST, "is nested too deeply");
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") {
    must(!LONE_SURROGATE.test(value), "has half a character");
    return JSON.stringify(value);
  }
  if (typeof value === "number") {
    must(Number.isSafeInteger(value), "has a number that is no integer below 2^53");
    return String(value);
  }
  must(typeof value === "object", "lacks a value");
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonical(item, depth + 1)).join(",")}]`;
  }
  const fields = Object.keys(value).sort().map((key) => {
    must(KEY.test(key), "has a key that is not in snake_case");
    return `"${key}":${canonical(value[key], depth + 1)}`;
  });
  return `{${fields.join(",")}}`;
}

/** Whether two values are the same. */
export const same = (one, other) => canonical(one) === canonical(other);

/** The object that a JSON text spells, in whatever way. */
export function object(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault("is not JSON");
  }
  must(isObject(value), "is not an object");
  return value;
}

export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
