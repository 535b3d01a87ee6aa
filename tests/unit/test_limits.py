"""Quotas: who asks too much is told when to come again, and nobody else is."""

from typing import Final

import pytest

from api import limits
from api.limits import Quota, RateLimited
from infra.addresses import is_loopback, site

REQUESTS: Final = 6
EACH: Final = 10.0
"""Seconds in which one of six a minute comes back."""


class Clock:
    """A clock that goes on when it is told."""

    def __init__(self) -> None:
        self.now = 1000.1

    def __call__(self) -> float:
        """The time."""
        return self.now


def asked(quota: Quota, caller: str = "a") -> tuple[bool, dict[str, str]]:
    """Whether a caller's next request may come, and what is told of it."""
    try:
        allowed, allowance = True, quota.take(caller)
    except RateLimited as limited:
        allowed, allowance = False, limited.allowance
    return allowed, {name.decode(): value.decode() for name, value in allowance}


def test_a_quota_may_be_used_at_once() -> None:
    """Each answer says how many are left, and at the end when one comes back."""
    quota = Quota("token", REQUESTS, Clock())
    told = [asked(quota) for _ in range(REQUESTS)]
    assert all(allowed for allowed, _ in told)
    assert [fields["ratelimit"] for _, fields in told] == [
        '"token";r=5;t=10',
        '"token";r=4;t=20',
        '"token";r=3;t=30',
        '"token";r=2;t=40',
        '"token";r=1;t=50',
        '"token";r=0;t=10',
    ]
    assert {fields["ratelimit-policy"] for _, fields in told} == {'"token";q=6;w=60'}


def test_one_too_many_is_told_when_to_come_again() -> None:
    """Then it may, and only then; that it was refused costs nothing."""
    clock = Clock()
    quota = Quota("token", REQUESTS, clock)
    for _ in range(REQUESTS):
        asked(quota)
    clock.now += 2.5
    for _ in range(3):
        allowed, fields = asked(quota)
        assert not allowed
        assert (fields["ratelimit"], fields["retry-after"]) == ('"token";r=0;t=8', "8")
    clock.now += 8
    assert [asked(quota)[0] for _ in range(2)] == [True, False]


def test_who_asks_evenly_is_never_refused() -> None:
    """A quota comes back all the time, not once a minute."""
    clock = Clock()
    quota = Quota("token", REQUESTS, clock)
    for _ in range(50):
        assert asked(quota)[0]
        clock.now += EACH


def test_callers_are_apart() -> None:
    """One's haste is not another's loss."""
    quota = Quota("token", REQUESTS, Clock())
    while asked(quota)[0]:
        pass
    assert asked(quota, "b")[1]["ratelimit"] == '"token";r=5;t=10'


@pytest.mark.parametrize("pause", [0.0, 0.5])
def test_a_flood_of_callers_is_borne(
    pause: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more than so many are kept, and of those who are whole again none."""
    monkeypatch.setattr(limits, "MOST_CALLERS", 100)
    clock = Clock()
    quota = Quota("address", REQUESTS, clock)
    for number in range(10_000):
        assert asked(quota, str(number))[0]
        clock.now += pause
    kept = len(quota)
    assert kept == (100 if not pause else EACH / pause)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8:0:0:ffff::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("no address", "x" * 10_000, True),
    ],
)
def test_a_site_is_an_address_or_a_network(one: str, other: str, same: bool) -> None:  # noqa: FBT001 - a parameter
    """Who has an IPv6 address has 2^64 of them."""
    assert (site(one) == site(other)) is same
    assert len(site(other)) < 50


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),  # noqa: S104 - an example
        ("::", False),
        ("192.0.2.1", False),
        ("cards.example", False),
        ("", False),
    ],
)
def test_loopback_is_what_no_other_machine_reaches(host: str, local: bool) -> None:  # noqa: FBT001 - a parameter
    """Names are not looked up."""
    assert is_loopback(host) is local
