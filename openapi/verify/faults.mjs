/** What can be wrong with a record, and with what is no record at all. */

/**
 * An event is not what it had to be.
 *
 * `version` is left out where it is the one that is being looked at.
 */
export class Fault extends Error {
  constructor(why, version) {
    super(why);
    this.version = version;
  }
}

/** The bytes are not a record, so that no version of it can be named. */
export class NotARecord extends Error {}

/** Fail unless `holds`. */
export function must(holds, why, version) {
  if (!holds) throw new Fault(why, version);
}
