"""Scoring: after each round by the wheel, at the end for storage and groups, and ranking.

No loss takes a score below 0.
"""

from __future__ import annotations

from service.rulesets.kernel import OVER, Ints, Record, helper
from service.rulesets.queens_garden.rules.components import (
    AREAS,
    GROUP_BONUS,
    KINDS,
    MIN_GROUP,
    PAVILION_POINTS,
    SHOWN_COLOUR,
    SHOWN_PATTERN,
)
from service.rulesets.queens_garden.rules.garden import group_from
from service.rulesets.queens_garden.rules.state import FACE_UP, count_bits, lowest_bit, mask_of_bit, rule


@helper
def lose(game: Record, seat: int, points: int) -> int:
    """Subtract points from the seat's score, down to 0. Return the points actually lost."""
    lost = min(points, game.score[seat])
    game.score[seat] -= lost
    return lost


@helper
def pavilions(board: Record) -> int:
    """Return the number of face-up expansions in the garden."""
    count = 0
    for area in range(AREAS):
        count += board.area[area] >= FACE_UP
    return count


@helper
def round_points(board: Record, variant: int, round_number: int) -> int:
    """Return the points of the garden in that round: hexagons that the wheel shows, and pavilions."""
    points = PAVILION_POINTS * pavilions(board)
    for k in range(KINDS):
        points += SHOWN_COLOUR[round_number - 1, k] * count_bits(board.colours[k])
        points += SHOWN_PATTERN[variant, round_number - 1, k] * count_bits(board.patterns[k])
    return points


@helper
def value_left(board: Record) -> int:
    """Return the sum of the values of the tiles and expansions in the storage."""
    value = 0
    for pattern in range(KINDS):
        for colour in range(KINDS):
            hexagon = colour * KINDS + pattern
            value += (pattern + 1) * (board.tiles[hexagon] + (board.expansions >> hexagon & 1))
    return value


@helper
def group_value(board: Record, group: int) -> int:
    """Return the sum of the values of the hexagons of a group."""
    value = 0
    for pattern in range(KINDS):
        value += (pattern + 1) * count_bits(group & board.patterns[pattern])
    return value


@helper
def group_points(board: Record, variant: int, group: int) -> int:
    """Return the final points of a group: its values and a bonus by size; 0 if it is too small."""
    size = count_bits(group)
    return group_value(board, group) + GROUP_BONUS[variant, size] if size >= MIN_GROUP else 0


@helper
def points_of_groups(board: Record, variant: int) -> int:
    """Return the final points of all groups, of each colour and each pattern."""
    points = 0
    for k in range(2 * KINDS):
        rest = board.colours[k] if k < KINDS else board.patterns[k - KINDS]
        while rest:
            space = lowest_bit(rest)
            group = group_from(rest, space) | mask_of_bit(space)
            points += group_points(board, variant, group)
            rest &= ~group
    return points


@rule
def outcome(game: Record, keys: Ints) -> None:
    """Rank by points; ties share a rank."""
    for seat in range(game.seats):
        keys[seat] = game.score[seat]


def breakdown(game: Record, seat: int) -> dict[str, int]:
    """Return the parts of a seat's score: rounds (with first 15 points, prices and losses), storage and groups."""
    if game.status != OVER:
        return {"rounds": int(game.score[seat]), "storage": 0, "groups": 0}
    board = game.boards[seat]
    groups, storage = int(points_of_groups(board, game.variant)), int(board.storage_points)
    return {"rounds": int(game.score[seat]) - groups - storage, "storage": storage, "groups": groups}
