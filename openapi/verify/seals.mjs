/** `seal/1`: what was hidden is what was committed to, and all of it is opened. */

import { hex, isHex, u64, unhex, utf8, uuid } from "./bytes.mjs";
import { canonical, object } from "./canonical.mjs";
import { must } from "./faults.mjs";
import { hmac, sha256 } from "./sha256.mjs";

/** What keeps a seal from being opened by trying all cards. */
export function salt(secret, table, version) {
  return hmac(secret, utf8("seal/1 salt\0"), uuid(table), u64(version));
}

/** The commitment to a text at a version of a table. */
export function seal(table, version, salted, body) {
  return sha256(utf8("seal/1\0"), uuid(table), u64(version), salted, utf8(body));
}

/** Whether a text is what an event of this version committed to. */
export function opens(table, secret, version, body, due) {
  return hex(seal(table, version, salt(secret, table, version), body)) === due;
}

/**
 * A deal's reveal opens each seal of the deal, once and in order; the match's reveal
 * opens what the table's first event sealed.
 */
export function* seals({ table, events }) {
  let arranged = [];
  let sealed = [];
  for (const [place, { type, data }] of events.entries()) {
    const version = place + 1;
    if (type === "table_opened" && data.arranged !== null) {
      arranged = [{ version, seal: data.arranged }];
    } else if (type === "deal_revealed") {
      yield* reveal(table.id, version, data, sealed);
      sealed = [];
    } else if (type === "match_revealed") {
      yield* reveal(table.id, version, data, [...arranged, ...sealed]);
    } else if ("seal" in data) {
      sealed.push({ version, seal: data.seal, count: data.count });
    }
  }
}

/** The reveal at version `at` opens exactly what was sealed. */
function* reveal(table, at, { secret, opened }, sealed) {
  must(isHex(secret) && Array.isArray(opened), "reveals nothing", at);
  must(opened.length === sealed.length, "does not open all that was sealed", at);
  const key = unhex(secret);
  for (const [place, { version, seal: due, count }] of sealed.entries()) {
    const { version: named, body } = opened[place];
    must(named === version, "does not open in turn what was sealed", at);
    yield version;
    const fits = opens(table, key, version, body, due);
    must(fits, "is not the seal of what is opened");
    const hidden = object(body);
    must(canonical(hidden) === body, "seals what is not in its canonical spelling");
    const counted = count === undefined || hidden.cards.length === count;
    must(counted, "does not count what it seals");
  }
}
