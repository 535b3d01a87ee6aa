/** The order of events: commitments come first, what they hide is revealed last. */

import { must } from "./faults.mjs";

/** What comes next, and at once, after events that end or begin something. */
const NEXT = {
  match_started: ["deal_started"],
  deal_voided: ["deal_revealed"],
  deal_revealed: ["seats_drawn", "deal_started", "match_revealed"],
  seats_drawn: ["deal_started"],
  match_revealed: ["match_ended", "table_abandoned"],
  match_ended: [],
  table_abandoned: [],
};

/** What comes in no other place than the one that `NEXT` gives it. */
const ONLY_NEXT = ["seats_drawn", "deal_started", "match_ended", "table_abandoned"];

const BEFORE_THE_MATCH = ["entropy_given", "match_started"];

/** A table opens, its match starts, deals follow each other, secrets end them. */
export function* reveals({ events }) {
  let before = { type: null };
  let started = false;
  let voided = false;
  let deal = null;
  let deals = 0;
  for (const [place, event] of events.entries()) {
    yield place + 1;
    const { type, data } = event;
    must((type === "table_opened") === (place === 0), "is not where a table opens");
    if (Object.hasOwn(NEXT, before.type)) {
      const together = event.command === before.command;
      const next = NEXT[before.type].includes(type) && together;
      must(next, `cannot come next after ${before.type}`);
    } else {
      must(!ONLY_NEXT.includes(type), "cannot come here");
    }
    must(!started || !BEFORE_THE_MATCH.includes(type), "comes after the match's start");
    started ||= type === "match_started";
    voided ||= type === "deal_voided";
    if (type === "deal_started") {
      deals += 1;
      deal = deals;
      must(data.deal === deal, "is not the next deal");
    }
    must(event.deal === deal, "is put down to another deal");
    if (type === "deal_voided" || type === "deal_revealed") {
      must(deal !== null && data.deal === deal, "is not of the deal that is on");
    }
    if (type === "deal_revealed") deal = null;
    if (type === "match_revealed") must(deal === null, "comes while a deal is on");
    if (type === "match_ended") must(started && !voided, "ends what was given up");
    if (type === "table_abandoned") must(voided || !started, "gives up no deal");
    if (type === "deal_started") must(!voided, "comes after a deal that was void");
    before = event;
  }
  const over = ["match_ended", "table_abandoned"].includes(before.type);
  must(over, "is missing, for the table is not over", events.length + 1);
}
