"""Who sits at a table, and who did what there. People stand by id only."""

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from domain.ids import PlayerId, Seat

BotName: TypeAlias = Literal["random", "steady"]


class Occupant(Struct, frozen=True):
    """Who has a seat: `{"player": id}`, `{"bot": name}`, or `{}`: nobody.

    In the plan of a table that opens it is whom the seat is reserved for.
    """

    player: PlayerId | UnsetType = UNSET
    bot: BotName | UnsetType = UNSET

    def is_one(self) -> bool:
        """Whether that is somebody, and not both a player and a bot."""
        return (self.player is UNSET) != (self.bot is UNSET)


NOBODY = Occupant()


class By(Struct, frozen=True):
    """Whose command brought an event about; exactly one of the fields is there."""

    seat: Seat | UnsetType = UNSET
    player: PlayerId | UnsetType = UNSET
    bot: Seat | UnsetType = UNSET
    clock: bool | UnsetType = UNSET
    server: bool | UnsetType = UNSET
