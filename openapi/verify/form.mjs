/** That every line is an event of the table, and the header true of them. */

import { isHex, isUuid } from "./bytes.mjs";
import { isObject, same } from "./canonical.mjs";
import { must } from "./faults.mjs";

const MOMENT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const TO_THE_MILLISECOND = 23;
const TYPE = /^[a-z]+(_[a-z]+)*$/;

/** The fields of every event. */
const FIELDS = "at,by,command,data,deal,hash,prev,table,type,v,version";

const isSeat = (value) => Number.isInteger(value) && value >= 0;
const isTrue = (value) => value === true;

/** Whose an event may be, and what then stands there. */
const BY = { seat: isSeat, player: isUuid, bot: isSeat, clock: isTrue, server: isTrue };

/** What the header tells in the words of `table_opened`. */
const OPENED = [
  ..."game rules_version options host clock absence spectators visibility".split(" "),
  ..."rated autostart rematch_of".split(" "),
];

const STATUS = { match_ended: "finished", table_abandoned: "abandoned" };

/** Whether something is the name of a kind of event, known or not. */
export const isType = (text) => typeof text === "string" && TYPE.test(text);

/** Whether something is a time that there is, in its one spelling. */
function isMoment(text) {
  if (typeof text !== "string" || !MOMENT.test(text)) return false;
  const start = text.slice(0, TO_THE_MILLISECOND);
  const time = new Date(`${start}Z`);
  return !Number.isNaN(time.valueOf()) && time.toISOString() === `${start}Z`;
}

const fieldsOf = (value) => Object.keys(value).sort().join();

/** Every line is spelled canonically, and is an event of this table. */
export function* form({ table, events, misspelled }) {
  for (const [place, event] of events.entries()) {
    yield place + 1;
    must(!misspelled.has(place + 1), misspelled.get(place + 1));
    must(isObject(event), "is not an object");
    must(fieldsOf(event) === FIELDS, "has not the fields of an event");
    must(event.v === 1, "has a form that this program does not know");
    must(event.table === table.id, "is of another table");
    must(isType(event.type), "has no type");
    must(isMoment(event.at), "has no time");
    must(isUuid(event.command), "has no command");
    must(event.deal === null || event.deal > 0, "has no number of a deal, or null");
    must(isObject(event.data), "has no data");
    const [who, ...others] = Object.keys(event.by);
    const one = others.length === 0 && Object.hasOwn(BY, who) && BY[who](event.by[who]);
    must(one, "does not say by whom it is");
    must(isHex(event.prev) && isHex(event.hash), "lacks its links");
  }
  const after = events.length + 1;
  const behind = [...misspelled.keys()].find((version) => version >= after);
  must(behind === undefined, misspelled.get(behind), after);
}

/**
 * What the header tells of the table is what its events do, no more and no less.
 *
 * But for `seats`, a convenience that goes by the last event and is not looked at.
 */
export function* header({ table, events }) {
  const { at, data } = events[0];
  const told = {
    ...Object.fromEntries(OPENED.map((name) => [name, data[name]])),
    arranged: data.arranged !== null,
    created_at: at,
    // Where the table is not over, that is for `reveals` to find.
    status: STATUS[events.at(-1).type] ?? table.status,
  };
  const due = fieldsOf({ ...told, id: table.id, seats: table.seats });
  must(fieldsOf(table) === due, "is told of by the header in more words, or fewer", 1);
  for (const [name, said] of Object.entries(told)) {
    yield 1;
    must(same(said, table[name]), "is not what the header says");
  }
}
