/** No deal was chosen: dealers, seats and cards follow from secrets and entropy. */

import { canonical, same } from "./canonical.mjs";
import { must } from "./faults.mjs";
import { GAMES, drawnSeats } from "./games.mjs";
import { dealsOf, entropyOf, matchOf, numbered } from "./match.mjs";
import { Words, dealKey, drawKey } from "./shuffle.mjs";

const RUBBERS_A_SEATING = 4;
const DEALING = ["card_turned", "hand_dealt", "kitty_dealt"];

/**
 * Who deals first, and who after that; in Tetka, who sits where after four rubbers.
 *
 * The deal goes to the left, and after a rubber to the left of who opened it.
 */
export function* draws(record) {
  const { table, events } = record;
  if (!events.some(({ type }) => type === "match_started")) return;
  const { seats } = gameOf(record);
  const { secret, arrangement } = matchOf(record);
  const entropy = entropyOf(record, seats);
  const draw = (number) => new Words(drawKey(table.id, number, secret, entropy));
  let next = arrangement.first_dealer ?? draw(0).below(seats);
  let opener = next;
  let rubbers = 0;
  let drawn = 0;
  for (const { type, version, data } of numbered(events)) {
    if (type === "rubber_ended") {
      rubbers += 1;
      opener = next = (opener + 1) % seats;
    } else if (type === "seats_drawn") {
      yield version;
      drawn += 1;
      must(rubbers === drawn * RUBBERS_A_SEATING, "is no time to draw for seats");
      const due = { draw: drawn, ...drawnSeats(draw(drawn), seats) };
      must(same(data, due), "does not draw what follows from the secrets");
    } else if (type === "deal_started") {
      yield version;
      const seated = drawn === Math.floor(rubbers / RUBBERS_A_SEATING);
      must(seated, "comes before the players have drawn for seats");
      must(data.dealer === next, "has another dealer than follows");
      next = (next + 1) % seats;
    }
  }
}

/** What is dealt follows from the deal's secret and the entropy, or was arranged. */
export function* deals(record) {
  const { game, seats, options } = gameOf(record);
  const { arrangement } = matchOf(record);
  const shuffled = ({ number, secret, started }) => {
    const key = dealKey(record.table.id, number, secret, entropyOf(record, seats));
    return game.deal(new Words(key), seats, started.data.dealer, options);
  };
  for (const deal of dealsOf(record)) {
    yield deal.started.version;
    const chosen = arrangement.deals[deal.number - 1];
    const meant = deal.started.data.arranged === Boolean(chosen);
    must(meant, "is not arranged as was sealed");
    mustBeDealt(record, deal, chosen ? asArranged(chosen) : shuffled(deal));
  }
}

/** The game of a table, which is one that so many can play. */
function gameOf({ events }) {
  const { game: name, rules_version: rules, seats: plan, options } = events[0].data;
  const game = Object.hasOwn(GAMES, name) && rules === 1 ? GAMES[name] : null;
  must(game !== null, "is of a game that this program does not know", 1);
  const [fewest, most] = game.seats;
  const seats = plan.length;
  must(fewest <= seats && seats <= most, "has another number of seats", 1);
  return { game, seats, options };
}

function asArranged({ hands, turned, photograph, kitty }) {
  let shown = null;
  if (photograph) shown = { card: photograph, as: "photograph" };
  if (turned) shown = { card: turned, as: "turned" };
  return { hands, kitty, shown };
}

/** The events after a deal's start show and hide exactly these cards. */
function mustBeDealt({ events }, { started, revealed }, layout) {
  let version = started.version;
  for (const due of dealt(layout)) {
    version += 1;
    const { type, command, data } = events[version - 1];
    const meant = type === due.type && command === started.command;
    must(meant, `is not the ${due.type} that follows`, version);
    const { seal: _seal, ...open } = data;
    must(same(open, due.open), "does not deal what follows", version);
    if (due.cards === undefined) continue;
    const hidden = revealed.data.opened.find((it) => it.version === version);
    must(hidden, "does not open all that was dealt", revealed.version);
    must(hidden.body === canonical({ cards: due.cards }), "deals other cards", version);
  }
  const later = events.slice(version, revealed.version);
  const more = later.findIndex(({ type }) => DEALING.includes(type));
  must(more < 0, "deals more than follows", version + more + 1);
}

/** The events that deal a layout: what is open of each, and the cards that are not. */
function dealt({ shown, hands, kitty }) {
  const all = hands.map((cards, seat) => ({
    type: "hand_dealt",
    open: { seat, count: cards.length },
    cards,
  }));
  if (shown) all.unshift({ type: "card_turned", open: shown });
  if (kitty.length > 0) {
    all.push({ type: "kitty_dealt", open: { count: kitty.length }, cards: kitty });
  }
  return all;
}
