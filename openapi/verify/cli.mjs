#!/usr/bin/env node
/** Verify a record from the command line; `-` is standard input. */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { isHex } from "./bytes.mjs";
import { told } from "./telling.mjs";
import { NotARecord, verify } from "./verify.mjs";

const USAGE = `node cli.mjs FILE [--head HEX] [--json]

Exit status: 0 the record is good, 1 it is not, 2 it is no record.`;

process.exitCode = main(process.argv.slice(2));

function main(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { head: { type: "string" }, json: { type: "boolean", default: false } },
    });
    const [file, ...others] = positionals;
    const head = values.head ?? null;
    if (!file || others.length > 0) throw new TypeError(USAGE);
    if (head !== null && !isHex(head)) throw new TypeError("A head is 64 hex digits.");
    const report = verify(readFileSync(file === "-" ? 0 : file), head);
    console.log(values.json ? JSON.stringify(report) : told(report));
    return report.ok ? 0 : 1;
  } catch (wrong) {
    const known = wrong instanceof NotARecord;
    console.error(known ? `not a record: ${wrong.message}` : wrong.message);
    return 2;
  }
}
