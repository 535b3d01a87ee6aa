"""Records read from files, told in words, and gone through by keys."""

import json
from contextlib import suppress
from io import BytesIO
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.record_file import lines_of
from api.replay.drawing import transcript
from api.replay.faces import Faces
from api.replay.reading import scenes_of
from api.replay.stepping import Place, after
from api.replay.telling import told
from domain.cards import Card
from domain.events import TYPE_OF, CounterPlaced, CountersLost, DealStarted
from domain.ids import Seat
from domain.records import NotARecord
from domain.scenes import Scene
from tests.driver import Driver, cards, hearts, of_kind
from tests.games import TRIALS
from tests.property.effort import QUICK
from tests.records.matches import MATCHES
from tests.records.matches import lines as lines_of_match

UNTOLD: Final = {"hand_dealt", "deal_revealed", "match_revealed"}


def lines(driver: Driver) -> bytes:
    """The record of a table, line by line."""
    return b"\n".join([*driver.record_lines(), b""])


def read(record: bytes) -> list[Scene]:
    """The scenes of a record's file."""
    with lines_of(BytesIO(record)) as lines:
        return scenes_of(lines())


@pytest.fixture(scope="module")
def driver() -> Driver:
    """A match of Hearts that was played."""
    return hearts({"target": 30}, seed=5).finish()


@pytest.fixture(scope="module")
def found(driver: Driver) -> list[Scene]:
    """Its scenes."""
    return read(lines(driver))


def test_a_record_is_read_in_either_form(driver: Driver, found: list[Scene]) -> None:
    """Lines, or a document however it is laid out."""
    record = driver.record()
    for indent in (None, 2):
        assert read(json.dumps(record, indent=indent).encode()) == found


@pytest.mark.parametrize(
    "text",
    [b"", b"\xff", b"[]", b"{}", b"null", b'{"format":"misere-record/2"}', b"[" * 9999],
)
def test_what_is_no_record_is_refused(text: bytes) -> None:
    """In one sentence, whatever it is."""
    with pytest.raises(NotARecord):
        read(text)


def test_an_unfinished_record_is_refused(driver: Driver) -> None:
    """What was sealed cannot be known from it."""
    cut = lines(driver).splitlines()
    with pytest.raises(NotARecord):
        read(b"\n".join([*cut[:30], cut[-1]]))
    with pytest.raises(NotARecord):
        read(b"\n".join(cut[:-1]))


@QUICK
@given(st.data())
def test_a_damaged_record_is_refused_or_read(data: st.DataObject) -> None:
    """It breaks nothing else, wherever it is damaged."""
    text = bytearray(lines(hearts(seed=1).abandon()))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(st.integers(0, 255))
    with suppress(NotARecord):
        read(bytes(text))


def test_every_kind_of_event_is_told_or_left_out_on_purpose() -> None:
    """An event that is new must be told here too."""
    from api.replay.telling import _TELLING  # noqa: PLC0415

    assert {text for kind, text in TYPE_OF.items() if kind not in _TELLING} == UNTOLD


def test_what_is_told_cannot_steer_the_terminal() -> None:
    """A record may be anybody's: what does not print is left out."""
    event = CounterPlaced(Seat(1), "\x1b[2Jqueen\n", None)
    assert told([event], Faces()) == ["Seat 1 gets a mark for [2Jqueen."]


@pytest.mark.parametrize(("count", "what"), [(1, "1 counter"), (7, "7 counters")])
def test_one_is_not_told_as_several(count: int, what: str) -> None:
    """Nor are several told as one."""
    event = CountersLost(Seat(1), count)
    assert told([event], Faces()) == [f"Seat 1 loses {what}."]


def test_cards_are_written_with_symbols_or_letters() -> None:
    """A hand is by suit, the highest card first."""
    hand = cards("2C TC AC QH JK")
    assert Faces().hand(hand) == "♣AT2 ♥Q JK"
    assert Faces(plain=True).hand(hand) == "C:AT2 H:Q JK"
    assert Faces().cards(hand) == "2♣ T♣ A♣ Q♥ JK"
    assert Faces(plain=True).card(Card("QS")) == "QS"
    assert Faces().hand([]) == "-"


def test_keys_lead_to_tricks_and_deals(found: list[Scene]) -> None:
    """Forwards to the next one, back to where this one or the one before began."""
    second = after("d", Place(), found)
    assert (found[second.scene].deal, found[second.scene - 1].deal) == (2, 1)
    trick = after("t", after("t", second, found), found)
    assert (found[trick.scene].deal, found[trick.scene].trick) == (2, 3)
    assert after("T", trick, found) == after("t", second, found)
    assert after("D", trick, found) == second
    assert after("D", second, found) == Place()


def test_keys_choose_whose_eyes_see(found: list[Scene]) -> None:
    """A seat that is not there, and a key without meaning, change nothing."""
    assert after("2", Place(7), found) == Place(7, Seat(2))
    assert after("o", Place(7, Seat(2)), found) == Place(7)
    for key in ("4", "9", "x", "²", "", "\x1b[Z"):
        assert after(key, Place(7, Seat(1)), found) == Place(7, Seat(1))
    for key in ("n", "\x1b[C", " "):
        assert after(key, Place(7), found) == Place(8)
    for key in ("p", "\x1b[D"):
        assert after(key, Place(7), found) == Place(6)
        assert after(key, Place(), found) == Place()


@pytest.mark.parametrize("game", TRIALS)
def test_golden_matches_are_read(game: str) -> None:
    """Each game's record has scenes of all its deals."""
    recorded = TRIALS[game].recorded()
    found = read(lines(recorded))
    deals = {it.deal for it in of_kind(recorded.events(), DealStarted)}
    assert {scene.deal for scene in found} >= deals >= {1}
    assert found[-1].table.is_over()


@pytest.mark.parametrize("name", MATCHES)
def test_whatever_happens_at_a_table_is_told(name: str) -> None:
    """Time that ran out, outages, who left, who looked: from the first line on."""
    found = read(b"\n".join(lines_of_match(name)))
    assert len([*transcript(found, None, Faces())]) > 1
