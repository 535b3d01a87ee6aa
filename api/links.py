"""How answers lead to the next request: the links (OpenAPI) of the document.

What stands in an answer is named by where it lies there, so that clients and tests can
follow a game from its table to its record without knowing the server.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

LinkTerms: TypeAlias = Mapping[str, str]
"""The parameters of the next request, `body` for its body: where each comes from."""

ANSWERED: Final = "$response.body#"
TABLE: Final = {"table": f"{ANSWERED}/table/id"}
SAME_TABLE: Final = {"table": "$request.path.table"}
SAME_SEAT: Final = {**SAME_TABLE, "seat": "$request.path.seat"}
FIRST_SEAT: Final = {**TABLE, "seat": f"{ANSWERED}/table/seats/0/seat"}
FIRST_TABLE: Final = {"table": f"{ANSWERED}/items/0/id"}
FIRST_GAME: Final = {"game": f"{ANSWERED}/items/0/game"}
FIRST_TURN: Final = {
    "table": f"{ANSWERED}/items/0/table",
    "body": f"{ANSWERED}/items/0/decision/legal/0",
}
PLAYER: Final = {"player": f"{ANSWERED}/player/id"}
SAME_PLAYER: Final = {"player": "$request.path.player"}
MOVE: Final = {**SAME_TABLE, "body": f"{ANSWERED}/decision/legal/0"}
SINCE: Final = {**SAME_TABLE, "after": f"{ANSWERED}/version"}
NEXT: Final = {"cursor": f"{ANSWERED}/next"}

OF_A_NEW_TABLE: Final[Mapping[str, LinkTerms]] = {
    "readTable": TABLE,
    "takeSeat": FIRST_SEAT,
    "leaveSeat": FIRST_SEAT,
    "giveEntropy": FIRST_SEAT,
    "startMatch": TABLE,
    "abandonTable": TABLE,
    "observeTable": TABLE,
    "readView": TABLE,
    "listEvents": TABLE,
    "readReceipt": TABLE,
}

LINKS: Final[Mapping[str, Mapping[str, LinkTerms]]] = {
    "registerPlayer": {"readPlayer": PLAYER},
    "readMe": {"readPlayer": PLAYER},
    "readPlayer": {
        "listStandingsOfPlayer": SAME_PLAYER,
        "listResultsOfPlayer": SAME_PLAYER,
    },
    "listStandings": {
        "listStandingsOfPlayer": {"player": f"{ANSWERED}/items/0/player/id"},
    },
    "listStandingsOfPlayer": {"listResultsOfPlayer": SAME_PLAYER},
    "listResultsOfPlayer": {
        "readRecord": {"table": f"{ANSWERED}/items/0/table"},
        "listResultsOfPlayer": {**SAME_PLAYER, **NEXT},
    },
    "listGames": {"readGame": FIRST_GAME, "listRules": FIRST_GAME, "listGames": NEXT},
    "listRules": {"listRules": {"game": "$request.path.game", **NEXT}},
    "createTable": OF_A_NEW_TABLE,
    "listTables": {
        "readTable": FIRST_TABLE,
        "readView": FIRST_TABLE,
        "listEvents": FIRST_TABLE,
        "listTables": NEXT,
    },
    "startMatch": {"readView": SAME_TABLE},
    "abandonTable": {
        "readRecord": SAME_TABLE,
        "readVerification": SAME_TABLE,
        "askForRematch": SAME_TABLE,
    },
    "askForRematch": OF_A_NEW_TABLE,
    "takeSeat": {
        "giveEntropy": SAME_SEAT,
        "leaveSeat": SAME_SEAT,
        "startMatch": SAME_TABLE,
        "readView": SAME_TABLE,
    },
    "readView": {
        "sendCommand": MOVE,
        "listEvents": SINCE,
        "streamTable": SINCE,
        "readDealProof": {**SAME_TABLE, "deal": f"{ANSWERED}/deal/number"},
    },
    "sendCommand": {"readView": SAME_TABLE, "listEvents": SAME_TABLE},
    "listEvents": {"listEvents": {**SAME_TABLE, **NEXT}},
    "listMyTurns": {"sendCommand": FIRST_TURN, "listMyTurns": NEXT},
}
"""By the operation that answers: which can follow, and with what."""


def links(operation: str) -> dict[str, Any]:
    """The links of an operation's success, as the document has them."""
    following = LINKS.get(operation, {})
    return {target: _link(target, **terms) for target, terms in following.items()}


def _link(target: str, *, body: str | None = None, **parameters: str) -> dict[str, Any]:
    link: dict[str, Any] = {"operationId": target, "parameters": parameters}
    return link if body is None else {**link, "requestBody": body}
