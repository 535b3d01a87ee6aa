"""The rules of Agony Aunt in plain sentences, by the ids that refusals name."""

from collections.abc import Mapping
from typing import Final

from domain.common_rules import COMMON_RULES

RULES: Final[Mapping[str, str]] = COMMON_RULES | {
    "AA-R1": "Four players, each for themselves. Each begins with seventeen counters of"
    " a colour; a table may agree on another number.",
    "AA-R2": "The pack has 53 cards: the usual 52 and one Joker.",
    "AA-R3": "The pack is shuffled and its first card turned face up. If that is the"
    " Joker, it is buried and the next card is turned.",
    "AA-R4": "A buried Joker goes back to a random place among the cards that are yet"
    " to be dealt.",
    "AA-R5": "The turned card lies on the table and is out of play for the deal.",
    "AA-R6": "Each player is dealt thirteen cards.",
    "AA-R7": "The suit of the turned card is the dump suit. Its rank is the dump"
    " number: an ace is one, a jack eleven, a queen twelve, a king thirteen.",
    "AA-R8": "The queen of the dump suit is Agony Aunt. The Joker is Agony Uncle.",
    "AA-R9": "The Joker is the turned card in every respect: it has its suit and its"
    " rank, follows suit as it does, and wins as it would.",
    "AA-R10": "If a queen was turned, the Joker is that queen and Agony Aunt too, and"
    " costs whoever takes it three counters.",
    "AA-R11": "The dealer's left leads to the first trick, any card. No lead and no"
    " discard is ever forbidden.",
    "AA-R12": "Follow suit if you can, else play any card. The highest card of the suit"
    " led wins, and the winner leads to the next trick.",
    "AA-R13": "Nine things cost a counter each, put down on a square of their own:"
    " taking Agony Aunt, taking the Joker, taking the queen of spades, of hearts, of"
    " diamonds, of clubs (so that Agony Aunt costs two), winning the last trick,"
    " winning the trick of the dump number, winning the most tricks.",
    "AA-R14": "A turned ace makes trick one the dumpth trick, although aces win high. A"
    " turned king makes it trick thirteen, the last one, which then costs two.",
    "AA-R15": "Of players who tie for most tricks, the one pays who took the most cards"
    " of the dump suit, the Joker being one of them.",
    "AA-R16": "If they tie in that too, the one pays who took the highest card of the"
    " dump suit, the Joker ranking as the turned card.",
    "AA-R17": "If none of them took any, the one pays who won the latest trick.",
    "AA-R18": "When a deal is over nine counters lie on the board, each of one player.",
    "AA-R19": "Three counters of one player in a line, across, down or diagonal, cost"
    " that player another. A counter may stand in several lines.",
    "AA-R20": "A deal can cost seventeen counters at most: nine, and eight lines.",
    "AA-R21": "Counters lost on the board and for lines are gone, unless a rule gives"
    " them back.",
    "AA-R22": "Who wins all thirteen tricks goes back to the full number of counters.",
    "AA-R23": "Who wins no trick goes back to the full number of counters, unless"
    " somebody else won them all.",
    "AA-R24": "Who wins a trick but has no counter on the board takes back half of the"
    " counters lost in earlier deals, rounded down.",
    "AA-R25": "Counters come back by themselves; nobody need ask for them.",
    "AA-R26": "When one player wins all tricks, nothing comes back to the others.",
    "AA-R27": "A deal is always played out. Who has no counter left owes those that"
    " follow: they count on their squares and in lines, and nobody goes below nought.",
    "AA-R28": "At the end of a deal the most tricks are paid for first, then lines;"
    " then counters are lost, then given back; and only then is it seen whether the"
    " match is over.",
    "AA-R29": "The match ends with the deal that leaves a player without counters. The"
    " player with the most counters wins.",
    "AA-R30": "Players who tie for the most counters win jointly.",
    "AA-R31": "Otherwise the deal passes to the left, and a new card is turned.",
}
