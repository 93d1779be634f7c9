"""Printed and boxed components of Azul (as in Azul Mini). All details are certain, from the rulebook."""

from __future__ import annotations

from typing import Any

import numpy as np

from service.rulesets.parts.factories import FACTORIES, TILES_A_FACTORY

COLOURS = ("blue", "yellow", "red", "black", "white")
TILES_A_COLOUR = 20
VARIANTS = ("coloured", "grey")
LINES = 5  # pattern line k holds k + 1 tiles
FLOOR_SPACES = 7
FLOOR_PENALTY = np.array([0, 1, 2, 4, 6, 8, 11, 14], np.int64)  # by number of occupied floor spaces
ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS = 2, 7, 10
ROUNDS_WITHOUT_TILE = 5  # this many in a row end the game (ruling of this project; the rulebook has none)

# PRINTED_COLUMN[colour, row]: column of the colour on the coloured side, shifted by one space per row
PRINTED_COLUMN = np.array([[(colour + row) % 5 for row in range(5)] for colour in range(5)], np.int64)


def _run(mask: int, index: int) -> int:
    """Return the length of the run of ones that contains bit `index` of a mask of five bits. That bit counts as one."""
    mask |= 1 << index
    first = last = index
    while first > 0 and mask >> (first - 1) & 1:
        first -= 1
    while last < LINES - 1 and mask >> (last + 1) & 1:
        last += 1
    return last - first + 1


# RUN[mask, index]: length of the run through `index` in a row or column with this mask of filled spaces
RUN = np.array([[_run(mask, index) for index in range(LINES)] for mask in range(1 << LINES)], np.int64)


def components() -> dict[str, Any]:
    """Return the components for `GET /rulesets/azul`."""
    return {
        "colours": list(COLOURS),
        "tiles_per_colour": TILES_A_COLOUR,
        "tiles_per_factory": TILES_A_FACTORY,
        "factories": [{"seats": seats, "factories": count} for seats, count in FACTORIES.items()],
        "pattern_lines": [line + 1 for line in range(LINES)],
        "printed_wall": [
            [COLOURS[int(np.argmax(PRINTED_COLUMN[:, row] == column))] for column in range(LINES)]
            for row in range(LINES)
        ],
        "floor_penalties": [-int(points) for points in FLOOR_PENALTY],
        "ruleset": "azul",
        "bonuses": {"row": ROW_BONUS, "column": COLUMN_BONUS, "colour": COLOUR_BONUS},
        "status": "certain",
    }
