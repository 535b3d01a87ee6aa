/** How each game turns words into cards: its pack, its hands, what lies open. */

const RANKS = [..."23456789TJQKA"];
/** The 52 ordinary cards in pack order. */
export const ONE_PACK = [..."CDHS"].flatMap((suit) => RANKS.map((rank) => rank + suit));
const PACK_ORDER = [...ONE_PACK, "JK"];

/** The low cards that are left out so that all seats get as many. */
const LEFT_OUT = {
  3: ["2D"],
  4: [],
  5: ["2D", "2C"],
  6: ["2D", "2C", "2S", "3C"],
  7: ["2D", "2C", "2S"],
};

/** Version 1 of each game: how many seats may play, and how a deal is dealt. */
export const GAMES = {
  hearts: { seats: [3, 7], deal: dealtOut },
  "auction-hearts": { seats: [3, 7], deal: dealtOut },
  "cancellation-hearts": {
    seats: [6, 11],
    deal: (words, seats, dealer) =>
      oneAtATime(words.shuffled([...ONE_PACK, ...ONE_PACK]), seats, dealer),
  },
  tetka: { seats: [4, 4], deal: withPhotograph },
  "agony-aunt": { seats: [4, 4], deal: withTurnedCard },
};

function dealtOut(words, seats, dealer) {
  const pack = ONE_PACK.filter((card) => !LEFT_OUT[seats].includes(card));
  return oneAtATime(words.shuffled(pack), seats, dealer);
}

/** The photograph comes from a pack of its own, or is the last card dealt. */
function withPhotograph(words, seats, dealer, options) {
  const order = words.shuffled(ONE_PACK);
  const card =
    options.photograph === "last_card" ? order.at(-1) : ONE_PACK[words.below(52)];
  return { ...oneAtATime(order, seats, dealer), shown: { card, as: "photograph" } };
}

/** The first card is turned; a Joker is buried among the rest, and the next turned. */
function withTurnedCard(words, seats, dealer) {
  const [first, ...rest] = words.shuffled(PACK_ORDER);
  let card = first;
  if (first === "JK") {
    card = rest.shift();
    rest.splice(words.below(52), 0, "JK");
  }
  return { ...oneAtATime(rest, seats, dealer), shown: { card, as: "turned" } };
}

/** Cards go round one at a time from the dealer's left; what is left is the kitty. */
function oneAtATime(order, seats, dealer) {
  const dealt = order.length - (order.length % seats);
  const hands = Array.from({ length: seats }, () => []);
  order.slice(0, dealt).forEach((card, turn) => {
    hands[(dealer + 1 + turn) % seats].push(card);
  });
  return { shown: null, hands: hands.map(inOrder), kitty: inOrder(order.slice(dealt)) };
}

function inOrder(cards) {
  const place = (card) => PACK_ORDER.indexOf(card);
  return cards.sort((one, other) => place(one) - place(other));
}

/**
 * Who sits where once all have drawn: each takes the next card, and who drew alike
 * draws on. The lowest takes the first seat.
 */
export function drawnSeats(words, seats) {
  const order = words.shuffled(ONE_PACK);
  const cards = Array.from({ length: seats }, () => []);
  const ranks = (drawn) => drawn.map(([rank]) => RANKS.indexOf(rank));
  for (let alike = [...cards.keys()]; alike.length > 0; ) {
    for (const seat of alike) cards[seat].push(order.shift());
    const texts = cards.map((drawn) => ranks(drawn).join());
    alike = [...texts.keys()].filter(
      (seat) => texts.indexOf(texts[seat]) !== texts.lastIndexOf(texts[seat]),
    );
  }
  const upwards = [...cards.keys()].sort((one, other) =>
    lexically(ranks(cards[one]), ranks(cards[other])),
  );
  return { cards, seats: [...cards.keys()].map((seat) => upwards.indexOf(seat)) };
}

/** Before zero where the first list of numbers comes first. */
function lexically(one, other) {
  const place = one.findIndex((rank, at) => rank !== other[at]);
  return one[place] - other[place];
}
