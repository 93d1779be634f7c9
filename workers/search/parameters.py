"""What a search may be tuned by without compiling it again.

Each ruleset says what differs from the defaults (`AI.search_parameters`); matches compare any two.
"""

from __future__ import annotations

from typing import NamedTuple


class Parameters(NamedTuple):
    """The settings of a search; simulation.py and playouts.py explain them."""

    exploration: float = 0.4  # weight of the bound's second term
    widening_base: float = 3.0  # children that a node considers at once
    widening_factor: float = 1.0  # and so many more times the square root of its visits
    prior_visits: float = 3.0  # visits that the estimate of an unvisited child counts as
    scale: float = 16.0  # points ahead that are worth tanh(1) = 0.76
    win: float = 0.5  # share of the return, once the game is over, that says who has won
    expansion_threshold: int = 1  # visits of a node before children join it
    playout_candidates: int = 3  # actions, drawn at random, that a decision of a playout chooses from
    playout_preferred: int = 0  # of so many a playout takes the one that a network prefers; 0: the best by estimate
    draws: int = 1  # acts of chance that a path of the tree goes through
    horizon: int = 0  # acts of chance that a playout goes through, before the evaluation is asked
    plies: int = 40  # decisions of a playout from one act of chance to the next, on average, at most
    preference: float = 0.0  # weight of a network's preferences in what is tried; 0: bounds without them
    preference_temperature: float = 1.0  # at which preferences become probabilities; above 1: nearer to each other
    value: float = 0.0  # share of a network's word in what a position is worth; the rest is the estimate's
    caution: float = 0.2  # by so much an action that was not tried counts as worse than the position
    endgame_positions: int = 20_000  # positions that solving the rest of a game exactly may look at
