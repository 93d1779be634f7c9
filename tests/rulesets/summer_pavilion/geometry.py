"""The board, typed by hand from its facts file so that the tests do not depend on the code.

A space is a star's letter and a slot: ``o2`` is slot 2 of the orange star, ``c`` is the centre star.
"""

from __future__ import annotations

import itertools

Space = tuple[str, int]

STARS = "orbygpc"  # clockwise, the centre star last
OUTER = STARS[:6]
STAR_NAMES = dict(zip(STARS, ("orange", "red", "blue", "yellow", "green", "purple", "centre"), strict=True))

# PRINTED[variant][star]: the numbers on slots 1 to 6
PRINTED = {
    "coloured": dict.fromkeys(STARS, (1, 2, 3, 4, 5, 6)),
    "grey": {**dict.fromkeys(OUTER, (3, 2, 1, 4, 5, 6)), "c": (3, 3, 3, 3, 3, 3)},
}

AROUND = {
    "pillar_orange": "o2 o3 c1 c6",
    "pillar_red": "r2 r3 c1 c2",
    "pillar_blue": "b2 b3 c2 c3",
    "pillar_yellow": "y2 y3 c3 c4",
    "pillar_green": "g2 g3 c4 c5",
    "pillar_purple": "p2 p3 c5 c6",
    "statue_orange_red": "o1 o2 r3 r4",
    "statue_red_blue": "r1 r2 b3 b4",
    "statue_blue_yellow": "b1 b2 y3 y4",
    "statue_yellow_green": "y1 y2 g3 g4",
    "statue_green_purple": "g1 g2 p3 p4",
    "statue_purple_orange": "p1 p2 o3 o4",
    "window_orange": "o5 o6",
    "window_red": "r5 r6",
    "window_blue": "b5 b6",
    "window_yellow": "y5 y6",
    "window_green": "g5 g6",
    "window_purple": "p5 p6",
}
BONUS_TILES = {"pillar": 1, "statue": 2, "window": 3}
STAR_VALUES = {"r": 14, "b": 15, "y": 16, "o": 17, "g": 18, "p": 20}
MIXED_VALUE = 12
NUMBER_VALUES = {1: 4, 2: 8, 3: 12, 4: 16}
SPACES = [(star, slot) for star in STARS for slot in range(1, 7)]


def spaces_of(feature: str) -> list[Space]:
    """Return the spaces around a feature."""
    return [(text[0], int(text[1])) for text in AROUND[feature].split()]


def tiles_of(feature: str) -> int:
    """Return the bonus tiles of a feature."""
    return BONUS_TILES[feature.partition("_")[0]]


def features_at(space: Space) -> list[str]:
    """Return the features beside a space: pillars first, then statues, then windows."""
    return [feature for feature in AROUND if space in spaces_of(feature)]


def number_at(variant: str, space: Space) -> int:
    """Return the number printed on a space."""
    return PRINTED[variant][space[0]][space[1] - 1]


def colour_at(space: Space) -> str:
    """Return a colour for the space that is valid on both sides, if all spaces have the colours of this function."""
    return space[0] if space[0] != "c" else "pgobyr"[space[1] - 1]


def filled_stars(*spaces: Space) -> dict[str, str]:
    """Stars in letters with a tile on each of the spaces, lawful on both sides."""
    return {
        star: "".join(colour_at((star, slot)) if (star, slot) in spaces else "." for slot in range(1, 7))
        for star, _ in itertools.groupby(
            sorted(spaces, key=lambda space: STARS.index(space[0])), lambda space: space[0]
        )
    }
