"""The Joker, which is the turned card in every respect (AA-R9).

That card is out of play. So once the Joker stands in its place all cards of a deal are
different ordinary cards, and suits and ranks are those of any game.
"""

from domain.cards import Card, Holding


def as_played(card: Card, turned: Card) -> Card:
    """The card as which a card counts: the Joker as the turned one."""
    return turned if card is Card.JOKER else card


def exchanged(held: Holding, turned: Card) -> Holding:
    """The holding with the turned card in the Joker's place, or the other way round."""
    both = Card.JOKER.bit | turned.bit
    return held ^ both if held & both else held
