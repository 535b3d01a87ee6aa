"""The rules of Tetka in plain sentences, by the ids that refusals name."""

from collections.abc import Mapping
from typing import Final

from domain.common_rules import COMMON_RULES

RULES: Final[Mapping[str, str]] = COMMON_RULES | {
    "TK-R1": "Four players, each for themselves.",
    "TK-R2": "Seats are drawn for with cards: the lowest chooses first. Who drew equal"
    " cards draw again.",
    "TK-R3": "The game is played with 52 cards; a second pack stands by for the"
    " photograph.",
    "TK-R4": "Before each deal one card of the second pack is exposed: the photograph."
    " The same card of the playing pack is the photograph too. Each of the 52 is as"
    " likely, whatever is dealt. By option the last card of the deal is the"
    " photograph: the dealer shows it and then holds it.",
    "TK-R5": "Thirteen cards are dealt to each player. Nothing is left over, nobody"
    " bids, and there are no trumps.",
    "TK-R6": "The dealer's left neighbour leads first, any card. The others follow suit"
    " if they can; the highest card of the suit led wins, and its player leads.",
    "TK-R7": "Seven marks are given in a deal: one for each queen taken, one for the"
    " photograph, one for the counting trick and one for most tricks.",
    "TK-R8": "Who takes several queens in one trick gets a mark for each.",
    "TK-R9": "A photograph that is a queen costs two marks, one as a queen and one as"
    " the photograph.",
    "TK-R10": "The counting trick is the one whose number is the photograph's rank: an"
    " ace is 1, a jack 11, a queen 12, a king 13.",
    "TK-R11": "Who has most tricks gets a mark. Of players tied for most it is the one"
    " whose own last trick is the latest, which need not be the thirteenth.",
    "TK-R12": "The last trick costs no mark of its own, unless agreed otherwise.",
    "TK-R13": "Marks are written down after each deal. A rubber ends after the deal in"
    " which a record reaches 21, or what was agreed.",
    "TK-R14": "When a rubber is over every two players settle: the lower record wins"
    " the difference from the higher. Each thus wins the sum of all records less four"
    " times their own.",
    "TK-R15": "Equal records settle at nothing. The lowest record wins the rubber;"
    " equal lowest ones win jointly.",
    "TK-R16": "The deal passes to the left within a rubber. The next rubber is opened"
    " by the left neighbour of the dealer who opened the last one.",
    "TK-R17": "After every fourth rubber the players draw for new seats.",
    "TK-R18": "Before the next lead the last two tricks may be looked at, after it only"
    " the last one.",
    "TK-R19": "Who could follow suit and did not has revoked. By option a revoke is"
    " accepted and found when the deal is over: its player is given a trick by each"
    " other player, without the marks in it, before most tricks are counted.",
    "TK-R20": "A player who has no trick left gives none for another's revoke. Given"
    " tricks do not change which own trick was a player's last.",
    "TK-R21": "Marks are given as soon as they fall, by the rules and not by hand.",
    "TK-R22": "The marks of a deal are always seven, or eight or nine where the last"
    " trick or the queen of the photograph's suit costs one more. A rubber to 21 takes"
    " three deals at least.",
    "X-10": "In a match of several rubbers the scores are the records of the present"
    " one. Each is settled by itself, and the highest sum of settlements wins, jointly"
    " if it is equal.",
    "X-11": "Where revokes are penalised every card of the hand may be played, and"
    " nothing tells which would be one. Bots do not revoke. Several revokes are paid"
    " for in order of play.",
    "X-18": "In a draw for seats the lowest card, the two being low and the ace high,"
    " takes the first seat, and so on upwards. Equal ranks draw again from the next"
    " cards.",
    "X-20": "Up to the fourth rubber the players sit as they sat down.",
    "X-22": "When seats are drawn the players move, and their records with them. The"
    " next rubber is opened from the seat whose turn it is, whoever sits there now.",
    "X-25": "In a match of so many deals no rubber ends; the lowest sum of marks wins,"
    " jointly if it is equal. It also wins where only marks are counted.",
    "X-26": "Where most cards of the photograph's suit decide between players tied for"
    " most tricks and none of them took one, their latest own trick decides.",
}
