"""Nobody's view depends on what is hidden from them: a harness for any game.

A *twin* of a table is the same table in another world: some cards of which a viewer
knows nothing have changed places under the seals of the deal that is on, and every
public move is legal there too and has the same public consequences, the next turn among
them. Whatever the viewer can see or try must then be the same at both tables, byte for
byte. What is allowed to differ, the seals, is left out of the comparison.
"""

import json
from collections.abc import Iterator
from random import Random
from typing import Any, TypeAlias

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from domain import chain, log, views
from domain.cards import Card, Suit
from domain.commands import (
    Act,
    Bid,
    Command,
    Decline,
    Move,
    NameSuit,
    Pass,
    Play,
    Resume,
    SettleMoon,
)
from domain.deciding import Given, decide
from domain.errors import Refusal
from domain.events import (
    CardsPassed,
    DealRevealed,
    DealStarted,
    Event,
    HandDealt,
    KittyDealt,
)
from domain.ids import Seat, Secret, Version
from domain.table import Table, fold
from tests.driver import BEGINNING, Driver

Exchange: TypeAlias = dict[Seat | None, tuple[Card, Card]]
"""Which card of a seat's hand, or of the kitty (None), becomes which."""

UNFORESEEN = Given(BEGINNING, Secret(b"\x5e" * 32), Secret(b"\xe5" * 32))


class Twin(Struct, frozen=True):
    """The table of another world, and all its events, append by append."""

    table: Table
    appends: list[list[Event]]


def twins(
    driver: Driver, viewer: Seat | None, chance: Random, *, tries: int = 40
) -> Iterator[Twin]:
    """Worlds ever further from the driven one that the viewer cannot tell from it.

    `viewer` is a seat, or None for the public, who knows of no sealed card.
    """
    known = _known_versions(driver, viewer)
    twin = Twin(driver.table, driver.appends)
    for _ in range(tries):
        exchange = _some_exchange(twin, known, chance)
        further = exchange and _exchanged(driver, twin, exchange, known)
        if further and further.table != twin.table:
            twin = further
            yield twin


def _known_versions(driver: Driver, viewer: Seat | None) -> set[Version]:
    """The versions whose sealed texts the viewer has been opened."""
    if viewer is None:
        return set()
    return {
        version
        for line in driver.lines
        for version in views.opens(log.public_event(line.body), viewer)
    }


def _deal_begins(appends: list[list[Event]]) -> tuple[int, int, int]:
    """Where the latest deal starts: its append, its place in that, and in the log."""
    for at in range(len(appends) - 1, -1, -1):
        for place, event in enumerate(appends[at]):
            if isinstance(event, DealStarted):
                return at, place, sum(map(len, appends[:at])) + place
    msg = "no deal has started"
    raise LookupError(msg)


def _some_exchange(twin: Twin, known: set[Version], chance: Random) -> Exchange | None:
    """Two cards to change places between hands, or a hand and the kitty."""
    at, place, before = _deal_begins(twin.appends)
    hidden = [
        event
        for version, event in enumerate(twin.appends[at][place:], before + 1)
        if isinstance(event, HandDealt | KittyDealt) and version not in known
    ]
    if len(hidden) < 2:
        return None
    one, other = chance.sample(hidden, 2)
    first, second = chance.choice(one.cards), chance.choice(other.cards)
    return {
        getattr(one, "seat", None): (first, second),
        getattr(other, "seat", None): (second, first),
    }


def _exchanged(
    driver: Driver, twin: Twin, exchange: Exchange, known: set[Version]
) -> Twin | None:
    """The twin with two cards exchanged under its seals, if it is a possible world."""
    at, place, _ = _deal_begins(twin.appends)
    dealing = twin.appends[at]
    dealt = [*dealing[:place], *(_renamed(it, exchange) for it in dealing[place:])]
    before = driver.tables[at - 1] if at else None
    table = log.follow(driver.id, before, dealt, driver.moments[at])
    appends = [*twin.appends[:at], dealt]
    for later in range(at + 1, len(twin.appends)):
        if views.to_act(table) != views.to_act(driver.tables[later - 1]):
            return None
        was, moment = twin.appends[later], driver.moments[later]
        command = _in_twin(driver.commands[later], was, exchange)
        try:
            events = decide(table, command, replace(UNFORESEEN, now=moment))
        except Refusal:
            return None
        if [public(event) for event in events] != [public(event) for event in was]:
            return None
        both = zip(events, was, strict=True)
        for version, (event, other) in enumerate(both, table.version + 1):
            if version in known and event != other:
                return None
        table = fold(table, events, moment)
        appends.append(events)
    same_turn = views.to_act(table) == views.to_act(driver.table)
    return Twin(table, appends) if same_turn else None


def _renamed(event: Event, exchange: Exchange) -> Event:
    """A sealed event with its card exchanged, in pack order again."""
    if not isinstance(event, HandDealt | KittyDealt | CardsPassed):
        return event
    was, becomes = exchange.get(getattr(event, "seat", None), (None, None))
    if was is None or becomes is None or was not in event.cards:
        return event
    cards = list(event.cards)
    cards[cards.index(was)] = becomes
    return replace(event, cards=tuple(sorted(cards, key=lambda card: card.index)))


def _in_twin(command: Command, was: list[Event], exchange: Exchange) -> Command:
    """The command that brings the same append about in the other world."""
    if isinstance(command, Act) and isinstance(command.move, Pass):
        cards = getattr(_renamed(was[0], exchange), "cards", ())
        return Act(command.seat, Pass(cards=cards))
    if isinstance(command, Resume) and isinstance(command.move, Pass):
        cards = getattr(_renamed(was[1], exchange), "cards", ())
        return Resume(command.seat, Pass(cards=cards))
    return command


def public(event: Event) -> tuple[str, dict[str, Any]]:
    """What the public log has of an event, without seals."""
    hidden = {*event.sealed, "secret"}
    fields = {
        name: getattr(event, name)
        for name in event.__struct_fields__
        if name not in hidden
    }
    return type(event).__name__, fields


def seen(table: Table, viewer: Seat | None) -> dict[str, object]:
    """All that a viewer can see of a table, and be told when trying what it likes."""
    shown: dict[str, object] = {
        "view": chain.canonical(views.view(table, viewer)),
        "public view": chain.canonical(views.view(table, None)),
    }
    if viewer is not None:
        shown["sight"] = chain.canonical(views.sight(table, viewer))
        shown["decision"] = chain.canonical(views.decision(table, viewer))
        for move in _tries(table, viewer):
            shown[f"{move}"] = _answer(table, Act(viewer, move))
    return shown


def _tries(table: Table, viewer: Seat) -> Iterator[Move]:
    """Moves of all kinds, legal or not, with every card of the pack."""
    view = views.view(table, viewer)
    own = view.deal.hand if view.deal and view.deal.hand else ()
    for card in Card:
        yield Play(card=card)
        yield Pass(cards=(card, *[it for it in own if it is not card][:2]))
    yield from (SettleMoon(how="add"), SettleMoon(how="subtract"))
    yield from (Decline(), Bid(chips=1), Bid(chips=50))
    yield from (NameSuit(suit=suit) for suit in Suit)


def _answer(table: Table, command: Command) -> object:
    """The refusal in full, or the public part of what follows."""
    try:
        events = decide(table, command, UNFORESEEN)
    except Refusal as refusal:
        rule = getattr(refusal, "rule", None)
        return type(refusal).__name__, refusal.text, rule, dict(refusal.facts)
    # When the deal is over all lie open: there the worlds may part.
    over = [isinstance(event, DealRevealed) for event in events]
    events = events[: over.index(True)] if True in over else events
    return [to_builtins(public(event), str_keys=True) for event in events]


def logged(driver: Driver, appends: list[list[Event]], viewer: Seat | None) -> object:
    """The log as the viewer gets it: public bytes without seals, and what is opened."""
    lines: list[log.Line] = []
    table: Table | None = None
    for events, moment in zip(appends, driver.moments, strict=False):
        first = log.public_event(driver.lines[len(lines)].body)
        around = log.Circumstances(first.at, first.by, first.command)
        head = lines[-1].hash if lines else chain.origin(driver.id)
        lines += log.write(driver.id, table, head, events, around)
        table = log.follow(driver.id, table, events, moment)
    kept = {line.version: json.loads(line.kept or b"{}") for line in lines}
    texts = []
    for line in lines:
        body = json.loads(line.body)
        body["data"].pop("seal", None)
        opened = (
            () if viewer is None else views.opens(log.public_event(line.body), viewer)
        )
        texts.append((body, [kept[version]["body"] for version in opened]))
    return texts


def assert_nothing_hidden_shows(
    driver: Driver, viewer: Seat | None, chance: Random, *, tries: int = 40
) -> int:
    """Compare the table with its twins; how many there were is answered.

    A view, a sight, a decision, an answer or a line of the log that differs between two
    worlds that the viewer cannot know apart fails here, by its name.
    """
    here = seen(driver.table, viewer)
    log_here = logged(driver, driver.appends, viewer)
    count = 0
    for twin in twins(driver, viewer, chance, tries=tries):
        count += 1
        there = seen(twin.table, viewer)
        names = here.keys() | there.keys()
        assert [it for it in names if here.get(it) != there.get(it)] == []
        if count == 1:
            assert logged(driver, twin.appends, viewer) == log_here
    return count
