"""What does not fit is told in words, with its place, and never with its value."""

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
import pytest
from msgspec import Meta, Struct

from domain.misfits import LONGEST_NAME, Misfit, misfit


class Sample(Struct, forbid_unknown_fields=True, kw_only=True):
    """One field of each kind."""

    number: Annotated[int, Meta(ge=1, le=9)] = 1
    text: Annotated[str, Meta(min_length=1, max_length=5, pattern="^[a-z]*$")] = "a"
    digits: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] = "0" * 64
    id: UUID | None = None
    choice: Literal["red", "blue"] = "red"
    many: Annotated[tuple[int, ...], Meta(max_length=2)] = ()
    either: int | tuple[int, ...] | None = None
    nested: dict[str, int] = {}
    needed: bool


VALUE = "the sender's own value"

CASES: dict[str, tuple[dict[str, Any], Misfit]] = {
    "missing": ({"needed": ...}, Misfit("The field `needed` is missing.", "")),
    "unknown": ({"more": 1}, Misfit("There is no field `more` here.", "")),
    "kind": (
        {"number": VALUE},
        Misfit("This must be a whole number, not a text.", ".number"),
    ),
    "kinds": (
        {"either": VALUE},
        Misfit("This must be a whole number, a list or null, not a text.", ".either"),
    ),
    "too small": ({"number": 0}, Misfit("This must be at least 1.", ".number")),
    "too large": ({"number": 10}, Misfit("This must be at most 9.", ".number")),
    "too long": (
        {"text": VALUE},
        Misfit("This must have at most 5 characters.", ".text"),
    ),
    "too short": (
        {"text": ""},
        Misfit("This must have at least 1 character.", ".text"),
    ),
    "too many": (
        {"many": [1, 2, 3]},
        Misfit("This must have at most 2 items.", ".many"),
    ),
    "choice": (
        {"choice": VALUE},
        Misfit("This value is not one of those allowed.", ".choice"),
    ),
    "form": (
        {"text": "A"},
        Misfit("This value is not of the form that is wanted here.", ".text"),
    ),
    "digits": (
        {"digits": VALUE},
        Misfit("This must be 64 hexadecimal digits in lower case.", ".digits"),
    ),
    "fraction": (
        {"number": 1.5},
        Misfit("This must be a whole number, not a fraction.", ".number"),
    ),
    "id": ({"id": VALUE}, Misfit("This must be an id.", ".id")),
    "place": (
        {"nested": {VALUE: VALUE}},
        Misfit("This must be a whole number, not a text.", ".nested[]"),
    ),
}


def found(sent: dict[str, Any]) -> Misfit:
    """What is said of an object, `...` standing for a field that is left out."""
    whole = {"needed": True} | sent
    raw = msgspec.json.encode({k: v for k, v in whole.items() if v is not ...})
    with pytest.raises(msgspec.ValidationError) as wrong:
        msgspec.json.decode(raw, type=Sample)
    return misfit(wrong.value)


@pytest.mark.parametrize("case", CASES)
def test_a_misfit_is_told_in_words(case: str) -> None:
    """The sentence names what is wanted, the path where."""
    sent, told = CASES[case]
    assert found(sent) == told
    assert VALUE not in found(sent).text


def test_a_name_is_told_in_part() -> None:
    """A field that the sender made up is named, however long, in a few characters."""
    assert found({"x" * 10_000: 1}).text == (
        f"There is no field `{'x' * LONGEST_NAME}` here."
    )
