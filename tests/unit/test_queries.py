"""What is wrong with a query is told to whoever wrote it."""

import pytest
from msgspec import Struct

from api.bodies import decode_query
from api.problems import BadRequest


class Wanted(Struct, frozen=True):
    """One parameter that may be left out, one that may not."""

    needed: bool
    number: int | None = None


@pytest.mark.parametrize(
    ("sent", "text", "field"),
    [
        ({"needed": "maybe"}, "This must be true or false, not a text.", ".needed"),
        (
            {"needed": "true", "number": "x"},
            "This must be a whole number, not a text.",
            ".number",
        ),
        (
            {"needed": "true", "more": "x"},
            "There is no such parameter here.",
            ".more",
        ),
    ],
)
def test_a_misfit_of_a_query_is_told(
    sent: dict[str, str], text: str, field: str
) -> None:
    """No null is asked for: no text of a query stands for it."""
    with pytest.raises(BadRequest) as refused:
        decode_query([*sent.items()], Wanted)
    assert refused.value.text == text
    assert refused.value.facts == {"field": f"query{field}"}
