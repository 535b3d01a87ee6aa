/**
 * A second verifier of `misere-record/1`, which shares nothing with the server.
 *
 * It proves that a record is whole and unchanged, that what was hidden is what was
 * committed to, and that dealers, seats and cards follow from secrets that were fixed
 * before the players gave their entropy. It does not judge the play: whether moves were
 * legal and scores are right is for the server's own `misere verify` to say.
 *
 * All of it is told in `openapi/proofs.md`.
 */

import { appends, chain } from "./chain.mjs";
import { reveals } from "./course.mjs";
import { deals, draws } from "./deals.mjs";
import { Fault } from "./faults.mjs";
import { form, header, isType } from "./form.mjs";
import { commitments } from "./match.mjs";
import { read } from "./record.mjs";
import { seals } from "./seals.mjs";

export { NotARecord } from "./faults.mjs";

/**
 * Each check goes through the record, yields the version that it is about to look at,
 * and throws at the first that is not what it had to be.
 */
const OF_THE_CHAIN = { form, chain };
const OF_WHAT_IT_HOLDS = { header, appends, reveals, seals, commitments, draws, deals };

/**
 * The report on a record, given as its bytes; `kept` is a head that somebody kept.
 *
 * What comes after a break of the chain is not looked at. `version` and `head` are
 * those of the last event before it. `checked` says how many events, appends, seals,
 * secrets, draws or deals were looked at; `first_bad_version` is the lowest that any
 * check names, the one after the last where something is missing, and `why` the reason.
 *
 * Throws `NotARecord`, and nothing else.
 */
export function verify(bytes, kept = null) {
  const whole = { ...read(bytes), kept };
  const found = run(OF_THE_CHAIN, whole);
  const [, chained] = found;
  const sound = chained.ok ? whole.events : whole.events.slice(0, chained.version - 1);
  found.push(...run(OF_WHAT_IT_HOLDS, { ...whole, events: sound }));
  const bad = found.filter(({ ok }) => !ok).sort((a, b) => a.version - b.version)[0];
  return {
    ok: bad === undefined,
    version: sound.length,
    head: sound.at(-1)?.hash ?? null,
    checks: found.map(({ name, ok, checked }) => ({ name, ok, checked })),
    first_bad_version: bad?.version ?? null,
    why: bad?.why ?? null,
  };
}

function run(checks, record) {
  return Object.entries(checks).map(([name, check]) => {
    let checked = 0;
    let version = 1;
    try {
      for (const looking of check(record)) {
        version = looking;
        checked += 1;
      }
      return { name, ok: true, checked };
    } catch (fault) {
      const at = fault.version ?? version;
      const why = `${name}: ${at}${named(record.events[at - 1])} ${told(fault)}`;
      return { name, ok: false, checked, version: at, why };
    }
  });
}

const named = (event) => (isType(event?.type) ? ` (${event.type})` : "");

function told(fault) {
  if (fault instanceof Fault) return fault.message;
  // Anything else came of data that are not shaped as their kind has them.
  return "is not shaped as it must be";
}
