"""Players and their tokens."""

from typing import Final

from msgspec.json import Decoder

from api.answers import JSON, PRIVATE, Answer, answer
from api.calls import Call
from api.operations import Operation
from api.presenting import player_shape
from api.problems import BadRequest
from api.shapes import NewPlayer, PlayerAnswer, TokenAnswer
from domain.ids import PlayerId
from services.errors import NotFound
from services.ports import Player


async def register_player(call: Call) -> Answer:
    """Register a player.

    The token is shown this once; it goes into the `Authorization` header of every
    request that acts for the player, as `Bearer msr_…`.
    """
    if call.house.settings.registration == "closed" and not call.caller.is_admin:
        raise BadRequest("registration-closed", "This server takes no new players.")
    wanted = await call.body(_newcomers)
    player, token = await call.house.accounts.register(wanted.name, wanted.kind)
    return answer(TokenAnswer(player_shape(player), token), 201)


async def known_player(call: Call) -> Player:
    """The player in the path.

    Raises:
        NotFound: there is no such player.
    """
    player = PlayerId(call.id("player"))
    people = await call.house.accounts.people([player])
    if player not in people:
        raise NotFound("There is no such player.")
    return people[player]


async def read_player(call: Call) -> Answer:
    """Read a player.

    The name of a player who was forgotten is null.
    """
    return answer(PlayerAnswer(player_shape(await known_player(call))))


async def read_me(call: Call) -> Answer:
    """Read the caller's own player."""
    return answer(PlayerAnswer(player_shape(call.player())))


async def replace_my_token(call: Call) -> Answer:
    """Get a new token; the old one ends at once."""
    player = call.player()
    token = await call.house.accounts.replace_token(player.id, call.token or "")
    return answer(TokenAnswer(player_shape(player), token), 201)


async def forget_me(call: Call) -> Answer:
    """Have the caller's name and token forgotten.

    The games stay: their logs know players by id only.
    """
    await call.house.accounts.forget(call.player().id, call.token or "")
    return Answer(b"", 204, JSON, PRIVATE)


_newcomers: Final = Decoder(NewPlayer)


OPERATIONS = (
    Operation(
        method="POST",
        path="/v1/players",
        handler=register_player,
        body=NewPlayer,
        answer=TokenAnswer,
        status=201,
        problems=("registration-closed",),
        quota="registration",
    ),
    Operation(
        method="GET",
        path="/v1/players/{player}",
        handler=read_player,
        answer=PlayerAnswer,
        problems=("not-found",),
    ),
    Operation(
        method="GET", path="/v1/me", handler=read_me, answer=PlayerAnswer, token=True
    ),
    Operation(
        method="POST",
        path="/v1/me/token",
        handler=replace_my_token,
        answer=TokenAnswer,
        status=201,
        token=True,
    ),
    Operation(
        method="DELETE", path="/v1/me", handler=forget_me, status=204, token=True
    ),
)
