/** What the second verifier works out of each vector: `{file: [{field: value}]}`. */

import { readFileSync } from "node:fs";

import { hex, unhex } from "../../openapi/verify/bytes.mjs";
import { canonical, object } from "../../openapi/verify/canonical.mjs";
import { link, origin } from "../../openapi/verify/chain.mjs";
import { GAMES, ONE_PACK } from "../../openapi/verify/games.mjs";
import { salt, seal } from "../../openapi/verify/seals.mjs";
import {
  Words,
  dealCommitment,
  dealKey,
  dealSecret,
  drawKey,
  matchCommitment,
} from "../../openapi/verify/shuffle.mjs";

const FILES = {
  "chain-1": chained,
  "seal-1": sealed,
  "match-1": committed,
  "deal-1": shuffled,
  "games-1": (vector) => ("game" in vector ? dealt(vector) : drawn(vector)),
};

const entropyOf = ({ entropy }) => entropy.map((given) => unhex(given));

const results = Object.entries(FILES).map(([name, worked]) => {
  const file = new URL(`../vectors/${name}.json`, import.meta.url);
  return [name, [JSON.parse(readFileSync(file))].flat().map(worked)];
});
console.log(JSON.stringify(Object.fromEntries(results)));

function chained({ table, links }) {
  let head = origin(table);
  const h0 = hex(head);
  return {
    h0,
    links: links.map(({ body }) => {
      head = link(head, body);
      return { body: canonical(object(body)), hash: hex(head) };
    }),
  };
}

function sealed({ table, version, body, ...vector }) {
  const salted = salt(unhex(vector.deal_secret), table, version);
  return { salt: hex(salted), seal: hex(seal(table, version, salted, body)) };
}

function committed({ table, deal, ...vector }) {
  const match = unhex(vector.match_secret);
  const secret = dealSecret(table, deal, match);
  return {
    match_commitment: hex(matchCommitment(table, match)),
    deal_secret: hex(secret),
    deal_commitment: hex(dealCommitment(table, deal, secret)),
  };
}

function shuffled({ table, deal, n, ...vector }) {
  const secret = unhex(vector.deal_secret);
  const key = dealKey(table, deal, secret, entropyOf(vector));
  return {
    commitment: hex(dealCommitment(table, deal, secret)),
    deal_key: hex(key),
    order: new Words(key).shuffled([...Array(n).keys()]),
  };
}

function dealt({ game, seats, table, deal, dealer, ...vector }) {
  const secret = dealSecret(table, deal, unhex(vector.match_secret));
  const key = dealKey(table, deal, secret, entropyOf(vector));
  const { hands, kitty, shown } = GAMES[game].deal(new Words(key), seats, dealer, {});
  const open = shown ? { [shown.as]: shown.card } : {};
  return { deal_key: hex(key), hands, kitty, turned: null, ...open };
}

function drawn({ table, draw, seats, ...vector }) {
  const key = drawKey(table, draw, unhex(vector.match_secret), entropyOf(vector));
  const words = new Words(key);
  const result = draw
    ? { seat_cards: words.shuffled(ONE_PACK).slice(0, 8) }
    : { first_dealer: words.below(seats) };
  return { draw_key: hex(key), ...result };
}
