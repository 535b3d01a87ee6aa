"""The rules of Hearts in plain sentences, by the ids that refusals name."""

from collections.abc import Mapping
from typing import Final

from domain.common_rules import COMMON_RULES

RULES: Final[Mapping[str, str]] = COMMON_RULES | {
    "HE-R1": "Three to seven players, each for themselves.",
    "HE-R2": "The pack has 52 cards. With three players the two of diamonds is left"
    " out (17 cards each), with four none (13 each), with five the twos of diamonds"
    " and clubs (10 each).",
    "HE-R3": "With six players the twos of diamonds, clubs and spades and the three of"
    " clubs are left out (8 cards each).",
    "HE-R4": "With seven players the twos of diamonds, clubs and spades are left out"
    " (7 cards each).",
    "HE-R5": "All cards are dealt one at a time, clockwise and face down.",
    "HE-R6": "Before play each player passes three cards. With four players they go"
    " left, right and across in turn; in every fourth deal nobody passes.",
    "HE-R7": "With three, five, six or seven players the pass goes left, then right;"
    " in every third deal nobody passes.",
    "HE-R8": "A pass is three different cards of the hand. No card moves before all"
    " have chosen, and who leads first is found after the pass, in every deal.",
    "HE-R9": "The holder of the two of clubs leads it to the first trick.",
    "HE-R10": "Where the two of clubs is out of the pack, the lowest club in it opens:"
    " the three of clubs with five or seven players, the four with six.",
    "HE-R11": "Who cannot follow suit may play any card, but see HE-R12.",
    "HE-R12": "On the first trick nobody may discard a heart or the queen of spades.",
    "HE-R13": "Who holds nothing else on the first trick may discard any card.",
    "HE-R14": "Hearts are broken once a heart or the queen of spades has been played"
    " in the deal, led, followed or discarded.",
    "HE-R15": "Until hearts are broken no heart may be led. The queen of spades may be"
    " led at any time.",
    "HE-R16": "A leader with nothing but hearts may lead one although they are not"
    " broken.",
    "HE-R17": "A leader with nothing but hearts and the queen of spades, hearts being"
    " unbroken, must lead the queen; an option lets either be led.",
    "HE-R18": "Each heart taken counts one point, the queen of spades thirteen: 26 in"
    " a deal.",
    "HE-R19": "Who takes all thirteen hearts and the queen of spades has shot the"
    " moon: nothing for the shooter, 26 points for everybody else.",
    "HE-R20": "By option a moon takes 26 off the shooter's score instead, or the"
    " shooter chooses, or it adds unless that would end the match with the shooter"
    " not lowest, or it counts like any other deal.",
    "HE-R21": "A moon is a set of cards, whatever the number of players; it is never"
    " read from the points.",
    "HE-R22": "The match ends after the deal in which a score reaches the target, 100"
    " unless agreed otherwise. The lowest score wins.",
    "HE-R23": "Players tied for the lowest score win jointly; an option lets them play"
    " on until one is lowest.",
    "HE-R24": "Every deal is played to its last card.",
    "X-1": "For a moon that adds unless it loses the match, joint lowest is lowest.",
    "X-2": "Where a moon needs the jack of diamonds too, all fifteen cards take 26 off"
    " the taker's score and leave the others' alone, whatever else is agreed of moons.",
    "X-3": "A moon with every trick counts 39 in place of 26, added or subtracted.",
    "X-4": "The bonus for taking no trick is given in a deal with a moon too.",
    "X-5": "Where the jack has a floor, it cannot take a deal's points below zero, and"
    " nothing of it is left over.",
    "X-6": "Where the exact target wins, all who land on it in a deal win jointly, at"
    " once.",
    "X-7": "Where the dealer's left opens, the limits on the first trick and on"
    " leading hearts hold for whatever suit is led.",
}
