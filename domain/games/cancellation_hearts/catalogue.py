"""The rules of Cancellation Hearts in plain sentences, by the ids refusals name."""

from collections.abc import Mapping
from typing import Final

from domain.common_rules import COMMON_RULES

RULES: Final[Mapping[str, str]] = COMMON_RULES | {
    "CH-R1": "Six to eleven players, each for themselves.",
    "CH-R2": "Two packs of 52 cards are shuffled together, so that there are two of"
    " every card. There are no jokers.",
    "CH-R3": "All are dealt equally many cards, as far as they go; what is left over"
    " lies face down as the kitty. Hand and kitty are 17 and 2 cards with six players,"
    " 14 and 6 with seven, 13 and none with eight, 11 and 5 with nine, 10 and 4 with"
    " ten, 9 and 5 with eleven.",
    "CH-R4": "The kitty goes to the winner of the first trick; an option gives it to"
    " the winner of the last one.",
    "CH-R5": "If the first trick is set aside, the kitty waits with it for the next"
    " player to win a trick.",
    "CH-R6": "The kitty is not shown during play; it counts for its owner at the end,"
    " who alone may look at it.",
    "CH-R7": "Before play each player passes three cards. No card moves before all"
    " have chosen.",
    "CH-R8": "The pass goes left in the first deal, right in the second, and so on in"
    " turn.",
    "CH-R9": "The player on the dealer's left leads to the first trick.",
    "CH-R10": "Neither a heart nor a queen of spades may be led to the first trick.",
    "CH-R11": "Who has nothing else for the first lead must lead the queen of spades,"
    " or with hearts alone any of them.",
    "CH-R12": "Who cannot follow suit may play any card, a heart or a queen of spades"
    " too, and on the first trick too.",
    "CH-R13": "A queen of spades may be led at any time after the first lead, whether"
    " hearts are broken or not.",
    "CH-R14": "Hearts are broken once a heart or a queen of spades has been played in"
    " the deal, in a cancelled trick too. Cards in the kitty are not played.",
    "CH-R15": "Until hearts are broken no heart may be led.",
    "CH-R16": "A leader with nothing but hearts may lead one although they are not"
    " broken. Who holds a queen of spades beside them must lead her; an option lets"
    " either be led.",
    "CH-R17": "Two identical cards in one trick cancel each other: neither can win it."
    " They keep their penalty points.",
    "CH-R18": "The trick goes to the highest card of the suit led that is not"
    " cancelled.",
    "CH-R19": "If no such card is left, nobody wins the trick, and it is set aside."
    " Cards of other suits never win.",
    "CH-R20": "However many pairs cancel, a card of the suit led that is left wins; an"
    " option sets every trick with two pairs aside.",
    "CH-R21": "After a trick was set aside the same player leads again.",
    "CH-R22": "What is set aside, from one trick or several, goes to the winner of the"
    " next trick.",
    "CH-R23": "If the last trick is cancelled nobody takes it, nor what else is set"
    " aside, nor a kitty still waiting, and their points vanish; an option gives all"
    " of it to the leader.",
    "CH-R24": "Each heart taken counts one point, each queen of spades thirteen: 52 in"
    " a deal, less what vanished.",
    "CH-R25": "Who takes all 26 hearts and both queens of spades has shot the moon,"
    " scores nothing for the deal, and chooses: 26 points off the own score, or 26 for"
    " everybody else.",
    "CH-R26": "If a penalty card vanished there is no moon.",
    "CH-R27": "The moon counts 26 points; an option makes it 52.",
    "CH-R28": "Scores may go below zero.",
    "CH-R29": "For a shooter who does not choose, and by option for all, the moon is"
    " added to the others, unless that would end the match with the shooter not"
    " lowest: then it is taken off.",
    "CH-R30": "The target is 150 points unless agreed otherwise.",
    "CH-R31": "The match ends after the deal in which a score reaches the target. The"
    " lowest score wins.",
    "CH-R32": "Players tied for the lowest score win jointly; an option lets them play"
    " on until one is lowest.",
    "X-1": "For a moon that adds unless it loses the match, joint lowest is lowest.",
    "X-8": "By the option on leading hearts beside a queen of spades, the first lead"
    " from such a hand may be either too.",
    "X-9": "Two identical cards may be passed by who holds both.",
    "X-23": "Where a cancelled last trick goes to its leader, so does what is set"
    " aside, and a kitty still waiting.",
}
