"""What is printed and in the box of Azul (as in Azul Mini). All of it certain: the rulebook shows or says it."""

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
ROUNDS_WITHOUT_TILE = 5  # so many in a row end the game (ruling of this project; the rulebook gives no way out)

# PRINTED_COLUMN[colour, row]: where the coloured side shows the colour: shifted by one space a row
PRINTED_COLUMN = np.array([[(colour + row) % 5 for row in range(5)] for colour in range(5)], np.int64)


def _run(mask: int, index: int) -> int:
    """Length of the unbroken run of ones in a mask of five that contains bit `place`, that bit counted as one."""
    mask |= 1 << index
    first = last = index
    while first > 0 and mask >> (first - 1) & 1:
        first -= 1
    while last < LINES - 1 and mask >> (last + 1) & 1:
        last += 1
    return last - first + 1


# RUN[mask, place]: the run through `place` in a row or column filled as `mask` says
RUN = np.array([[_run(mask, index) for index in range(LINES)] for mask in range(1 << LINES)], np.int64)


def components() -> dict[str, Any]:
    """What a front end draws, as GET /rulesets/azul answers it."""
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
