"""Automatic players: a sight in, a move out. They get no more than a client gets."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from domain.bots import chance, steady
from domain.commands import Move
from domain.people import BotName
from domain.sight import Sight

if TYPE_CHECKING:
    from random import Random

Bot: TypeAlias = Callable[[Sight, "Random"], Move]
"""Chooses at the open decision of its seat; the same numbers make the same choice."""

BOTS: Final[Mapping[BotName, Bot]] = {"random": chance.choose, "steady": steady.choose}
