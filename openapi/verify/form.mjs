/** That every line is an event of the table, and the header true of them. */

import { isHex, isUuid } from "./bytes.mjs";
import { isObject, same } from "./canonical.mjs";
import { must } from "./faults.mjs";

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const TYPE = /^[a-z]+(_[a-z]+)*$/;
const BY = ["seat", "player", "bot", "clock", "server"];
const STATUS = { match_ended: "finished", table_abandoned: "abandoned" };

/** Whether something is the name of a kind of event, known or not. */
export const isType = (text) => typeof text === "string" && TYPE.test(text);

/** Every line is spelled canonically, and is an event of this table. */
export function* form({ table, events, misspelled }) {
  for (const [place, event] of events.entries()) {
    yield place + 1;
    must(!misspelled.has(place + 1), misspelled.get(place + 1));
    must(isObject(event), "is not an object");
    must(event.v === 1, "has a form that this program does not know");
    must(event.table === table.id, "is of another table");
    must(isType(event.type), "has no type");
    must(MOMENT.test(event.at), "has no time");
    must(isUuid(event.command), "has no command");
    must(event.deal === null || event.deal > 0, "has no number of a deal, or null");
    must(isObject(event.data), "has no data");
    const [who, ...others] = Object.keys(event.by);
    must(BY.includes(who) && others.length === 0, "does not say by whom it is");
    must(isHex(event.prev) && isHex(event.hash), "lacks its links");
    must(!("opens" in event), "holds what no hash covers");
  }
  const after = events.length + 1;
  must(!misspelled.has(after), misspelled.get(after), after);
}

/**
 * What the header tells of the table is what its events do.
 *
 * But for `seats`, a convenience that goes by the last event and is not looked at.
 */
export function* header({ table, events }) {
  const { at, data } = events[0];
  const { id: _id, seats: _seats, ...rest } = table;
  const { seats: _plan, ...opened } = data;
  const arranged = data.arranged !== null;
  const status = STATUS[events.at(-1).type];
  const told = { ...opened, arranged, status, created_at: at };
  for (const [name, said] of Object.entries(rest)) {
    must(Object.hasOwn(told, name), "is told more of by the header than by events", 1);
    if (told[name] === undefined) continue;
    yield 1;
    must(same(told[name], said), "is not what the header says");
  }
}
