"""The course of a match: its start, each deal's start and end, its own end."""

from typing import Final

from domain.cards import cards_of, holding
from domain.events import (
    CardTurned,
    DealRevealed,
    DealStarted,
    DealVoided,
    Event,
    HandDealt,
    KittyDealt,
    MatchEnded,
    MatchRevealed,
    MatchStarted,
    Opened,
    TableAbandoned,
)
from domain.game import Layout, State
from domain.ids import Seat, Secret, Version
from domain.log import sealed_body
from domain.shuffle import (
    Words,
    deal_commitment,
    deal_key,
    deal_secret,
    draw_key,
)
from domain.table import Table, evolve
from domain.terms import ArrangedDeal

FIRST_DEALER_DRAW: Final = 0


def start(table: Table, secret: Secret) -> list[Event]:
    """The match begins, and its first deal with it."""
    entropy = tuple(given.hex() for given in table.entropy)
    started = MatchStarted(players=table.seats, entropy=entropy)
    return [started, *start_deal(evolve(table, [started]), secret)]


def start_deal(table: Table, secret: Secret) -> list[Event]:
    """The next deal; `secret` is fresh, and used where the deal is arranged."""
    drawn = table.game.draws(_play(table), lambda number: _draw(table, number))
    play = _play(evolve(table, drawn))
    number = play.deal + 1
    dealer = table.game.next_dealer(play) if play.deal else _first_dealer(table)
    chosen = _arranged(table, number)
    if chosen:
        layout = _as_arranged(chosen)
    else:
        secret = deal_secret(table.id, number, table.opened.secret)
        key = deal_key(table.id, number, secret, table.entropy)
        layout = table.game.shuffle(play, dealer, Words(key))
    commitment = deal_commitment(table.id, number, secret).hex()
    started = DealStarted(number, dealer, commitment, chosen is not None, secret)
    events = [*drawn, started, *_dealt(layout)]
    return [*events, *table.game.dealt(_play(evolve(table, events)))]


def _dealt(layout: Layout) -> list[Event]:
    events: list[Event] = [layout.shown] if layout.shown else []
    for seat, hand in enumerate(layout.hands):
        events.append(HandDealt(Seat(seat), hand.bit_count(), cards_of(hand)))
    if layout.kitty:
        cards = cards_of(layout.kitty)
        events.append(KittyDealt(len(cards), cards))
    return events


def end_deal(table: Table, secret: Secret) -> list[Event]:
    """What follows when a deal is scored: its cards revealed, the next deal or the end.

    `table` is the one after the scoring.
    """
    revealed = _reveal_deal(table)
    result = table.game.result(table.play)
    if result is None:
        return [revealed, *start_deal(evolve(table, [revealed]), secret)]
    scores = _play(table).scores
    ended = MatchEnded(result.winners, scores, result.settlement)
    return [revealed, _reveal_match(table), ended]


def abandon(table: Table) -> list[Event]:
    """The table is given up: a deal that is on is void, all secrets are revealed."""
    on = table.deal_on()
    void = [DealVoided(on.deal), _reveal_deal(table)] if on else []
    return [*void, _reveal_match(table), TableAbandoned()]


def _play(table: Table) -> State:
    if table.play is None:
        msg = "a match that has not begun has no deals"
        raise LookupError(msg)
    return table.play


def _first_dealer(table: Table) -> Seat:
    """The arranged one, or one drawn from the committed stream (CM-7, X-17)."""
    arrangement = table.opened.arrangement
    if arrangement and arrangement.first_dealer is not None:
        return arrangement.first_dealer
    return Seat(_draw(table, FIRST_DEALER_DRAW).below(len(table.seats)))


def _draw(table: Table, number: int) -> Words:
    key = draw_key(table.id, number, table.opened.secret, table.entropy)
    return Words(key)


def _arranged(table: Table, number: int) -> ArrangedDeal | None:
    arrangement = table.opened.arrangement
    deals = arrangement.deals if arrangement else ()
    return deals[number - 1] if number <= len(deals) else None


def _as_arranged(deal: ArrangedDeal) -> Layout:
    shown = None
    if deal.turned is not None:
        shown = CardTurned(deal.turned, "turned")
    elif deal.photograph is not None:
        shown = CardTurned(deal.photograph, "photograph")
    return Layout(
        hands=tuple(map(holding, deal.hands)), kitty=holding(deal.kitty), shown=shown
    )


def _reveal_deal(table: Table) -> DealRevealed:
    on = table.started
    if on is None:
        msg = "no deal is on"
        raise LookupError(msg)
    opened = tuple(_opened(version, event) for version, event in table.sealed)
    return DealRevealed(on.deal, on.secret.hex(), opened)


def _reveal_match(table: Table) -> MatchRevealed:
    sealed = (_opened(Version(1), table.opened),) if table.opened.arrangement else ()
    return MatchRevealed(table.opened.secret.hex(), sealed)


def _opened(version: Version, event: Event) -> Opened:
    return Opened(version, sealed_body(event).decode())
