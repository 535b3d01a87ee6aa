"""What came of checking a record: check by check, in words for who plays cards."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec import UNSET, Struct, UnsetType

from domain.ids import Version

CHECKS: Final = {
    "form": "every line has its one spelling",
    "versions": "events are numbered from 1 without a gap",
    "chain": "every event has the hash it must have",
    "head": "the record ends where it says it does",
    "header": "what is said of the table is what its events say",
    "options": "the game and its options are known and complete",
    "appends": "every command is somebody's who may give it, and stands in one piece",
    "commitments": "secrets are those that were committed to",
    "reveals": "every deal is opened at its end, and the match at its own",
    "seals": "what was hidden is what was opened",
    "deals": "dealers, seats and cards come of the secrets and the seats' entropy",
    "rules": "every move was legal, and what followed is what had to follow",
    "scores": "every deal is scored as it must be",
    "result": "the table ends, and ends as it must",
    "kept_head": "the record goes through the head that was kept",
}
"""What each check finds to be so, in the order in which they are told."""


class Check(Struct, frozen=True):
    """One check. `checked` is how much was found right: events, seals, deals, moves.

    Where it is not `ok`, `why` says what is wrong, or why it could not be finished;
    `first_bad_version` is there when it found something wrong itself.
    """

    name: str
    ok: bool
    checked: int
    first_bad_version: Version | UnsetType = UNSET
    why: str | UnsetType = UNSET


class Report(Struct, frozen=True):
    """What a record is worth. `version` and `head` are those of its last sound event.

    `first_bad_version` is the smallest at which something is wrong; the version after
    the last where it is what is missing.
    """

    ok: bool
    version: Version
    head: str
    checks: tuple[Check, ...]
    first_bad_version: Version | None


class Findings:
    """What has been found so far, and what could not be looked at."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._checked: Counter[str] = Counter()
        self._faults: dict[str, tuple[Version, str]] = {}
        self._unfinished: dict[str, str] = {}

    def right(self, name: str, count: int = 1) -> None:
        """So much was found to be as it must."""
        self._checked[name] += count

    def wrong(self, name: str, version: int, why: str) -> None:
        """Something is wrong at a version; of each check the first such is kept."""
        found = self._faults.get(name)
        if found is None or version < found[0]:
            self._faults[name] = Version(version), why

    def unfinished(self, why: str, *names: str) -> None:
        """These checks cannot go on; the first reason counts."""
        for name in names:
            self._unfinished.setdefault(name, why)

    @property
    def first(self) -> tuple[Version, str] | None:
        """The smallest version at which something is wrong, and which check says so."""
        return min(
            ((at, name) for name, (at, _) in self._faults.items()),
            key=lambda found: found[0],
            default=None,
        )

    def report(self, version: Version, head: str) -> Report:
        """All of it, for a record whose last sound event is that."""
        checks = tuple(map(self._check, self._names))
        ok = all(check.ok for check in checks)
        # What only a kept head denies may be another table from the first event on.
        elsewhere = None if ok else Version(1)
        return Report(
            ok=ok,
            version=version,
            head=head,
            checks=checks,
            first_bad_version=self.first[0] if self.first else elsewhere,
        )

    def _check(self, name: str) -> Check:
        checked = self._checked[name]
        if name in self._faults:
            at, why = self._faults[name]
            return Check(name, ok=False, checked=checked, first_bad_version=at, why=why)
        if name in self._unfinished:
            why = self._unfinished[name]
            return Check(name, ok=False, checked=checked, why=why)
        return Check(name, ok=True, checked=checked)
