"""Four people at a table whose cards are known."""

from typing import Final

from tests.e2e.client import Client, Json, seated
from tests.hearts_positions import MIXED

HANDS: Final = [hand.split() for hand in MIXED]
ARRANGED: Final = {"first_dealer": 3, "deals": [{"hands": HANDS}]}


class Four:
    """Four people at an arranged table, whose first deal begins with passing left."""

    def __init__(self, table: str, people: list[Client]) -> None:
        """Know them."""
        self.table = table
        self.people = people

    def pass_of(self, seat: int) -> Json:
        """A legal pass of the seat."""
        return {"type": "pass", "cards": HANDS[seat][:3]}

    async def head(self) -> str:
        """The head of the table."""
        head: str = (await self.people[0].get(f"/tables/{self.table}"))["head"]
        return head

    async def all_pass(self) -> None:
        """Everybody passes."""
        for seat, player in enumerate(self.people):
            await player.command(self.table, self.pass_of(seat))

    async def leader(self) -> tuple[Client, Json]:
        """Who is to act, and the decision."""
        [seat] = (await self.people[0].view(self.table))["to_act"]
        return self.people[seat], await self.people[seat].decision(self.table)


async def four_of(people: list[Client]) -> Four:
    """Seat them; they are about to pass."""
    table = await people[0].open_table(arrangement=ARRANGED)
    await seated(table, people)
    return Four(table, people)
