"""How much a caller may ask for: so many requests a minute, and no more at once.

A caller is a player, or an address where there is no token or none that is known. Each
process counts for itself. What is left is told in the fields `RateLimit` and
`RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11).
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from math import ceil
from time import monotonic
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from api.answers import Header
from api.problems import BadRequest
from domain.ids import PlayerId

Allowance: TypeAlias = tuple[Header, ...]
"""What an answer says of the quota that its request fell under."""

Kind: TypeAlias = Literal["requests", "registration", "stream", "none"]
"""What a request is, as far as quotas tell them apart."""

WINDOW: Final = 60.0
"""Seconds in which a quota that was used up is there again."""

MOST_CALLERS: Final = 100_000
"""How many are told apart; of more, those that were quiet longest are forgotten."""

REGISTRATION: Final = 20
"""How many requests registering a player counts for."""

FEWEST_RESUMED: Final = 60
"""How many streams may be taken up again, however few requests are allowed."""

TINY: Final = 1e-6
"""Seconds that may be lost in floating point."""


class Asking(Struct, frozen=True):
    """Who asks: a player or, without a token that is known, an address.

    `is_resumed` says that a stream goes on where it was.
    """

    player: PlayerId | None
    address: str
    is_admin: bool = False
    is_resumed: bool = False


class RateLimited(BadRequest):
    """A request was one too many."""

    def __init__(self, policy: str, seconds: int, allowance: Allowance) -> None:
        super().__init__(
            "rate-limited",
            f"Too many requests; another may come in {seconds} s.",
            policy=policy,
            seconds=seconds,
        )
        self.allowance = allowance


class Quota:
    """So many requests a minute for each caller, all at once or spread out (GCRA).

    Of a caller it is known when the quota will be whole again; a request puts that off.
    """

    def __init__(
        self, name: str, requests: int, now: Callable[[], float] = monotonic
    ) -> None:
        self.name = name
        policy = f'"{name}";q={requests};w={WINDOW:.0f}'
        self._policy: Header = b"ratelimit-policy", policy.encode()
        self._each = WINDOW / requests
        self._now = now
        self._whole_at: OrderedDict[Hashable, float] = OrderedDict()

    def __len__(self) -> int:
        """Of how many callers it knows."""
        return len(self._whole_at)

    def take(self, caller: Hashable) -> Allowance:
        """Take a request off; how many are left.

        Raises:
            RateLimited: there is none left.
        """
        now = self._now()
        whole_at = max(self._whole_at.get(caller, now), now) + self._each
        room = now + WINDOW - whole_at
        if room < -TINY:
            seconds = ceil(-room)
            waiting = b"retry-after", b"%d" % seconds
            allowance = *self._told(0, seconds), waiting
            raise RateLimited(self.name, seconds, allowance)
        self._whole_at[caller] = whole_at
        self._whole_at.move_to_end(caller)
        self._forget(now)
        left = int((room + TINY) / self._each)
        # Until all may come again or, where none may now, until one may.
        seconds = ceil(whole_at - now if left else self._each - room)
        return self._told(left, seconds)

    def _told(self, left: int, seconds: int) -> tuple[Header, Header]:
        told = f'"{self.name}";r={left};t={seconds}'.encode()
        return (b"ratelimit", told), self._policy

    def _forget(self, now: float) -> None:
        """Forget one or two whose quota is whole, or for whom there is no room."""
        for _ in range(2):
            caller, whole_at = next(iter(self._whole_at.items()))
            if whole_at > now and len(self._whole_at) <= MOST_CALLERS:
                return
            del self._whole_at[caller]


class Limits:
    """The quotas of a process: so many requests a minute."""

    def __init__(self, requests: int) -> None:
        self._players = Quota("token", requests)
        self._addresses = Quota("address", requests)
        self._registrations = Quota("registration", max(1, requests // REGISTRATION))
        self._resumed = Quota("resumed", max(FEWEST_RESUMED, requests))

    def charge(self, kind: Kind, who: Asking) -> Allowance:
        """Take a request off the quota that it falls under.

        Raises:
            RateLimited: it is one too many.
        """
        if kind == "none":
            return ()
        if kind == "registration" and not who.is_admin:
            return self._registrations.take(who.address)
        caller: Hashable = who.address if who.player is None else who.player
        if kind == "stream" and who.is_resumed:
            return self._resumed.take(caller)
        quota = self._addresses if who.player is None else self._players
        return quota.take(caller)
