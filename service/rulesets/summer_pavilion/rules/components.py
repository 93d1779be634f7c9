"""Printed and boxed components of Summer Pavilion. All details are certain, from the board or the rulebook.

A space is (star, slot). Slot k touches slots k - 1 and k + 1 of its star; slot 6 touches slot 1. Seen from the board's
middle, slot 1 of an outer star is its tip a quarter turn clockwise of outward, and slots count on clockwise. Slot 1 of
the centre star points to the board's north, between orange and red. Slots count from 0 internally and from 1 in JSON.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from service.rulesets.parts.factories import FACTORIES, TILES_A_FACTORY

COLOURS = ("purple", "green", "orange", "yellow", "blue", "red")  # the wild colours of rounds 1 to 6
TILES_A_COLOUR = 22
SUPPLY_SPACES = 10
CORNER_SPACES = 4
ROUNDS = len(COLOURS)
START_SCORE, MIN_SCORE = 5, 1  # losses stop at MIN_SCORE
TRACK_SPACES = 80  # 1 to 80 in a loop
VARIANTS = ("coloured", "grey")
STATUS = "certain"

OUTER_STARS = ("orange", "red", "blue", "yellow", "green", "purple")  # clockwise
STARS = (*OUTER_STARS, "centre")
BEARINGS = (330, 30, 90, 150, 210, 270)  # degrees clockwise of the board's north, of the outer stars
SLOTS = 6
ALL_SLOTS = (1 << SLOTS) - 1
CENTRE_STAR = len(OUTER_STARS)
STAR_COLOUR = np.array([COLOURS.index(star) for star in OUTER_STARS] + [-1], np.int64)  # -1: six different colours

# NUMBERS[variant, star, slot]: the tiles that a space costs
NUMBERS = np.array(
    [[[1, 2, 3, 4, 5, 6]] * len(STARS), [[3, 2, 1, 4, 5, 6]] * len(OUTER_STARS) + [[3] * SLOTS]],
    np.int64,
)

PILLAR_TILES, STATUE_TILES, WINDOW_TILES = 1, 2, 3
# (id, bonus tiles, the spaces around it as (star, slots)); slots as in JSON
Feature = tuple[str, int, tuple[tuple[str, tuple[int, ...]], ...]]


def _features() -> list[Feature]:
    """Return pillars (towards the centre star), statues (towards the clockwise neighbour) and windows (outward)."""
    pillars: list[Feature] = [
        (f"pillar_{star}", PILLAR_TILES, ((star, (2, 3)), ("centre", (k or SLOTS, k + 1))))
        for k, star in enumerate(OUTER_STARS)
    ]
    neighbours = zip(OUTER_STARS, (*OUTER_STARS[1:], OUTER_STARS[0]), strict=True)
    statues: list[Feature] = [
        (f"statue_{star}_{neighbour}", STATUE_TILES, ((star, (1, 2)), (neighbour, (3, 4))))
        for star, neighbour in neighbours
    ]
    windows: list[Feature] = [(f"window_{star}", WINDOW_TILES, ((star, (5, 6)),)) for star in OUTER_STARS]
    return [*pillars, *statues, *windows]


FEATURES = _features()
FEATURE_NAMES = tuple(name for name, _, _ in FEATURES)
FEATURE_TILES = np.array([tiles for _, tiles, _ in FEATURES], np.int64)
# FEATURE_SLOTS[feature, star]: mask of the slots of that star around the feature
FEATURE_SLOTS = np.zeros((len(FEATURES), len(STARS)), np.int64)
for _number, (_id, _tiles, _spaces) in enumerate(FEATURES):
    for _name, _slots in _spaces:
        FEATURE_SLOTS[_number, STARS.index(_name)] = sum(1 << slot - 1 for slot in _slots)
NO_FEATURE = -1
# FEATURES_AT[star, slot]: the one or two features next to the space
FEATURES_AT = np.full((len(STARS), SLOTS, 2), NO_FEATURE, np.int64)
for _star, _slot in itertools.product(range(len(STARS)), range(SLOTS)):
    _found = np.flatnonzero(FEATURE_SLOTS[:, _star] >> _slot & 1)
    FEATURES_AT[_star, _slot, : len(_found)] = _found

MIXED = len(COLOURS)  # in place of a colour: a star of six different ones
STAR_BONUS = np.array([20, 18, 17, 16, 15, 14, 12], np.int64)  # of a complete star, by its colour; last: MIXED
NUMBER_BONUS = np.array([0, 4, 8, 12, 16], np.int64)  # for tiles on all spaces that show the number 1..4
# NUMBER_SLOTS[variant, number, star]: the slots that show the number
NUMBER_SLOTS = np.array(
    [
        [
            [sum(1 << slot for slot in range(SLOTS) if star[slot] == number) for star in side]
            for number in range(SLOTS + 1)
        ]
        for side in NUMBERS.tolist()
    ],
    np.int64,
)


def _run(mask: int, slot: int) -> int:
    """Return the length of the run of tiles on a ring of six that contains the slot. The slot counts as filled."""
    length = 1
    for step in (1, -1):
        corner = (slot + step) % SLOTS
        while length < SLOTS and mask >> corner & 1:
            length += 1
            corner = (corner + step) % SLOTS
    return length


# RUN[mask, slot]: points of a tile placed on the slot of a star with this mask of filled slots
RUN = np.array([[_run(mask & ~(1 << slot), slot) for slot in range(SLOTS)] for mask in range(1 << SLOTS)], np.int64)

# KEEPS[k]: a choice of at most four tiles, by colour, that a passing seat keeps; k = KEEP_AT[KEEPS[k] @ KEEP_PLACE]
KEEPS = np.array(
    [kept for kept in itertools.product(range(CORNER_SPACES + 1), repeat=len(COLOURS)) if sum(kept) <= CORNER_SPACES],
    np.int64,
)
KEEP_PLACE = (CORNER_SPACES + 1) ** np.arange(len(COLOURS))[::-1]
KEEP_AT = np.full(CORNER_SPACES * KEEP_PLACE[0] + 1, -1, np.int64)
KEEP_AT[KEEPS @ KEEP_PLACE] = np.arange(len(KEEPS))


# ------------------------------------------------------------------------------- JSON


def _sum_bearings(*bearings: int) -> int:
    """Return the sum of bearings, 0..359."""
    return sum(bearings) % 360


def _printed_star(variant: int, star: int) -> dict[str, Any]:
    """Return a printed star. BEARINGS and the top of this module describe its slots."""
    outer = star != CENTRE_STAR
    first_slot = BEARINGS[star] + 90 if outer else 0
    kind = ("own_colour" if outer else "six_different") if VARIANTS[variant] == "coloured" else "free"
    return {
        "star": STARS[star],
        "bearing": BEARINGS[star] if outer else None,
        "kind": kind,
        "colour": STARS[star] if kind == "own_colour" else None,
        "spaces": [
            {"slot": slot + 1, "bearing": _sum_bearings(first_slot, 60 * slot), "number": number}
            for slot, number in enumerate(NUMBERS[variant, star].tolist())
        ],
        "status": STATUS,
    }


def _printed_board(variant: int) -> dict[str, Any]:
    """Return one side of the players' boards."""
    printed = NUMBERS[variant].tolist()
    return {
        "variant": VARIANTS[variant],
        "stars": [_printed_star(variant, star) for star in range(len(STARS))],
        "number_bonuses": [
            {
                "number": number,
                "spaces": sum(star.count(number) for star in printed),
                "points": int(NUMBER_BONUS[number]),
                "status": STATUS,
            }
            for number in range(1, len(NUMBER_BONUS))
        ],
        "status": STATUS,
    }


def _printed_feature(name: str, tiles: int, spaces: tuple[tuple[str, tuple[int, ...]], ...]) -> dict[str, Any]:
    """Return a feature.

    A pillar is inward of its star, a window outward, a statue halfway to the clockwise neighbour.
    """
    kind, star, *_ = name.split("_")
    return {
        "feature": name,
        "kind": kind,
        "bearing": _sum_bearings(BEARINGS[STARS.index(star)], 30 if kind == "statue" else 0),
        "tiles": tiles,
        "spaces": [{"star": around, "slot": slot} for around, slots in spaces for slot in slots],
        "stars": [around for around, _ in spaces],
        "status": STATUS,
    }


def components() -> dict[str, Any]:
    """Return the components for `GET /rulesets/summer-pavilion`."""
    kinds = zip((*COLOURS, "mixed"), STAR_BONUS.tolist(), strict=True)
    return {
        "ruleset": "summer-pavilion",
        "colours": list(COLOURS),
        "tiles_per_colour": TILES_A_COLOUR,
        "tiles_per_factory": TILES_A_FACTORY,
        "factories": [{"seats": seats, "factories": count} for seats, count in FACTORIES.items()],
        "supply_spaces": SUPPLY_SPACES,
        "corner_spaces": CORNER_SPACES,
        "rounds": [{"round": number, "wild": colour} for number, colour in enumerate(COLOURS, 1)],
        "score": {"start": START_SCORE, "least": MIN_SCORE, "track_spaces": TRACK_SPACES, "status": STATUS},
        "boards": [_printed_board(variant) for variant in range(len(VARIANTS))],
        "features": [_printed_feature(*feature) for feature in FEATURES],
        "star_bonuses": [{"colour": colour, "points": points, "status": STATUS} for colour, points in kinds],
        "status": STATUS,
    }
