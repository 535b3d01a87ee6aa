/**
 * Reading a record, `misere-record/1`, from its bytes.
 *
 * It comes as lines (a header, the events, an end) or as one JSON document. Each line
 * must be in canonical spelling. A document may have white space, its keys in another
 * order and its characters escaped, but no key twice and no number in another spelling.
 */

import { isHex, isUuid } from "./bytes.mjs";
import { canonical, isObject, object } from "./canonical.mjs";
import { Fault, NotARecord, must } from "./faults.mjs";

const FORMAT = "misere-record/1";
const NEWLINE = 0x0a;
const STRING_OR_SPACE = /"[^"\\]*(?:\\[^][^"\\]*)*"|[ \t\r\n]+/g;

/** A byte order mark is kept, and so is no JSON. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The record in these bytes: `table` (the header's facts), `events`, and `end`, which
 * names head and version.
 *
 * `misspelled` tells by version what is wrong with how a line is written: the header
 * counts to version 1, the end and what stands behind it to those after the last event.
 * Where a line cannot be read, the record ends before it.
 */
export function read(bytes) {
  const lines = split(bytes).map(line);
  const { value: header } = lines[0];
  const inLines = header !== null && !("events" in header);
  const record = inLines ? fromLines(lines) : fromDocument(bytes);
  if (record.format !== FORMAT) throw new NotARecord(`its format is not ${FORMAT}`);
  if (!isObject(record.table) || !isUuid(record.table.id)) {
    throw new NotARecord("it names no table");
  }
  return record;
}

function fromLines([header, ...lines]) {
  const misspelled = new Map();
  if (header.wrong) misspelled.set(1, header.wrong);
  lines.forEach(({ wrong }, place) => {
    if (wrong) misspelled.set(place + 1, wrong);
  });
  const unreadable = lines.findIndex(({ value }) => value === null);
  const values = lines.map(({ value }) => value);
  if (unreadable >= 0) values.length = unreadable;
  const end = values.length > 0 && isEnd(values.at(-1)) ? values.pop() : {};
  const { format, table, ...more } = header.value;
  if (Object.keys(more).length > 0) throw new NotARecord("its header says more");
  return { format, table, events: values, end, misspelled };
}

function isEnd({ head, version, ...more }) {
  return isHex(head) && Number.isInteger(version) && Object.keys(more).length === 0;
}

function fromDocument(bytes) {
  let whole;
  try {
    const text = decoder.decode(bytes);
    whole = object(text);
    must(compact(text) === JSON.stringify(whole), "says something twice");
  } catch (fault) {
    const why = fault instanceof Fault ? fault.message : "cannot be read";
    throw new NotARecord(`as a whole it ${why}`);
  }
  const { format, table, events, ...end } = whole;
  if (!Array.isArray(events)) throw new NotARecord("it has no list of events");
  return { format, table, events, end, misspelled: new Map() };
}

/** The text without white space between its tokens, its strings in one spelling. */
function compact(text) {
  return text.replace(STRING_OR_SPACE, (token) =>
    token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : "",
  );
}

/** The object in a line, null where there is none, and what is wrong with the line. */
function line(bytes) {
  let value = null;
  try {
    const text = decoder.decode(bytes);
    value = object(text);
    must(canonical(value) === text, "is not in its canonical spelling");
    return { value, wrong: null };
  } catch (fault) {
    const wrong = fault instanceof Fault ? fault.message : "is not UTF-8";
    return { value, wrong };
  }
}

/** The lines of a file, whose last one may end in a newline as well. */
function split(bytes) {
  const lines = [];
  let start = 0;
  for (let end; (end = bytes.indexOf(NEWLINE, start)) >= 0; start = end + 1) {
    lines.push(bytes.subarray(start, end));
  }
  if (start < bytes.length || start === 0) lines.push(bytes.subarray(start));
  return lines;
}
