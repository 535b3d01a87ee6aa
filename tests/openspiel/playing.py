"""OpenSpiel's Hearts played through Python, to be measured."""

from random import Random

import pyspiel


def play(deals: int, *, seed: int) -> int:
    """Play so many deals of the standard options at random; the players' actions.

    Every legal action is as likely as the others. The direction of the pass and the
    cards dealt are drawn too but not counted. Passing three cards is three actions.
    """
    chance, actions = Random(seed), 0
    game = pyspiel.load_game("hearts")
    for _ in range(deals):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions += not state.is_chance_node()
            legal = state.legal_actions()
            state.apply_action(legal[int(chance.random() * len(legal))])
    return actions
