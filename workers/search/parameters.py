"""Parameters of the search that need no recompilation.

Each ruleset sets what differs from the defaults (`AI.search_parameters`). Benchmark matches compare any two settings.
"""

from __future__ import annotations

from typing import NamedTuple


class Parameters(NamedTuple):
    """The parameters of a search. simulation.py and playouts.py explain them."""

    exploration: float = 0.4  # weight of the bound's second term
    widening_base: float = 3.0  # children that a node without visits considers
    widening_factor: float = 1.0  # further children per square root of visits
    prior_visits: float = 3.0  # weight of a child's estimate, in visits
    scale: float = 16.0  # lead in points that is worth tanh(1) = 0.76
    win: float = 0.5  # weight of winning in the return of a finished game; the rest is the lead in points
    expansion_threshold: int = 1  # visits before a node gets children
    playout_candidates: int = 3  # random actions among which a playout chooses the best by estimate
    playout_preferred: int = 0  # random actions among which a playout chooses by a network instead; 0: by estimate
    draws: int = 1  # maximum number of draws on a path in the tree
    horizon: int = 0  # maximum number of draws in a playout
    plies: int = 40  # maximum number of decisions in a playout, on average per draw
    preference: float = 0.0  # weight of a network's preferences in the selection; 0: upper confidence bounds
    preference_temperature: float = 1.0  # of the softmax over preferences; above 1 flattens them
    value: float = 0.0  # weight of a network in the value of a position; the rest is the estimate
    caution: float = 0.2  # difference between the value of a node and the assumed value of an unvisited child
    endgame_positions: int = 20_000  # maximum number of positions for an exact solution
