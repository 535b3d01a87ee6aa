"""How much a caller may ask for: so many requests a minute, and no more at once.

A caller is a player, or an address where there is no token or none that is known. Each
process counts for itself. What is left is told in the fields `RateLimit` and
`RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11).
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING, Final

from api.answers import Header
from api.problems import BadRequest

if TYPE_CHECKING:
    from api.calls import Call
    from api.operations import Operation

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


class RateLimited(BadRequest):
    """A request was one too many."""

    def __init__(self, policy: str, seconds: int) -> None:
        super().__init__(
            "rate-limited",
            f"Too many requests; another may come in {seconds} s.",
            policy=policy,
            seconds=seconds,
        )


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

    def take(self, call: "Call", caller: Hashable) -> None:
        """Take a request off, and note how many are left.

        Raises:
            RateLimited: there is none left.
        """
        now = self._now()
        whole_at = max(self._whole_at.get(caller, now), now) + self._each
        room = now + WINDOW - whole_at
        if room < -TINY:
            seconds = ceil(-room)
            waiting = b"retry-after", b"%d" % seconds
            call.allowance = *self._told(0, seconds), waiting
            raise RateLimited(self.name, seconds)
        self._whole_at[caller] = whole_at
        self._whole_at.move_to_end(caller)
        self._forget(now)
        left = int((room + TINY) / self._each)
        # Until all may come again or, where none may now, until one may.
        seconds = ceil(whole_at - now if left else self._each - room)
        call.allowance = self._told(left, seconds)

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
    """The quotas of a process; none where `requests` a minute are None."""

    def __init__(self, requests: int | None) -> None:
        self._are_off = requests is None
        allowed = requests or 1
        self._players = Quota("token", allowed)
        self._addresses = Quota("address", allowed)
        self._registrations = Quota("registration", max(1, allowed // REGISTRATION))
        self._resumed = Quota("resumed", max(FEWEST_RESUMED, allowed))

    def charge(self, operation: "Operation", call: "Call") -> None:
        """Take a request off the quota that it falls under.

        Raises:
            RateLimited: it is one too many.
        """
        if self._are_off or operation.quota == "none":
            return
        player = call.caller.player
        quota = self._addresses if player is None else self._players
        caller: Hashable = call.address if player is None else player.id
        if operation.quota == "stream" and call.is_resumed:
            quota = self._resumed
        elif operation.quota == "registration" and not call.caller.is_admin:
            quota, caller = self._registrations, call.address
        quota.take(call, caller)

    def charge_address(self, call: "Call") -> None:
        """The same for a request that met no operation."""
        if not self._are_off:
            self._addresses.take(call, call.address)
