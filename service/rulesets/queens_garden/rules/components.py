"""Printed and boxed components of Queen's Garden, each with its certainty (STATUS_OF).

**Hexagons** are numbered colour * 6 + pattern; a pattern's value is its number + 1.

**Garden.** Coordinates are axial (q, r), and the six directions are numbered. Spaces are numbered 0..47: 0..5 the ring
of the fountain board by direction, then seven for each area (its ring by direction, its centre). An area's centre is 3
times its direction. Two spaces are neighbours if they differ by a direction, also across the edges of boards. Elements
(fountain, statues, benches, pavilions) are at places where (q - r) mod 3 is 0, each surrounded by six spaces.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.parts.masks import popcounts

COLOURS = ("blue", "dark_green", "light_green", "yellow", "light_purple", "dark_purple")
PATTERNS = ("tree", "bird", "butterfly", "flower", "plant", "bellflower")
KINDS = len(COLOURS)  # of colours, and of patterns
HEXAGONS = KINDS * KINDS
TILES_A_HEXAGON = 3
EXPANSIONS = HEXAGONS  # one of each
VARIANTS = ("standard", "reverse")
ROUNDS = 4
START_SCORE, START_JOKERS = 15, 3
TILE_SPACES, EXPANSION_SPACES = 12, 2  # of a storage; jokers lie on tile spaces
STACKS = {2: 5, 3: 7, 4: 8}  # expansions in a round stack, by number of seats
MAX_BESIDE = 8
TILES_ON_TOP = 4
PRICE = 6  # points for an expansion of the supply
FIRST_PASS_PENALTY = 1
TRACK_LENGTH = 60

STATUS_OF = {
    "hexagons": "certain",
    "garden": "certain",
    "elements": "certain",
    "statue_or_bench": "likely",  # which of the six positions shows which; both give the same
    "stacks": "certain",
    "storage": "certain",
    "wheel_standard": "likely",  # its points are certain; side and order of rounds are likely
    "wheel_reverse": "reconstructed",
    "bonus_standard": "certain",
    "bonus_reverse": "reconstructed",
    "track": "likely",
    "least_score": "likely",  # the rulebook says of one action that it cannot take the score below 0
}

# ------------------------------------------------------------------------------------------- garden

Space = tuple[int, int]
DIRECTIONS: tuple[Space, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
AREAS = len(DIRECTIONS)
AREA_CENTRES: tuple[Space, ...] = tuple((3 * q, 3 * r) for q, r in DIRECTIONS)
SPACES_AN_AREA = len(DIRECTIONS) + 1


def ring(centre: Space) -> tuple[Space, ...]:
    """Return the six spaces around a place, by direction."""
    return tuple((centre[0] + q, centre[1] + r) for q, r in DIRECTIONS)


SPACES: tuple[Space, ...] = (*ring((0, 0)), *(space for at in AREA_CENTRES for space in (*ring(at), at)))
FIRST_OF_AREA = np.array([len(DIRECTIONS) + SPACES_AN_AREA * area for area in range(AREAS)], np.int64)
FOUNTAIN_SPACES = (1 << len(DIRECTIONS)) - 1  # masks of spaces: a bit each
RING_OF_AREA = FOUNTAIN_SPACES << FIRST_OF_AREA
CENTRE_OF_AREA = np.int64(1) << (FIRST_OF_AREA + len(DIRECTIONS))


def mask_of(spaces: tuple[Space, ...]) -> int:
    """Return the mask of those of these spaces that exist."""
    return sum(1 << SPACES.index(space) for space in spaces if space in SPACES)


NEIGHBOURS = np.array([mask_of(ring(space)) for space in SPACES], np.int64)

FOUNTAIN, STATUE, BENCH, PAVILION = "fountain", "statue", "bench", "pavilion"
ELEMENT_JOKERS = {FOUNTAIN: 1, STATUE: 2, BENCH: 2, PAVILION: 3}
# (id, kind, place); between areas a and a + 1 are benches (a even) and statues (a odd)
ELEMENTS: tuple[tuple[str, str, Space], ...] = (
    ("fountain", FOUNTAIN, (0, 0)),
    *(
        (f"{kind}{area}", kind, (q + DIRECTIONS[(area + 1) % AREAS][0], r + DIRECTIONS[(area + 1) % AREAS][1]))
        for area, (q, r) in enumerate(DIRECTIONS)
        for kind in [(BENCH, STATUE)[area % 2]]
    ),
    *((f"pavilion{area}", PAVILION, at) for area, at in enumerate(AREA_CENTRES)),
)
FIRST_PAVILION = 1 + AREAS  # index into ELEMENTS; pavilion k exists only on a face-up expansion
ELEMENT_SPACES = np.array([mask_of(ring(at)) for _, _, at in ELEMENTS], np.int64)
JOKERS_OF = np.array([ELEMENT_JOKERS[kind] for _, kind, _ in ELEMENTS], np.int64)
NO_ELEMENT = -1
# ELEMENTS_AT[space]: the elements next to the space (two or three; none at an area's centre)
ELEMENTS_AT = np.full((len(SPACES), 3), NO_ELEMENT, np.int64)
for _space in range(len(SPACES)):
    _found = np.flatnonzero(ELEMENT_SPACES >> _space & 1)
    ELEMENTS_AT[_space, : len(_found)] = _found

# ------------------------------------------------------------------------------------------- points

# SHOWN[round]: (colour or pattern, is it a pattern); POINTS by variant
WHEEL = (
    ("tree", "blue", "dark_green"),
    ("bird", "butterfly", "dark_purple"),
    ("flower", "yellow", "light_purple"),
    ("plant", "bellflower", "light_green"),
)
PATTERN_POINTS = {"standard": (1, 1, 2, 2, 3, 3), "reverse": (2, 2, 2, 2, 2, 2)}  # by pattern
COLOUR_POINTS = 1
PAVILION_POINTS = 1
# SHOWN_COLOUR[round, colour], SHOWN_PATTERN[variant, round, pattern]: points a hexagon when the round is scored
SHOWN_COLOUR = np.array([[COLOUR_POINTS * (colour in shown) for colour in COLOURS] for shown in WHEEL], np.int64)
SHOWN_PATTERN = np.array(
    [
        [[points * (pattern in shown) for pattern, points in zip(PATTERNS, side, strict=True)] for shown in WHEEL]
        for side in PATTERN_POINTS.values()
    ],
    np.int64,
)

MIN_GROUP, MAX_GROUP = 3, 6
# GROUP_BONUS[variant, size]: what a group scores beyond its values at the end
GROUP_BONUS = np.array([[0, 0, 0, 0, 0, 0, 6], [0, 0, 0, 0, 2, 4, 6]], np.int64)

POPCOUNT = popcounts(12)
# BIT_PLACE[2**k % 67] = k: 2 generates all residues modulo 67, so one look-up finds the lowest bit of a mask
BIT_PLACE = np.zeros(67, np.int64)
for _bit in range(len(SPACES)):
    BIT_PLACE[(1 << _bit) % 67] = _bit
