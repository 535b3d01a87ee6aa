/** What a record's reveals give away of its match and deals, once that is proved. */

import { hex, isHex, unhex } from "./bytes.mjs";
import { object, same } from "./canonical.mjs";
import { must } from "./faults.mjs";
import { opens } from "./seals.mjs";
import { dealCommitment, dealSecret, matchCommitment } from "./shuffle.mjs";

const SEATING = ["seat_taken", "seat_left", "entropy_given"];
const NOTHING_GIVEN = "00".repeat(32);
const NOT_ARRANGED = { first_dealer: null, scores: null, deals: [] };

/**
 * The match's secret and arrangement, each being what `table_opened` committed to.
 *
 * `arrangement` has no deals where the table is not arranged.
 */
export function matchOf({ table, events }) {
  const { commitment, arranged } = events[0].data;
  const { version, data } = only(events, "match_revealed");
  must(isHex(data.secret), "reveals no secret", version);
  const secret = unhex(data.secret);
  const committed = hex(matchCommitment(table.id, secret)) === commitment;
  must(committed, "does not commit to the secret that is revealed", 1);
  if (arranged === null) return { secret, arrangement: NOT_ARRANGED };
  const { body } = data.opened[0] ?? {};
  const fits = opens(table.id, secret, 1, body, arranged);
  must(fits, "does not seal the arrangement that is opened", 1);
  return { secret, arrangement: object(body).arrangement };
}

/**
 * The deals of a record: how each `started` and was `revealed`, with the secret, which
 * is the one that its start committed to.
 */
export function* dealsOf({ table, events }) {
  let started = null;
  for (const event of numbered(events)) {
    if (event.type === "deal_started") started = event;
    if (event.type !== "deal_revealed") continue;
    const { version, data } = event;
    must(started !== null, "reveals a deal that never started", version);
    must(isHex(data.secret), "reveals no secret", version);
    const secret = unhex(data.secret);
    const { deal, commitment } = started.data;
    const committed = hex(dealCommitment(table.id, deal, secret)) === commitment;
    must(committed, "does not commit to the secret that is revealed", started.version);
    yield { number: deal, secret, started, revealed: event };
    started = null;
  }
}

/** What each of so many seats gave to the shuffle, as the match's start has it. */
export function entropyOf({ events }, seats) {
  const { version, data } = only(events, "match_started");
  const given = data.entropy;
  const all = Array.isArray(given) && given.length === seats;
  const fits = all && given.every((text) => isHex(text));
  must(fits, "does not have 32 bytes of each seat", version);
  return given.map((text) => unhex(text));
}

/** Secrets are those that were committed to, and entropy is what the seats gave. */
export function* commitments(record) {
  yield* seating(record);
  const match = matchOf(record);
  yield 1;
  for (const { number, secret, started } of dealsOf(record)) {
    yield started.version;
    const due = dealSecret(record.table.id, number, match.secret);
    const follows = started.data.arranged || hex(secret) === hex(due);
    must(follows, "commits to a secret that does not come from the match's");
  }
}

/** The match starts with the players who sat down and what they gave. */
function* seating({ events }) {
  const players = events[0].data.seats.map(() => ({}));
  const entropy = players.map(() => NOTHING_GIVEN);
  for (const { type, version, data } of numbered(events)) {
    if (SEATING.includes(type)) {
      const there = Number.isInteger(data.seat) && Object.hasOwn(players, data.seat);
      must(there, "is of no seat of the table", version);
    }
    if (type === "seat_taken") players[data.seat] = data.occupant;
    if (type === "entropy_given") entropy[data.seat] = data.entropy;
    if (type === "seat_left") {
      players[data.seat] = {};
      entropy[data.seat] = NOTHING_GIVEN;
    }
    if (type === "match_started") {
      yield version;
      must(same(data, { players, entropy }), "does not start with who sat and gave");
      return;
    }
  }
}

/** The events with their places, whatever numbers they claim. */
export function numbered(events) {
  return events.map((event, place) => ({ ...event, version: place + 1 }));
}

/** The first event of a kind. */
function only(events, kind) {
  const place = events.findIndex(({ type }) => type === kind);
  must(place >= 0, `is missing, for there is no ${kind}`, events.length + 1);
  return { ...events[place], version: place + 1 };
}
