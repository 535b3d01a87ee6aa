/** Digests and codes of messages of every length up to three blocks, a line each. */

import { hex } from "../../openapi/verify/bytes.mjs";
import { hmac, sha256 } from "../../openapi/verify/sha256.mjs";

for (let length = 0; length <= 192; length += 1) {
  const message = Uint8Array.from({ length }, (_, place) => (length * 7 + place) % 256);
  const key = message.subarray(0, 64);
  console.log(hex(sha256(message)), hex(hmac(key, message)));
}
