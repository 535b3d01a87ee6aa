"""Forgeries made well: what a forger changes in a record, and what gives it away."""

import hashlib
import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple
from uuid import UUID

from tests.driver import Record
from tests.records.forging import (
    append_of,
    arranged,
    bids,
    events,
    given,
    late,
    left,
    observed,
    spelled,
    two_deals,
)


class Forgery(NamedTuple):
    """What a forger does to a record, and what gives it away.

    `check` is the one that fails, None where the record is as good as any: then only a
    head tells that somebody kept.
    """

    record: Callable[[], Record]
    forge: Callable[[Record], None]
    check: str | None


def _opened(record: Record, deal: int, which: int) -> tuple[Record, list[str]]:
    found = events(record, "deal_revealed")[deal]["data"]["opened"][which]
    return found, json.loads(found["body"])["cards"]


def rigged_deal(record: Record) -> None:
    """Two seats are dealt other cards than the shuffle gave, and sealed as such."""
    mine, my_cards = _opened(record, 1, 0)
    other, other_cards = _opened(record, 1, 1)
    my_cards[0], other_cards[0] = other_cards[0], my_cards[0]
    mine["body"] = spelled({"cards": my_cards}).decode()
    other["body"] = spelled({"cards": other_cards}).decode()


def swapped_hands(record: Record) -> None:
    """What is opened as two seats' hands is the other's."""
    mine, _ = _opened(record, 1, 0)
    other, _ = _opened(record, 1, 1)
    mine["body"], other["body"] = other["body"], mine["body"]
    for opened in (mine, other):
        record["events"][opened["version"] - 1]["data"]["kept"] = True


def other_pass(record: Record) -> None:
    """A seat is said to have passed another card of its hand."""
    hand = _opened(record, 0, 0)[1]
    passed, cards = _opened(record, 0, 4)
    cards[0] = next(card for card in hand if card not in cards)
    passed["body"] = spelled({"cards": cards}).decode()


def illegal_play(record: Record) -> None:
    """Two plays of a seat change places, so that it does not follow suit."""
    plays = [event["data"] for event in events(record, "card_played")]
    mine = [play for play in plays if play["seat"] == 1]
    wrong = next(it for it in mine if it["card"][1] != mine[0]["card"][1])
    mine[0]["card"], wrong["card"] = wrong["card"], mine[0]["card"]


def wrong_points(record: Record) -> None:
    """A point moves from one player to another, in all that comes after too."""
    scored = [*events(record, "deal_scored"), *events(record, "match_ended")]
    for number, event in enumerate(scored):
        fields = ("points", "scores") if number == 0 else ("scores",)
        for field in fields:
            event["data"][field][0] -= 1
            event["data"][field][1] += 1


def wrong_winner(record: Record) -> None:
    """Somebody else is said to have won."""
    data = events(record, "match_ended")[0]["data"]
    data["winners"] = [(data["winners"][0] + 1) % 4]


def cut_tail(record: Record) -> None:
    """The last append is missing."""
    last = record["events"][-1]["command"]
    record["events"] = [it for it in record["events"] if it["command"] != last]


def no_end(record: Record) -> None:
    """The very last event is missing."""
    record["events"].pop()


def dropped_append(record: Record) -> None:
    """A play is missing, with all that followed from it."""
    gone = events(record, "trick_taken")[5]["command"]
    record["events"] = [it for it in record["events"] if it["command"] != gone]


def dropped_event(record: Record) -> None:
    """A trick that was taken is missing, the card that ended it is not."""
    record["events"].remove(events(record, "trick_taken")[5])


def inserted_event(record: Record) -> None:
    """Hearts are said to be broken once more."""
    again = events(record, "hearts_broken")[0]
    play = events(record, "card_played")[-2]
    at = record["events"].index(play) + 1
    same = {name: play[name] for name in ("at", "by", "command", "deal")}
    record["events"].insert(at, again | same | {"version": None})


def after_the_end(record: Record) -> None:
    """Somebody sits down at a table that is over."""
    last = record["events"][-1]
    occupant = {"player": str(UUID(int=77))}
    record["events"].append(
        last
        | {
            "version": last["version"] + 1,
            "type": "seat_taken",
            "data": {"seat": 0, "occupant": occupant},
            "by": occupant,
            "command": str(UUID(int=78)),
        }
    )


def early_time_out(record: Record) -> None:
    """A seat's time is said to have run out two seconds before it did."""
    event = events(record, "seat_timed_out")[0]
    seconds = int(event["at"][17:19])
    minutes = int(event["at"][14:16])
    total = minutes * 60 + seconds - 2
    earlier = f"{event['at'][:14]}{total // 60:02}:{total % 60:02}{event['at'][19:]}"
    for it in append_of(record, event):
        it["at"] = earlier


def time_taken(record: Record) -> None:
    """The server is said to have been back before it went: all have less time."""
    data = events(record, "deadline_extended")[0]["data"]
    data["since"], data["until"] = data["until"], data["since"]


def option_of_another_course(record: Record) -> None:
    """The target is said to have been lower, at which the match had been over."""
    _say_option(record, "target", 1)


def option_without_effect(record: Record) -> None:
    """The target is said to have been another, at which the match ends no later."""
    scores = events(record, "match_ended")[0]["data"]["scores"]
    _say_option(record, "target", max(scores))


def option_left_out(record: Record) -> None:
    """An option is not told."""
    del events(record, "table_opened")[0]["data"]["options"]["shoot_sun"]
    del record["table"]["options"]["shoot_sun"]


def unknown_game(record: Record) -> None:
    """The rules are said to be of a later version."""
    events(record, "table_opened")[0]["data"]["rules_version"] = 9
    record["table"]["rules_version"] = 9


def _say_option(record: Record, name: str, value: Any) -> None:  # noqa: ANN401
    events(record, "table_opened")[0]["data"]["options"][name] = value
    record["table"]["options"][name] = value


def forged_header(record: Record) -> None:
    """Of a table that was rated it is said that it was not, or the other way round."""
    record["table"]["rated"] = not record["table"]["rated"]


def other_end_in_header(record: Record) -> None:
    """A match that was played out is called abandoned."""
    record["table"]["status"] = "abandoned"


def longer_header(record: Record) -> None:
    """Something is said of the table that no event tells."""
    record["table"]["winner"] = "Ada"


def other_match_secret(record: Record) -> None:
    """The match is opened with another secret than was committed to."""
    events(record, "match_revealed")[0]["data"]["secret"] = "5e" * 32


def other_deal_secret(record: Record) -> None:
    """A deal has a secret that does not come of the match's, and is sealed with it."""
    secret = bytes.fromhex("5e" * 32)
    table = UUID(record["events"][0]["table"]).bytes
    place = table + (2).to_bytes(4, "big")
    commitment = hashlib.sha256(b"deal/1 commit\0" + place + secret).hexdigest()
    events(record, "deal_started")[1]["data"]["commitment"] = commitment
    events(record, "deal_revealed")[1]["data"]["secret"] = secret.hex()


def other_deal_commitment(record: Record) -> None:
    """A deal is said to have been committed to otherwise."""
    events(record, "deal_started")[1]["data"]["commitment"] = "5e" * 32


def other_entropy(record: Record) -> None:
    """A seat is said to have given other entropy."""
    events(record, "entropy_given")[0]["data"]["entropy"] = "5e" * 32
    events(record, "match_started")[0]["data"]["entropy"][0] = "5e" * 32


def other_dealer(record: Record) -> None:
    """Another seat is said to have dealt first."""
    data = events(record, "deal_started")[0]["data"]
    data["dealer"] = (data["dealer"] + 1) % 4


def a_hand_unopened(record: Record) -> None:
    """A hand is not opened when its deal is over."""
    events(record, "deal_revealed")[1]["data"]["opened"].pop(2)


def hand_not_dealt(record: Record) -> None:
    """A hand is not dealt, though it is opened when its deal is over."""
    record["events"].remove(events(record, "hand_dealt")[5])


def hand_dealt_in_play(record: Record) -> None:
    """What was a play is said to have dealt a hand, which nobody opens."""
    events(record, "card_played")[9]["type"] = "hand_dealt"


def other_deal_begun(record: Record) -> None:
    """The second deal is said to be the third when it begins."""
    events(record, "deal_started")[1]["data"]["deal"] = 3


def no_deal_begun(record: Record) -> None:
    """A deal begins with nothing being said of it."""
    events(record, "deal_started")[1]["data"] = {}


def no_beginning(record: Record) -> None:
    """What opened the table is missing."""
    del record["events"][0]


def deal_unopened(record: Record) -> None:
    """A whole deal is not opened."""
    record["events"].remove(events(record, "deal_revealed")[0])


def arranged_as_shuffled(record: Record) -> None:
    """A deal that its host chose is passed off as shuffled."""
    events(record, "deal_started")[0]["data"]["arranged"] = False


def other_arrangement(record: Record) -> None:
    """What is opened as arranged is not what was sealed."""
    [opened] = events(record, "match_revealed")[0]["data"]["opened"]
    opened["body"] = opened["body"].replace('"first_dealer":0', '"first_dealer":1')


def other_mover(record: Record) -> None:
    """A seat plays for another."""
    event = events(record, "card_played")[9]
    for it in append_of(record, event):
        it["by"] = {"seat": (event["data"]["seat"] + 1) % 4}


def other_giver(record: Record) -> None:
    """A seat's entropy is another player's."""
    given = next(it for it in events(record, "entropy_given") if _is_alone(record, it))
    given["by"] = {"player": str(UUID(int=77))}


def other_leaver(record: Record) -> None:
    """Another player gives up a seat in the middle of the match."""
    events(record, "seat_left")[0]["by"] = {"player": str(UUID(int=77))}


def unnoticed_return(record: Record) -> None:
    """Who had left moves, and it is not told that they are back."""
    record["events"].remove(events(record, "seat_resumed")[0])


def _is_alone(record: Record, event: Record) -> bool:
    return append_of(record, event) == [event]


def other_observer(record: Record) -> None:
    """Who looks at all cards is said to be somebody else."""
    events(record, "observer_admitted")[0]["data"]["player"] = str(UUID(int=1))


def torn_append(record: Record) -> None:
    """A consequence is said to be somebody's command."""
    events(record, "trick_taken")[3]["command"] = str(UUID(int=5))


def command_again(record: Record) -> None:
    """A play is said to come of a command that was carried out before."""
    plays = events(record, "card_played")
    for it in append_of(record, plays[9]):
        it["command"] = plays[3]["command"]


def other_moment_within(record: Record) -> None:
    """A consequence is said to be later than its cause."""
    event = events(record, "trick_taken")[3]
    event["at"] = event["at"].replace("T02", "T03")


def no_moment(record: Record) -> None:
    """A moment is spelled otherwise."""
    event = events(record, "card_played")[3]
    for it in append_of(record, event):
        it["at"] = it["at"].replace("Z", "+00:00")


def other_deal_number(record: Record) -> None:
    """A play is put down to another deal."""
    events(record, "card_played")[3]["deal"] = 2


def other_bid(record: Record) -> None:
    """A bid is said to have been of more chips than the seat has."""
    events(record, "bid_made")[0]["data"]["chips"] = 1000


def other_suit(record: Record) -> None:
    """Another suit is said to have been named."""
    data = events(record, "suit_named")[0]["data"]
    data["suit"] = "C" if data["suit"] != "C" else "D"


def unknown_type(record: Record) -> None:
    """An event is of a type that no rules know."""
    events(record, "trick_taken")[3]["type"] = "trick_given"


def out_of_shape(record: Record) -> None:
    """Who did it is nobody."""
    events(record, "card_played")[3]["by"] = []


FORGERIES: Final = [
    Forgery(two_deals, rigged_deal, "deals"),
    Forgery(two_deals, swapped_hands, "seals"),
    Forgery(two_deals, other_pass, "rules"),
    Forgery(two_deals, illegal_play, "rules"),
    Forgery(two_deals, wrong_points, "scores"),
    Forgery(two_deals, wrong_winner, "result"),
    Forgery(two_deals, cut_tail, "result"),
    Forgery(two_deals, no_end, "result"),
    Forgery(two_deals, dropped_append, "rules"),
    Forgery(two_deals, dropped_event, "rules"),
    Forgery(two_deals, inserted_event, "rules"),
    Forgery(two_deals, after_the_end, "result"),
    Forgery(late, early_time_out, "rules"),
    Forgery(late, time_taken, "rules"),
    Forgery(two_deals, option_of_another_course, "reveals"),
    Forgery(two_deals, option_without_effect, None),
    Forgery(two_deals, option_left_out, "options"),
    Forgery(two_deals, unknown_game, "options"),
    Forgery(two_deals, forged_header, "header"),
    Forgery(two_deals, other_end_in_header, "header"),
    Forgery(two_deals, longer_header, "header"),
    Forgery(two_deals, other_match_secret, "commitments"),
    Forgery(two_deals, other_deal_secret, "deals"),
    Forgery(two_deals, other_deal_commitment, "commitments"),
    Forgery(two_deals, other_entropy, "deals"),
    Forgery(two_deals, other_dealer, "deals"),
    Forgery(two_deals, a_hand_unopened, "reveals"),
    Forgery(two_deals, hand_not_dealt, "deals"),
    Forgery(two_deals, hand_dealt_in_play, "rules"),
    Forgery(two_deals, other_deal_begun, "reveals"),
    Forgery(two_deals, no_deal_begun, "form"),
    Forgery(two_deals, no_beginning, "form"),
    Forgery(two_deals, deal_unopened, "reveals"),
    Forgery(arranged, arranged_as_shuffled, "deals"),
    Forgery(arranged, other_arrangement, "seals"),
    Forgery(two_deals, other_mover, "appends"),
    Forgery(given, other_giver, "appends"),
    Forgery(left, other_leaver, "appends"),
    Forgery(left, unnoticed_return, "appends"),
    Forgery(observed, other_observer, "appends"),
    Forgery(two_deals, torn_append, "rules"),
    Forgery(two_deals, command_again, "appends"),
    Forgery(two_deals, other_moment_within, "appends"),
    Forgery(two_deals, no_moment, "appends"),
    Forgery(two_deals, other_deal_number, "appends"),
    Forgery(bids, other_bid, "rules"),
    Forgery(bids, other_suit, "scores"),
    Forgery(two_deals, unknown_type, "rules"),
    Forgery(two_deals, out_of_shape, "form"),
]
"""What can be done to a record without its secrets being other ones."""
