"""Forged records: whatever a forger can make fit again fits."""

import json
from functools import cache
from uuid import UUID

from domain.cards import cards_of
from domain.chain import canonical
from domain.games import GAMES
from domain.ids import Seat, Secret, TableId, Version
from domain.seals import salt, seal
from domain.shuffle import Words, deal_commitment, deal_key, match_commitment
from tests.games import TRIALS
from tests.second.records import Json, Lines, events_of, lines_of, match, rehashed


class Forger:
    """The events of a sound record, to be changed and then put in order again."""

    def __init__(self, game: str, *, recorded: bool = False) -> None:
        self.game = GAMES[game]
        self.lines = _sound(game, recorded=recorded)
        self.events = events_of(self.lines)
        self.table = TableId(UUID(json.loads(self.lines[0])["table"]["id"]))

    def all(self, kind: str) -> list[Json]:
        """The events of a kind."""
        return [event for event in self.events if event["type"] == kind]

    def data(self, kind: str, which: int = 0) -> Json:
        """What the event of a kind says."""
        found: Json = self.all(kind)[which]["data"]
        return found

    def version(self, kind: str, which: int = 0) -> int:
        """Where an event of a kind stands."""
        return self.events.index(self.all(kind)[which]) + 1

    def texts(self, deal: int) -> dict[int, Json]:
        """What a deal's reveal opens, by version."""
        opened = self.data("deal_revealed", deal - 1)["opened"]
        return {it["version"]: it for it in opened}

    def seal_again(self) -> "Forger":
        """Make commitments and seals fit what is revealed."""
        sealed: list[tuple[int, Json]] = []
        started: Json = {}
        opened = self.events[0]["data"]
        for version, event in enumerate(self.events, 1):
            data = event["data"]
            if "seal" in data:
                sealed.append((version, data))
            elif event["type"] == "deal_started":
                started = data
            elif event["type"] == "deal_revealed":
                secret = Secret(bytes.fromhex(data["secret"]))
                committed = deal_commitment(self.table, started["deal"], secret)
                started["commitment"] = committed.hex()
                texts = {it["version"]: it["body"] for it in data["opened"]}
                for at, hidden in sealed:
                    if at in texts:
                        hidden["seal"] = self._seal(secret, at, texts[at])
                sealed = []
            elif event["type"] == "match_revealed":
                secret = Secret(bytes.fromhex(data["secret"]))
                opened["commitment"] = match_commitment(self.table, secret).hex()
                for it in data["opened"]:
                    opened["arranged"] = self._seal(secret, 1, it["body"])
        return self

    def _seal(self, secret: Secret, at: int, body: str) -> str:
        version = Version(at)
        salted = salt(secret, self.table, version)
        return seal(self.table, version, salted, body.encode()).hex()

    def deal_again(self) -> None:
        """Let all cards follow from the deals' secrets, dealers and entropy."""
        given = self.data("match_started")["entropy"]
        entropy = [bytes.fromhex(it) for it in given]
        state = self.game.begin(
            self.game.presets[self.game.default_preset], len(entropy), None
        )
        for which, start in enumerate(self.all("deal_started")):
            number = start["data"]["deal"]
            secret = Secret(bytes.fromhex(self.data("deal_revealed", which)["secret"]))
            words = Words(deal_key(self.table, number, secret, entropy))
            layout = self.game.shuffle(state, Seat(start["data"]["dealer"]), words)
            at = self.events.index(start)
            texts = self.texts(number)
            for seat, hand in enumerate(layout.hands):
                version = at + 2 + seat
                texts[version]["body"] = canonical({"cards": cards_of(hand)}).decode()

    def record(self) -> Lines:
        """The record of the events as they are now."""
        return rehashed(self.lines, self.events)


@cache
def _sound(game: str, *, recorded: bool) -> Lines:
    if recorded:
        return lines_of(TRIALS[game].recorded())
    return lines_of(match(game, GAMES[game].usual_seats, seed=8))
