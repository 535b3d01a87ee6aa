"""Forgeries made well, by who knows every secret, and what gives them away.

What nothing gives away is told too: then only a head helps that somebody kept.
"""

from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import replace

from domain.deciding import Given
from domain.ids import Secret
from domain.records import verify
from tests.driver import Driver, Record, hearts_of_people, of_bots
from tests.records.forgeries import FORGERIES, Forgery
from tests.records.forging import lines, rehash, two_deals

LATER = {"option_of_another_course", "other_entropy", "other_suit"}
"""What is no lie where it is told, but does not fit what comes of it."""

every_forgery = pytest.mark.parametrize(
    "forgery", FORGERIES, ids=lambda it: it.forge.__name__
)


def forged(forgery: Forgery) -> tuple[Record, Record]:
    """The record before and after, its hashes fitting again."""
    sound = forgery.record()
    record = deepcopy(sound)
    forgery.forge(record)
    rehash(record)
    return sound, record


def first_change(sound: Record, record: Record) -> int:
    """The first version at which the records differ in what they say."""
    linked = {"prev", "hash", "version"}

    def said(it: Record) -> list[dict[str, Any]]:
        return [{k: v for k, v in e.items() if k not in linked} for e in it["events"]]

    pairs = zip([*said(sound), None], [*said(record), None], strict=False)
    return next(at for at, (one, two) in enumerate(pairs, 1) if one != two)


@every_forgery
def test_a_forgery_is_sound_before_it_is_forged(forgery: Forgery) -> None:
    """Hashing a record again changes nothing, and it is found right."""
    sound = forgery.record()
    again = deepcopy(sound)
    rehash(again)
    assert again == sound
    assert verify(lambda: lines(sound)).ok


@every_forgery
def test_a_forgery_made_well_is_found(forgery: Forgery) -> None:
    """The check that must fail does, and says where and why; the chain itself holds."""
    sound, record = forged(forgery)
    report = verify(lambda: lines(record))
    checks = {check.name: check for check in report.checks}
    assert checks["chain"].ok
    assert checks["head"].ok
    if forgery.check is None:
        assert report.ok
        return
    failed = checks[forgery.check]
    assert not failed.ok
    assert isinstance(failed.first_bad_version, int), report
    assert isinstance(failed.why, str)
    assert failed.why.endswith(".")
    assert not report.ok
    assert report.first_bad_version is not None
    if forgery.forge.__name__ not in LATER and sound["events"] != record["events"]:
        assert report.first_bad_version <= first_change(sound, record)


@every_forgery
def test_a_kept_head_gives_every_forgery_away(forgery: Forgery) -> None:
    """Whoever kept the last head, or one from behind the change, needs no more.

    Where all events are as they were, it is what stands beside or behind them.
    """
    sound, record = forged(forgery)
    report = verify(lambda: lines(record), sound["head"])
    assert not report.ok
    if record["events"][: len(sound["events"])] != sound["events"]:
        [kept] = [check for check in report.checks if check.name == "kept_head"]
        assert not kept.ok


def test_what_cannot_be_checked_any_more_says_so() -> None:
    """Where an append is wrong, nothing that hangs on what follows is called right."""
    record = two_deals()
    [illegal] = [it for it in FORGERIES if it.forge.__name__ == "illegal_play"]
    illegal.forge(record)
    rehash(record)
    checks = {check.name: check for check in verify(lambda: lines(record)).checks}
    assert all(checks[name].ok for name in ("form", "chain", "seals", "commitments"))
    for name in ("appends", "deals", "scores", "result", "header"):
        assert not checks[name].ok
        assert "version" in str(checks[name].why)


def test_a_match_given_up_to_hide_its_course_is_told_by_a_kept_head_alone() -> None:
    """A forger who knows the secrets can end any match early, by all rules."""
    played = hearts_of_people({"target": 40}, seed=2)
    for _ in played.prefixes(40):
        pass
    seen = played.lines[-1].hash.hex()
    short = hearts_of_people({"target": 40}, seed=2)
    for _ in short.prefixes(30):
        pass
    record = short.abandon().record_lines()
    assert short.id == played.id
    assert verify(lambda: record).ok
    assert not verify(lambda: record, seen).ok
    assert verify(lambda: record, played.lines[20].hash.hex()).ok


def test_a_match_from_other_secrets_is_told_by_a_kept_head_alone() -> None:
    """Before anybody has a head, who makes the cards can choose among many matches."""

    class Remade(Driver):
        def given(self) -> Given:
            return replace(super().given(), match=Secret(b"\x5e" * 32))

    real = of_bots("hearts", {"target": 1}, seed=4)
    other = Remade(real.commands[0], seed=4).finish()  # type: ignore[arg-type]
    record = other.record_lines()
    assert other.id == real.id
    assert verify(lambda: record).ok
    assert not verify(lambda: record, real.lines[0].hash.hex()).ok
