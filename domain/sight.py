"""The shapes of what is shown of a table; `views` fills them in."""

from msgspec import Struct

from domain.cards import Card
from domain.commands import Move
from domain.decisions import Choices, Phase
from domain.ids import Seat
from domain.terms import Options
from domain.tricks import Trick


class SeatedCard(Struct, frozen=True):
    """A card on the table and whose it was."""

    seat: Seat
    card: Card


class TrickView(Struct, frozen=True):
    """The trick that is on: its number from 1, the cards in order of play.

    `leader` is null while nobody knows who leads, or nobody does any more.
    """

    number: int
    leader: Seat | None
    plays: tuple[SeatedCard, ...]


class TakenTrick(Struct, frozen=True):
    """A trick that is over; `winner` is null where it was set aside."""

    number: int
    leader: Seat
    plays: tuple[SeatedCard, ...]
    winner: Seat | None


class GameView(Struct, frozen=True):
    """What only this game shows of a deal."""


class DealView(Struct, frozen=True):
    """A deal as one viewer sees it; lists are by seat, `hand` is the viewer's own."""

    number: int
    dealer: Seat
    phase: Phase
    hand: tuple[Card, ...] | None
    hand_sizes: tuple[int, ...]
    trick: TrickView
    last_tricks: tuple[TakenTrick, ...]
    tricks_taken: tuple[int, ...]
    commitment: str
    arranged: bool
    game: GameView


class Decision(Struct, frozen=True):
    """An open decision of the viewer's seat: moves ready to post, or what to choose."""

    id: str
    seat: Seat
    kind: str
    deadline: str | None
    legal: tuple[Move, ...]
    choices: Choices | None


class ResultView(Struct, frozen=True):
    """How the match ended, by seat."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    settlement: tuple[int, ...] | None


class SeatClock(Struct, frozen=True):
    """A seat's clock: when its time is up, while it runs, and its reserve in seconds.

    The deadline has the reserve in it.
    """

    deadline: str | None
    bank: int


class OpenCards(Struct, frozen=True):
    """The cards that lie hidden: all hands, by seat, and the kitty as it was dealt."""

    hands: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...]


class View(Struct, frozen=True):
    """What one viewer may see of a table; `seat` is None for the public.

    `clocks` are all seats', None where the table has none or the match is to come.
    `open` is for who may see all cards, None for everybody else.
    """

    seat: Seat | None
    deal: DealView | None
    scores: tuple[int, ...]
    result: ResultView | None
    to_act: tuple[Seat, ...]
    decision: Decision | None
    clocks: tuple[SeatClock, ...] | None
    open: OpenCards | None = None


class Sight(Struct, frozen=True):
    """All that a bot goes by, which is what any client at its seat can know.

    `tricks` are the completed tricks of the deal, which the public log shows.
    """

    game: str
    seat: Seat
    seats: int
    options: Options
    view: View
    tricks: tuple[Trick, ...]
