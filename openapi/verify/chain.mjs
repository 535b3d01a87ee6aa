/** `chain/1`: the hash chain that holds a table's events together. */

import { hex, utf8, uuid } from "./bytes.mjs";
import { canonical, same } from "./canonical.mjs";
import { must } from "./faults.mjs";
import { sha256 } from "./sha256.mjs";

/** The head of a table that has no event yet. */
export const origin = (table) => sha256(utf8("chain/1\0"), uuid(table));

/** The head after an event with this canonical text. */
export function link(head, body) {
  return sha256(Uint8Array.of(1), head, sha256(Uint8Array.of(0), utf8(body)));
}

/** What of an event is hashed. */
function bodyOf(event) {
  const { prev: _prev, hash: _hash, opens: _opens, ...body } = event;
  return canonical(body);
}

/**
 * Versions have no gap, each event links to the one before, and the head fits.
 *
 * A head that somebody kept must be one that the chain passed through.
 */
export function* chain({ table, events, end, kept }) {
  let head = origin(table.id);
  let passed = kept === null || kept === hex(head);
  for (const [place, event] of events.entries()) {
    yield place + 1;
    must(event.version === place + 1, "is not numbered as it stands");
    must(event.prev === hex(head), "does not follow the event before it");
    head = link(head, bodyOf(event));
    must(event.hash === hex(head), "does not have the hash it claims");
    passed ||= event.hash === kept;
  }
  const count = events.length;
  const after = count + 1;
  must(end.head === hex(head), "is to follow another head than it does", after);
  must((end.version ?? count) === count, "is to follow more events, or fewer", after);
  must(passed, "comes, and none had the head that was kept", after);
}

/** The events of a command stand together and share their time and author. */
export function* appends({ events }) {
  const met = new Set();
  let cause = {};
  for (const [place, event] of events.entries()) {
    if (event.command !== cause.command) {
      yield place + 1;
      must(!met.has(event.command), "comes back to an earlier command");
      met.add(event.command);
      cause = event;
    }
    const shared = event.at === cause.at && same(event.by, cause.by);
    must(shared, "has not the time and author of its command", place + 1);
  }
}
