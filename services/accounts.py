"""Who plays here: registering, tokens, names, and being forgotten.

A token is known by its hash only. What was looked up is believed for a few seconds, so
that a play need not ask the store who plays; what ends here ends at once in this
process.
"""

from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from hashlib import sha256
from time import monotonic
from typing import Final, Generic, Literal, TypeVar

from domain.ids import Hash, PlayerId
from services.errors import Unauthenticated
from services.ports import Player, Players
from services.tables import Outside

TOKEN_PREFIX: Final = "msr_"  # noqa: S105 - no secret, only how one begins
BELIEVED_FOR: Final = 5.0
MOST_BELIEVED: Final = 50_000

Key = TypeVar("Key")
Value = TypeVar("Value")


class Believed(Generic[Key, Value]):
    """Answers of the store that are used again for `BELIEVED_FOR` seconds."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Key, tuple[float, Value]] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """What is believed, unless it is too old."""
        until, value = self._answers.get(key, (0.0, None))
        return value if monotonic() < until else None

    def put(self, key: Key, value: Value) -> None:
        """Believe `value` from now on."""
        self._answers[key] = (monotonic() + BELIEVED_FOR, value)
        self._answers.move_to_end(key)
        if len(self._answers) > MOST_BELIEVED:
            self._answers.popitem(last=False)

    def drop(self, key: Key) -> None:
        """Ask again next time."""
        self._answers.pop(key, None)


class Accounts:
    """The players and their tokens."""

    def __init__(self, players: Players, outside: Outside) -> None:
        self._players = players
        self._outside = outside
        self._by_token: Believed[Hash, Player] = Believed()
        self._by_id: Believed[PlayerId, Player] = Believed()

    async def register(
        self,
        name: str,
        kind: Literal["human", "bot"],
        *,
        admin: bool = False,
        referee: bool = False,
    ) -> tuple[Player, str]:
        """A new player and the token that is shown this once."""
        token = self._new_token()
        player = Player(
            id=PlayerId(self._outside.new_id()),
            name=name,
            kind=kind,
            admin=admin,
            referee=referee,
        )
        await self._players.add(player, token_hash(token))
        return player, token

    async def authenticate(self, token: str) -> Player:
        """Whose token it is.

        Raises:
            Unauthenticated: nobody's, or not any more.
        """
        hashed = token_hash(token)
        player = self._by_token.get(hashed)
        if player is None:
            player = await self._players.by_token(hashed)
            if player is None:
                raise Unauthenticated("This token is not known here.")
            self._by_token.put(hashed, player)
        return player

    async def replace_token(self, player: PlayerId, old: str) -> str:
        """A new token for the player; the old one ends."""
        token = self._new_token()
        await self._players.replace_token(player, token_hash(token))
        self._by_token.drop(token_hash(old))
        return token

    async def forget(self, player: PlayerId, token: str) -> None:
        """Drop the player's name and token."""
        await self._players.forget(player)
        self._by_token.drop(token_hash(token))
        self._by_id.drop(player)

    async def people(self, ids: Iterable[PlayerId]) -> Mapping[PlayerId, Player]:
        """Those of `ids` that are known."""
        found: dict[PlayerId, Player] = {}
        asked = []
        for player_id in set(ids):
            player = self._by_id.get(player_id)
            if player is None:
                asked.append(player_id)
            else:
                found[player_id] = player
        if asked:
            for player_id, player in (await self._players.get(asked)).items():
                self._by_id.put(player_id, player)
                found[player_id] = player
        return found

    def _new_token(self) -> str:
        noise = urlsafe_b64encode(self._outside.random_bytes(32)).rstrip(b"=")
        return TOKEN_PREFIX + noise.decode()


def token_hash(token: str) -> Hash:
    """How a token is stored."""
    return Hash(sha256(token.encode()).digest())
