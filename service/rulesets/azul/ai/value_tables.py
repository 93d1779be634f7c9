"""Tables by moment of what an Azul position can still gain, for evaluation.py.

A **moment** is how much of the game is left, in eighths of a round: MOMENT for each round to come (tiles that the
fullest row of all walls lacks, because a complete row ends the game), plus the share of this round's tiles that can
still be taken. The tables at the ends of rounds are trained; moments between them are interpolated.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from service.rulesets.azul.rules.components import COLOUR_BONUS, COLUMN_BONUS, LINES, ROW_BONUS
from service.rulesets.azul.rules.state import FULL_ROW
from service.rulesets.networks.trained_weights import Table, Weights, interpolate, load_weights
from service.rulesets.parts.masks import POPCOUNT

MOMENT = 8
ROUNDS = LINES  # maximum number of rounds to come, by the fullest row
NODES = MOMENT * np.arange(ROUNDS + 1)  # moments with trained tables
MASKS = np.arange(FULL_ROW + 1)
# expected share of a bonus, by number of filled spaces out of five
PROGRESS = np.array([0.0, 0.02, 0.10, 0.28, 0.62, 1.0])


class Tables(NamedTuple):
    """Points by moment."""

    row: Table  # [moment, row, mask]: of a wall's row
    column: Table  # [moment, mask]
    colour: Table  # [moment, tiles on the wall]
    share: Table  # [moment, line, tiles]: share of the score of an incomplete line
    line: Table  # [moment, line, tiles]: other value of an incomplete line
    token: Table  # [moment]: starting the next round


def initial_weights() -> Weights:
    """Return the weights before training: the fields of Tables by rounds to come."""
    rounds = np.arange(ROUNDS + 1)
    coming = (rounds > 0).astype(np.float64)
    progress = np.where(coming[:, None] > 0, PROGRESS, PROGRESS * (PROGRESS == 1.0))
    line, tiles = np.ogrid[:LINES, : LINES + 1]
    share = np.where(tiles <= line, 0.75 * (tiles / (line + 1)) ** 2, 0.0)
    future = 0.35 * np.maximum(rounds - 1, 0)[:, None] * POPCOUNT[MASKS]
    row = ROW_BONUS * progress[:, POPCOUNT[MASKS]] + future
    return {
        "row": np.repeat(row[:, None], LINES, axis=1),
        "column": COLUMN_BONUS * progress[:, POPCOUNT[MASKS]],
        "colour": COLOUR_BONUS * progress,
        "share": coming[:, None, None] * share,
        "line": np.zeros((ROUNDS + 1, *share.shape)),
        "token": 0.8 * coming,
    }


def tables(weights: Weights) -> Tables:
    """Return the look-up tables of weights."""
    return Tables(*(interpolate(NODES, weights[name]) for name in Tables._fields))


TABLES = tables(load_weights(Path(__file__).parent, initial_weights()))
