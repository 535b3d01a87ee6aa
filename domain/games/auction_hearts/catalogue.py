"""The rules of Auction Hearts in plain sentences, by the ids that refusals name."""

from collections.abc import Mapping
from typing import Final

from domain.common_rules import COMMON_RULES

RULES: Final[Mapping[str, str]] = COMMON_RULES | {
    "AU-R1": "Three to seven players, each for themselves. So that all cards can be"
    " dealt, low ones are left out: with three players the two of diamonds, with five"
    " the twos of diamonds and clubs, with six the twos of diamonds, clubs and spades"
    " and the three of clubs, with seven those three twos.",
    "AU-R2": "Everybody begins with fifty chips, unless agreed otherwise.",
    "AU-R3": "No cards are passed, and the queen of spades is a card like any other:"
    " only the cards of the named suit cost chips.",
    "AU-R4": "Each player has one turn to bid, from the dealer's left to the dealer: a"
    " whole number of chips, higher than every earlier bid, or none. The suit is not"
    " named yet.",
    "AU-R5": "A bid is one chip or more, and no more chips than the bidder has.",
    "AU-R6": "The highest bidder pays the bid into the pool, names any of the four"
    " suits, and leads to the first trick.",
    "AU-R7": "If nobody bids, hearts are the suit that costs, nothing is paid for it,"
    " and the dealer's left leads.",
    "AU-R8": "Any card may be led and any discarded. By option the bidder may not lead"
    " the named suit to the first trick, and nobody may discard it there.",
    "AU-R9": "After the last trick each player pays a chip into the pool for each card"
    " of the named suit that they took.",
    "AU-R10": "A player who took none of the suit, while every other took some, wins"
    " the whole pool.",
    "AU-R11": "Two players who took none, while two others or more took some, halve"
    " the pool. An odd chip stays in it for the next deal.",
    "AU-R12": "In every other case nobody wins, and the pool stays. That is a jack:"
    " nobody is clear of the suit, or three or more are, or one player took it all.",
    "AU-R13": "After a jack there is no bidding and nothing to pay for it. The same"
    " bidder names a suit again, any of the four, and leads; what is paid joins the"
    " pool, until it is won.",
    "AU-R14": "A jack is won like any other pool. By option only a player who alone"
    " took none of the suit can win it.",
    "AU-R15": "Where nobody had bid for the deal that made a jack, the next deal has"
    " bidding as usual, and the pool stays.",
    "AU-R16": "The whole suit is all its cards in the pack: with five, six or seven"
    " players some suits have fewer than thirteen.",
    "AU-R17": "All is paid in full, below zero if need be. The match ends after a deal"
    " that leaves somebody without chips, or after the agreed number of deals. Most"
    " chips win, and players with equally many win jointly.",
    "AU-R18": "When the match ends, what is in the pool is shared equally; what cannot"
    " be is left in it, and nobody has won it.",
    "AU-R19": "All chips of the players and the pool together are always as many.",
    "AU-R20": "A card that does not follow suit where it could is refused at once, so"
    " that nobody has to pay for one.",
    "SW-R1": "In a sweepstake hearts cost a chip each, which goes into the pool.",
    "SW-R2": "In a sweepstake a player who alone took no heart wins the pool; two such"
    " players, with two others or more who took some, halve it, and an odd chip stays.",
    "SW-R3": "In a sweepstake the pool is a jack if all took hearts, if one player took"
    " all of them, or if three players or more took none.",
    "SW-R4": "In a sweepstake a jack is won only by a player who alone took no heart."
    " Until then every deal adds its hearts to it.",
    "SW-R5": "An odd chip that stayed in the pool does not make it a jack.",
    "SW-R6": "With three players, two who took no heart make a jack, for the third has"
    " taken them all.",
    "HW-R1": "In Howell's way each player pays, for each heart taken, a chip for every"
    " other player, and then draws a chip for each heart not taken. That empties the"
    " pool.",
    "HW-R2": "In Howell's way there are no jacks. What a deal brings a player is the"
    " number of hearts, less the number of players for each heart taken.",
    "X-12": "Whether somebody is out of chips is seen after the pool is divided. The"
    " final scores have in them what was shared of the pool at the end.",
    "X-13": "The limits on the first trick are lifted for a hand with nothing but the"
    " named suit. If nobody has bid, the suit may be led, and only not discarded.",
    "X-14": "Where the fewest cards of the suit win, equal players for that make a"
    " jack.",
    "X-15": "While a deal is on, the scores are the chips after the bid is paid.",
    "X-24": "A sweepstake and Howell's way have no bidding, and the dealer's left"
    " leads.",
}
