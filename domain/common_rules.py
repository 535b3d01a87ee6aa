"""The rules that every game here shares, in plain sentences."""

from typing import Final

COMMON_RULES: Final[dict[str, str]] = {
    "CM-1": "Cards win in the order ace, king, queen, jack, ten, down to two.",
    "CM-2": "There is never a trump suit.",
    "CM-3": "Play goes clockwise, one card each to a trick.",
    "CM-4": "Who holds a card of the suit led must play one of that suit; otherwise"
    " any card may be played.",
    "CM-5": "The highest card of the suit led wins the trick, and its player leads to"
    " the next.",
    "CM-6": "The deal passes to the left after each deal.",
    "CM-7": "The first dealer is chosen at random.",
    "CM-8": "A card that may not be played, or is not held, is refused and changes"
    " nothing.",
    "CM-9": "Captured cards lie face down. Players may look at their own; of the"
    " others' they know what they saw played.",
    "X-16": "A deal is void only when the table is abandoned in it; nothing follows.",
    "X-17": "The first dealer is drawn from the stream that the server committed to.",
    "X-19": "Limits on looking back bind what a view shows; the log shows every trick.",
    "X-21": "A seat that leaves during a match keeps its cards and score, and its"
    " player may come back.",
    "X-27": "A deal's points are what it did to each score.",
}
