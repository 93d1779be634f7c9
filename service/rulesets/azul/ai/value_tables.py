"""What an Azul position may still bring, as tables by moment: what evaluation.py looks up.

A **moment** is how much of the game is left, in eighths of a round: MOMENT for each round to come (as many as the
fullest row of all walls lacks tiles; completing it ends the game), and the share of this round's tiles that can still
be had.
What is learned are the tables at the ends of rounds; between them a table goes straight.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from service.rulesets.azul.rules.components import COLOUR_BONUS, COLUMN_BONUS, LINES, ROW_BONUS
from service.rulesets.azul.rules.state import FULL_ROW
from service.rulesets.networks.learned import Table, Weights, between, learned
from service.rulesets.parts.masks import POPCOUNT

MOMENT = 8
ROUNDS = LINES  # that can be to come, by the fullest row
NODES = MOMENT * np.arange(ROUNDS + 1)  # moments that are learned
MASKS = np.arange(FULL_ROW + 1)
# share of a bonus that is worth counting on when so many of its five spaces are filled
PROGRESS = np.array([0.0, 0.02, 0.10, 0.28, 0.62, 1.0])


class Tables(NamedTuple):
    """Points by moment."""

    row: Table  # [moment, row, mask]: of a wall's row
    column: Table  # [moment, mask]
    colour: Table  # [moment, tiles on the wall]
    share: Table  # [moment, line, tiles]: of what an incomplete line would score
    line: Table  # [moment, line, tiles]: beside that
    token: Table  # [moment]: to start the next round


def initial_weights() -> Weights:
    """What was guessed, before anything was learned: the fields of Tables, by rounds to come."""
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
    """All that is known before a game begins."""
    return Tables(*(between(NODES, weights[name]) for name in Tables._fields))


TABLES = tables(learned(Path(__file__).parent, initial_weights()))
