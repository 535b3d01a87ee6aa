/** `match/1` and `deal/1`: commitments, keys, and the cards and numbers of a key. */

import { joined, u32, u64, utf8, uuid } from "./bytes.mjs";
import { hmac, sha256 } from "./sha256.mjs";

const WORDS = 0x10000;

/** What a table says of its match's secret when it opens. */
export function matchCommitment(table, secret) {
  return sha256(utf8("match/1 commit\0"), uuid(table), secret);
}

/** The secret of a deal, from that of its match. */
export function dealSecret(table, deal, secret) {
  return hmac(secret, utf8("match/1 deal\0"), uuid(table), u32(deal));
}

/** What a deal says of its secret when it starts. */
export function dealCommitment(table, deal, secret) {
  return sha256(utf8("deal/1 commit\0"), uuid(table), u32(deal), secret);
}

/** The key of a deal's words; `entropy` is what each seat gave. */
export function dealKey(table, deal, secret, entropy) {
  const place = [uuid(table), u32(deal)];
  return hmac(secret, utf8("deal/1 seed\0"), ...place, ...counted(entropy));
}

/** The key of a draw of the match: 0 for the first dealer, then for seats. */
export function drawKey(table, draw, secret, entropy) {
  const place = [uuid(table), u32(draw)];
  return hmac(secret, utf8("match/1 draw\0"), ...place, ...counted(entropy));
}

const counted = (entropy) => [Uint8Array.of(entropy.length), joined(entropy)];

/** The 16-bit words of a key, from which numbers are drawn without bias. */
export class Words {
  constructor(key) {
    this.words = wordsOf(key);
  }

  /** A number from 0 to `bound` - 1, which is at most 65535. */
  below(bound) {
    const fair = WORDS - (WORDS % bound);
    let word;
    do word = this.words.next().value;
    while (word >= fair);
    return word % bound;
  }

  /** The items of a list in an order drawn from the words. */
  shuffled(items) {
    const order = [...items];
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = this.below(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }
}

function* wordsOf(key) {
  for (let block = 0; ; block += 1) {
    const digest = sha256(key, u64(block));
    for (let at = 0; at < digest.length; at += 2) {
      yield digest[at] * 256 + digest[at + 1];
    }
  }
}
