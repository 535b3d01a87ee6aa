"""How many random games a property is tried on."""

from typing import Final

from hypothesis import HealthCheck, settings

QUICK: Final = settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
"""A few games, the same ones always."""

THOROUGH: Final = settings(QUICK, max_examples=60, derandomize=False)
"""Many games, new ones each time."""
