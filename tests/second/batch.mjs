/**
 * Many records in one process: a case a line of standard input, a report a line out.
 *
 * `{"whole": base64}` is a record, and the one that later cases change:
 * `{"change": [start, end, base64]}` puts bytes in the place of some of its own. `head`
 * beside them is a head that was kept.
 */

import { createInterface } from "node:readline";

import { NotARecord, verify } from "../../openapi/verify/verify.mjs";

const bytes = (text) => Buffer.from(text, "base64");

let whole = Buffer.alloc(0);

for await (const line of createInterface({ input: process.stdin })) {
  const { whole: given, change, head } = JSON.parse(line);
  if (given !== undefined) whole = bytes(given);
  const [start, end, text] = change ?? [0, 0, ""];
  const record = [whole.subarray(0, start), bytes(text), whole.subarray(end)];
  console.log(JSON.stringify(report(Buffer.concat(record), head)));
}

function report(record, head) {
  try {
    return verify(record, head);
  } catch (wrong) {
    if (wrong instanceof NotARecord) return { not_a_record: wrong.message };
    throw wrong;
  }
}
