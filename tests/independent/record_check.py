"""A second opinion on the record of a Hearts table.

It shares nothing with the server: it was written from the description of the log
(chains, seals, the shuffle) and from the rules of Hearts alone, and needs the standard
library only. It plays every deal again from the secrets that the record reveals, works
out each event that had to follow, and compares.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

Json = dict[str, Any]

SUITS = "CDHS"
RANKS = "23456789TJQKA"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
HEARTS = {rank + "H" for rank in RANKS}
QUEEN, JACK = "QS", "JD"
LEFT_OUT = {
    3: {"2D"},
    4: set[str](),
    5: {"2D", "2C"},
    6: {"2D", "2C", "2S", "3C"},
    7: {"2D", "2C", "2S"},
}
NOTHING_GIVEN = "00" * 32
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
BYSTANDING = {
    "seat_taken",
    "seat_left",
    "seat_timed_out",
    "deadline_extended",
    "seat_proxied",
    "seat_resumed",
    "observer_admitted",
}
"""What may happen beside the game once the match is on."""


def check(record: Json) -> list[str]:
    """What is wrong with a record; nothing when all of it is right."""
    complaints: list[str] = []
    for part in (check_chain, check_play):
        try:
            complaints += part(record)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as wrong:
            complaints.append(f"the record cannot be read: {wrong!r}")
    return complaints


def canonical(value: object) -> bytes:
    """The one spelling of a value that is hashed."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def sha(*parts: bytes) -> bytes:
    """SHA-256 of the parts, one after another."""
    return hashlib.sha256(b"".join(parts)).digest()


def mac(key: bytes, *parts: bytes) -> bytes:
    """HMAC-SHA256 of the parts, one after another."""
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def check_chain(record: Json) -> list[str]:
    """Versions without a gap, every link, the head."""
    complaints = []
    if record["format"] != "misere-record/1":
        complaints.append(f"unknown format {record['format']!r}")
    table = record["table"]["id"]
    head = sha(b"chain/1\0", UUID(table).bytes)
    for number, event in enumerate(record["events"], 1):
        body = {
            key: value
            for key, value in event.items()
            if key not in {"prev", "hash", "opens"}
        }
        if event["version"] != number:
            complaints.append(f"version {number} is numbered {event['version']}")
        if event["table"] != table:
            complaints.append(f"version {number} is of another table")
        if event["prev"] != head.hex():
            complaints.append(f"version {number} does not follow the one before it")
        head = sha(b"\x01", head, sha(b"\0", canonical(body)))
        if event["hash"] != head.hex():
            complaints.append(f"version {number} does not have the hash it claims")
    if record["head"] != head.hex():
        complaints.append("the head is not that of the last event")
    return complaints


def check_play(record: Json) -> list[str]:
    """The first event that is not what had to happen, if there is one."""
    try:
        Replay(record).run()
    except Fault as fault:
        return [str(fault)]
    return []


class Fault(Exception):
    """An event is not what it had to be."""


class Abandoned(Exception):
    """The table was given up at this point."""


class Stream:
    """Numbers from a key."""

    def __init__(self, key: bytes) -> None:
        self.words = self._words(key)

    @staticmethod
    def _words(key: bytes) -> Iterator[int]:
        block = 0
        while True:
            digest = sha(key, block.to_bytes(8, "big"))
            for at in range(0, 32, 2):
                yield int.from_bytes(digest[at : at + 2], "big")
            block += 1

    def below(self, bound: int) -> int:
        """A number below `bound`, without bias."""
        for word in self.words:
            if word < 65536 - 65536 % bound:
                return word % bound
        raise AssertionError

    def shuffle(self, pack: list[str]) -> None:
        """Put the pack in the stream's order."""
        for i in range(len(pack) - 1, 0, -1):
            j = self.below(i + 1)
            pack[i], pack[j] = pack[j], pack[i]


class Deal:
    """One deal as a referee with open cards sees it."""

    def __init__(
        self, options: Json, number: int, dealer: int, hands: list[set[str]]
    ) -> None:
        self.options = options
        self.seats = len(hands)
        self.number = number
        self.dealer = dealer
        self.hands = hands
        self.piles: list[list[str]] = [[] for _ in hands]
        self.won = [0] * self.seats
        self.broken = False

    def way(self) -> int:
        """How many seats to the left the pass goes, 0 for none."""
        ways = self.options["passing"]
        if ways == "standard":
            ways = ["left", "right", "across", "hold"]
            if self.seats != 4:
                ways.remove("across")
        way = ways[(self.number - 1) % len(ways)] if ways else "hold"
        places = {"left": 1, "right": self.seats - 1, "hold": 0}
        return places[way] if way in places else self.seats // 2

    def opener(self) -> str:
        """The lowest club in the pack."""
        return next(card for card in CARDS if card not in LEFT_OUT[self.seats])

    def first_leader(self) -> int:
        """Who leads to the first trick."""
        if self.options["opening"] == "left_of_dealer":
            return (self.dealer + 1) % self.seats
        return next(s for s in range(self.seats) if self.opener() in self.hands[s])

    def may_play(self, seat: int, trick: list[str]) -> set[str]:
        """The cards of the seat's hand that the rules allow."""
        hand = self.hands[seat]
        first = sum(self.won) == 0
        if not trick:
            return self._may_lead(hand, first=first)
        same_suit = {card for card in hand if card[1] == trick[0][1]}
        if same_suit:
            return same_suit
        harmless = {card for card in hand if card not in HEARTS and card != QUEEN}
        if first and harmless and not self.options["points_on_first_trick"]:
            return harmless
        return hand

    def _may_lead(self, hand: set[str], *, first: bool) -> set[str]:
        if first and self.options["opening"] == "lowest_club":
            return {self.opener()}
        if first and self.options["opening"] == "any_club":
            return {card for card in hand if card[1] == "C"}
        if self.broken or not self.options["break_required"]:
            return hand
        others = hand - HEARTS
        if others == {QUEEN} and self.options["lead_hearts_instead_of_qs"]:
            return hand
        return others or hand

    def breaks(self, card: str) -> bool:
        """Whether hearts may be led once this card has been played."""
        return card in HEARTS or (
            card == QUEEN and bool(self.options["queen_breaks_hearts"])
        )

    def slam_rules(self) -> bool:
        """Whether a moon takes the jack of diamonds as well."""
        return bool(
            self.options["slam_needs_bonus"] and self.options["jack_of_diamonds"]
        )

    def shooter(self) -> int | None:
        """Who took all the cards that make a moon."""
        wanted = HEARTS | {QUEEN}
        if self.slam_rules():
            wanted |= {JACK}
        elif self.options["moon"] == "none":
            return None
        for seat, pile in enumerate(self.piles):
            if wanted <= set(pile):
                return seat
        return None

    def sun(self, shooter: int) -> bool:
        """Whether the shooter took every trick and that counts for more."""
        return bool(self.options["shoot_sun"]) and self.won[shooter] == sum(self.won)

    def points(self, shooter: int | None, how: str | None) -> list[int]:
        """What the deal does to each score, with the moon counting as `how` says."""
        return [self._points_of(seat, shooter, how) for seat in range(self.seats)]

    def _points_of(self, seat: int, shooter: int | None, how: str | None) -> int:
        pile = self.piles[seat]
        size = 39 if shooter is not None and self.sun(shooter) else 26
        if how == "slam":
            total = -26 if seat == shooter else 0
        elif how == "add":
            total = 0 if seat == shooter else size
        elif how == "subtract":
            total = -size if seat == shooter else 0
        else:
            total = sum(card in HEARTS for card in pile) + 13 * (QUEEN in pile)
        if JACK in pile and how != "slam":
            worth = self.options["jack_of_diamonds"]
            if self.options["jack_floor"]:
                worth = max(worth, -max(total, 0))
            total += worth
        if self.won[seat] == 0:
            total += self.options["no_trick_bonus"]
        return int(total)


def winners(options: Json, scores: list[int]) -> list[int]:
    """Who has won; nobody while the match goes on."""
    target = options["target"]
    if options["exact_target"] and target in scores:
        return [seat for seat, score in enumerate(scores) if score == target]
    if max(scores) < target:
        return []
    best = [seat for seat, score in enumerate(scores) if score == min(scores)]
    return [] if options["tiebreak_deal"] and len(best) > 1 else best


class Replay:
    """The whole table once more, event by event."""

    def __init__(self, record: Json) -> None:
        self.events: list[Json] = record["events"]
        self.said: Json = record["table"]
        self.at = 0
        self.cause: Json = {}
        self.table = UUID(record["table"]["id"]).bytes
        self.deal_on: int | None = None
        self.sealed: list[Json] = []
        revealed = [it for it in self.events if it["type"] == "match_revealed"]
        if len(revealed) != 1:
            raise Fault("the match's secret is not revealed once")
        self.secret = bytes.fromhex(revealed[0]["data"]["secret"])
        self.deal_secrets: dict[int, bytes] = {}
        self.texts: dict[int, str] = {}
        for event in self.events:
            if event["type"] == "deal_revealed":
                secret = bytes.fromhex(event["data"]["secret"])
                self.deal_secrets[event["data"]["deal"]] = secret
            if event["type"] in {"deal_revealed", "match_revealed"}:
                for opened in event["data"]["opened"]:
                    self.texts[opened["version"]] = opened["body"]

    def run(self) -> None:
        """Play it all again."""
        self.open_table()
        try:
            self.fill_seats()
            self.play_match()
        except Abandoned:
            self.give_up()
        if self.at < len(self.events):
            raise Fault(f"version {self.at + 1} comes after the end")

    # The events, one after another.

    def next(self) -> Json:
        """The next event, whatever it is."""
        if self.at >= len(self.events):
            raise Fault("the record ends before its table does")
        event = self.events[self.at]
        self.at += 1
        if event["v"] != 1 or not MOMENT.fullmatch(event["at"]):
            raise Fault(f"version {self.at} has an unknown form")
        return event

    def next_cause(self, *kinds: str) -> Json:
        """The next event that somebody's command brought about."""
        event = self.next()
        while event["type"] in BYSTANDING - set(kinds):
            self.same(event["deal"], self.deal_on, "deal")
            event = self.next()
        self.cause = event
        voided = event["type"] == "deal_voided" and self.deal_on is not None
        revealed = event["type"] == "match_revealed" and self.deal_on is None
        if voided or revealed:
            self.at -= 1
            raise Abandoned
        if event["type"] not in kinds:
            raise Fault(f"version {self.at}: {event['type']} cannot happen here")
        self.same(event["deal"], self.deal_on, "deal")
        return event

    def follows(self, kind: str, data: Json) -> None:
        """The next event must be this consequence, in the append of its cause."""
        event = self.next()
        if event["type"] != kind:
            raise Fault(f"version {self.at} must be {kind}, not {event['type']}")
        for name in ("command", "at", "by"):
            self.same(event[name], self.cause[name], name)
        self.same(event["data"], data, kind)
        self.same(event["deal"], self.deal_on, "deal")

    def same(self, found: object, due: object, what: str) -> None:
        """Complain where two values differ."""
        if canonical(found) != canonical(due):
            raise Fault(f"version {self.at}: {what} is {found!r}, not {due!r}")

    def seal(self, secret: bytes, version: int, body: str) -> str:
        """The commitment to `body` at `version`."""
        place = self.table + version.to_bytes(8, "big")
        salt = mac(secret, b"seal/1 salt\0", place)
        return sha(b"seal/1\0", place, salt, body.encode()).hex()

    # The table's life.

    def open_table(self) -> None:
        """The table opens and commits to the match's secret."""
        event = self.next()
        self.same(event["type"], "table_opened", "the first event")
        data = event["data"]
        self.same(data["game"], "hearts", "game")
        commitment = sha(b"match/1 commit\0", self.table, self.secret).hex()
        self.same(data["commitment"], commitment, "commitment")
        for name in ("game", "rules_version", "options"):
            if name in self.said:
                self.same(data[name], self.said[name], name)
        self.options: Json = data["options"]
        self.plan: list[Json] = data["seats"]
        self.seats = len(self.plan)
        self.arrangement: Json = {"first_dealer": None, "scores": None, "deals": []}
        self.opened_at_end: list[Json] = []
        if data["arranged"] is not None:
            body = self.texts[1]
            self.same(data["arranged"], self.seal(self.secret, 1, body), "arranged")
            self.arrangement = json.loads(body)["arrangement"]
            self.opened_at_end = [{"version": 1, "body": body}]

    def fill_seats(self) -> None:
        """People sit down, leave, and give entropy, until the match starts."""
        self.sitting: list[Json] = [{} for _ in self.plan]
        self.entropy = [NOTHING_GIVEN] * self.seats
        while True:
            event = self.next_cause(
                "seat_taken", "seat_left", "entropy_given", "match_started"
            )
            data = event["data"]
            if event["type"] == "match_started":
                break
            seat = data["seat"]
            taking = event["type"] == "seat_taken"
            if taking != (self.sitting[seat] == {}):
                raise Fault(f"version {self.at}: seat {seat} is not as it must be")
            if event["type"] == "entropy_given":
                self.entropy[seat] = data["entropy"]
            elif taking:
                if self.plan[seat] not in ({}, data["occupant"]) and (
                    "player" in self.plan[seat] and "player" in data["occupant"]
                ):
                    raise Fault(f"version {self.at}: seat {seat} is reserved")
                self.sitting[seat] = data["occupant"]
            else:
                self.sitting[seat] = {}
                self.entropy[seat] = NOTHING_GIVEN
        if {} in self.sitting:
            raise Fault(f"version {self.at}: the match starts with a seat free")
        self.same(
            event["data"],
            {"players": self.sitting, "entropy": self.entropy},
            "match_started",
        )

    def all_entropy(self) -> bytes:
        """What the seats gave, with their number before it."""
        return bytes([self.seats]) + b"".join(map(bytes.fromhex, self.entropy))

    def play_match(self) -> None:
        """Deal after deal, until somebody has won."""
        self.scores: list[int] = self.arrangement["scores"] or [0] * self.seats
        dealer = self.arrangement["first_dealer"]
        if dealer is None:
            key = mac(
                self.secret,
                b"match/1 draw\0",
                self.table,
                bytes(4),
                self.all_entropy(),
            )
            dealer = Stream(key).below(self.seats)
        number = 0
        while number == 0 or not winners(self.options, self.scores):
            number += 1
            self.play_deal(number, dealer)
            dealer = (dealer + 1) % self.seats
        self.reveal_match()
        self.follows(
            "match_ended",
            {
                "winners": winners(self.options, self.scores),
                "scores": self.scores,
                "settlement": None,
            },
        )
        self.says("finished")

    def give_up(self) -> None:
        """What must follow where the table was abandoned."""
        if self.deal_on is not None:
            self.follows("deal_voided", {"deal": self.deal_on})
            self.reveal_deal()
        self.reveal_match()
        self.follows("table_abandoned", {})
        self.says("abandoned")

    def says(self, status: str) -> None:
        """The document must not claim another ending."""
        if "status" in self.said:
            self.same(self.said["status"], status, "status")

    def reveal_deal(self) -> None:
        """The deal's secret, and every text that was sealed in it."""
        number = self.deal_on or 0
        secret = self.deal_secrets[number].hex()
        self.follows(
            "deal_revealed", {"deal": number, "secret": secret, "opened": self.sealed}
        )
        self.deal_on = None
        self.sealed = []

    def reveal_match(self) -> None:
        """The match's secret, and the arrangement where there is one."""
        self.follows(
            "match_revealed",
            {"secret": self.secret.hex(), "opened": self.opened_at_end},
        )

    # A deal.

    def deal_cards(self, number: int, dealer: int) -> list[list[str]]:
        """The hands that a deal had to give, each in pack order."""
        if number <= len(self.arrangement["deals"]):
            return [
                sorted(hand, key=CARDS.index)
                for hand in self.arrangement["deals"][number - 1]["hands"]
            ]
        place = self.table + number.to_bytes(4, "big")
        secret = mac(self.secret, b"match/1 deal\0", place)
        self.same(self.deal_secrets[number].hex(), secret.hex(), "the deal's secret")
        pack = [card for card in CARDS if card not in LEFT_OUT[self.seats]]
        Stream(mac(secret, b"deal/1 seed\0", place, self.all_entropy())).shuffle(pack)
        hands: list[list[str]] = [[] for _ in range(self.seats)]
        for turn, card in enumerate(pack):
            hands[(dealer + 1 + turn) % self.seats].append(card)
        return [sorted(hand, key=CARDS.index) for hand in hands]

    def sealed_fact(self, kind: str, public: Json, body: str) -> None:
        """An event whose cards are under a seal must follow."""
        version = self.at + 1
        secret = self.deal_secrets[self.deal_on or 0]
        self.follows(kind, public | {"seal": self.seal(secret, version, body)})
        self.sealed.append({"version": version, "body": body})

    def play_deal(self, number: int, dealer: int) -> None:
        """One deal, from its commitment to its reveal."""
        self.deal_on = number
        hands = self.deal_cards(number, dealer)
        place = self.table + number.to_bytes(4, "big")
        committed = sha(b"deal/1 commit\0", place, self.deal_secrets[number])
        self.follows(
            "deal_started",
            {
                "deal": number,
                "dealer": dealer,
                "commitment": committed.hex(),
                "arranged": number <= len(self.arrangement["deals"]),
            },
        )
        for seat, hand in enumerate(hands):
            body = canonical({"cards": hand}).decode()
            self.sealed_fact("hand_dealt", {"seat": seat, "count": len(hand)}, body)
        deal = Deal(self.options, number, dealer, [set(hand) for hand in hands])
        if deal.way():
            self.pass_cards(deal)
        self.play_tricks(deal)
        self.score(deal)
        self.reveal_deal()

    def pass_cards(self, deal: Deal) -> None:
        """Each seat passes three cards, in any order of seats."""
        chosen: dict[int, tuple[int, list[str]]] = {}
        while len(chosen) < self.seats:
            event = self.next_cause("cards_passed")
            seat = event["data"]["seat"]
            passed: list[str] = json.loads(self.texts[self.at])["cards"]
            if seat in chosen or len(passed) != 3 or not deal.hands[seat] >= {*passed}:
                raise Fault(f"version {self.at}: not a pass of seat {seat}")
            self.same(passed, sorted({*passed}, key=CARDS.index), "the pass")
            to = (seat + deal.way()) % self.seats
            self.at -= 1
            self.acted(event, seat)
            self.sealed_fact(
                "cards_passed",
                {"seat": seat, "to": to, "count": 3},
                canonical({"cards": passed}).decode(),
            )
            chosen[seat] = self.at, passed
        passes = [
            {"seat": s, "to": (s + deal.way()) % self.seats, "version": chosen[s][0]}
            for s in range(self.seats)
        ]
        self.follows("passes_exchanged", {"passes": passes})
        for seat, (_, passed) in chosen.items():
            deal.hands[seat] -= {*passed}
        for seat, (_, passed) in chosen.items():
            deal.hands[(seat + deal.way()) % self.seats] |= {*passed}

    def acted(self, event: Json, seat: int) -> None:
        """A move is made by its own seat, by its bot, or by the house for it."""
        by = event["by"]
        if by not in ({"seat": seat}, {"bot": seat}, {"clock": True}, {"server": True}):
            raise Fault(f"version {self.at}: {by!r} cannot move for seat {seat}")

    def play_tricks(self, deal: Deal) -> None:
        """All tricks of a deal."""
        leader = deal.first_leader()
        number = 0
        while any(deal.hands):
            number += 1
            trick: list[str] = []
            while len(trick) < self.seats:
                seat = (leader + len(trick)) % self.seats
                self.play_card(deal, seat, trick)
            best = max(
                (card for card in trick if card[1] == trick[0][1]),
                key=lambda card: RANKS.index(card[0]),
            )
            leader = (leader + trick.index(best)) % self.seats
            deal.piles[leader] += trick
            deal.won[leader] += 1
            self.follows("trick_taken", {"trick": number, "seat": leader})

    def play_card(self, deal: Deal, seat: int, trick: list[str]) -> None:
        """One card to the trick."""
        event = self.next_cause("card_played")
        card = event["data"]["card"]
        self.same(event["data"], {"seat": seat, "card": card}, "card_played")
        self.acted(event, seat)
        if card not in deal.may_play(seat, trick):
            raise Fault(f"version {self.at}: seat {seat} may not play {card}")
        deal.hands[seat].remove(card)
        trick.append(card)
        if not deal.broken and deal.breaks(card):
            deal.broken = True
            self.follows("hearts_broken", {"seat": seat, "card": card})

    def score(self, deal: Deal) -> None:
        """The moon, if there was one, and the points."""
        shooter, how = deal.shooter(), None
        if shooter is not None:
            self.follows("moon_shot", {"seat": shooter, "sun": deal.sun(shooter)})
            how = self.moon_counts(deal, shooter)
        points = deal.points(shooter, how)
        self.scores = [old + new for old, new in zip(self.scores, points, strict=True)]
        self.follows("deal_scored", {"points": points, "scores": self.scores})

    def moon_counts(self, deal: Deal, shooter: int) -> str:
        """How the moon counts, by the options or by the shooter's choice."""
        how = "slam" if deal.slam_rules() else self.options["moon"]
        if how == "choice":
            event = self.next_cause("moon_settled")
            self.acted(event, shooter)
            how = event["data"]["how"]
            if how not in {"add", "subtract"}:
                raise Fault(f"version {self.at}: a moon cannot count as {how!r}")
            self.same(event["data"], {"seat": shooter, "how": how}, "moon_settled")
            return str(how)
        if how == "auto":
            points = deal.points(shooter, "add")
            after = [old + new for old, new in zip(self.scores, points, strict=True)]
            lost = winners(self.options, after) and after[shooter] > min(after)
            how = "subtract" if lost else "add"
        self.follows("moon_settled", {"seat": shooter, "how": how})
        return str(how)
