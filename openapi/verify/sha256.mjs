/**
 * SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104).
 *
 * Our own, because a record takes thousands of short hashes: Web Crypto answers each
 * one later, several times slower, and not at all where a page has no secure origin.
 */

import { joined } from "./bytes.mjs";

const BLOCK = 64;

/** The first 32 bits of the fractions of the cube roots of the first 64 primes. */
const CUBE_ROOTS = Uint32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
  0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
  0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
  0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
  0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

/** The same of the square roots of the first 8. */
const SQUARE_ROOTS = Uint32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

/** The digest of the parts, one after another. */
export function sha256(...parts) {
  const message = padded(joined(parts));
  const state = SQUARE_ROOTS.slice();
  const view = new DataView(message.buffer);
  const w = new Uint32Array(64);
  for (let at = 0; at < message.length; at += BLOCK) take(state, w, view, at);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, place) => out.setUint32(4 * place, word));
  return digest;
}

/** The code of the parts, one after another, under a key of at most 64 bytes. */
export function hmac(key, ...parts) {
  const wide = new Uint8Array(BLOCK);
  wide.set(key);
  const inner = sha256(wide.map((byte) => byte ^ 0x36), ...parts);
  return sha256(wide.map((byte) => byte ^ 0x5c), inner);
}

/** The message, a one bit, zeros, and its length in bits, in whole blocks. */
function padded(message) {
  const blocks = Math.ceil((message.length + 9) / BLOCK);
  const whole = new Uint8Array(blocks * BLOCK);
  whole.set(message);
  whole[message.length] = 0x80;
  const bits = BigInt(message.length) * 8n;
  new DataView(whole.buffer).setBigUint64(whole.length - 8, bits);
  return whole;
}

/** Take up one block into the state; `w` is room to work in. */
function take(state, w, view, at) {
  for (let t = 0; t < 16; t += 1) w[t] = view.getUint32(at + 4 * t);
  for (let t = 16; t < 64; t += 1) {
    const early = w[t - 15];
    const late = w[t - 2];
    const s0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const s1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let t = 0; t < 64; t += 1) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const choice = (e & f) ^ (~e & g);
    const one = (h + s1 + choice + CUBE_ROOTS[t] + w[t]) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e] = [g, f, e, (d + one) | 0];
    [d, c, b, a] = [c, b, a, (one + s0 + majority) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => {
    state[place] += word;
  });
}

/** The word with its bits turned to the right. */
const turned = (word, by) => (word >>> by) | (word << (32 - by));
