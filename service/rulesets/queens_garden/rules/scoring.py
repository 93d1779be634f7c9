"""Points: after each round by the wheel, at the end for the storage and for groups; and who is ranked before whom.

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
from service.rulesets.queens_garden.rules.state import FACE_UP, bits, one, place_of, rule


@helper
def lose(game: Record, seat: int, points: int) -> int:
    """The seat loses so many points, but stops at 0. What it really lost."""
    lost = min(points, game.score[seat])
    game.score[seat] -= lost
    return lost


@helper
def pavilions(board: Record) -> int:
    """Face-up expansions in the garden."""
    count = 0
    for area in range(AREAS):
        count += board.area[area] >= FACE_UP
    return count


@helper
def round_points(board: Record, variant: int, round_number: int) -> int:
    """What the garden scores in that round: hexagons that the wheel shows, and pavilions."""
    points = PAVILION_POINTS * pavilions(board)
    for k in range(KINDS):
        points += SHOWN_COLOUR[round_number - 1, k] * bits(board.colours[k])
        points += SHOWN_PATTERN[variant, round_number - 1, k] * bits(board.patterns[k])
    return points


@helper
def value_left(board: Record) -> int:
    """The values of the tiles and expansions in the storage, added up."""
    value = 0
    for pattern in range(KINDS):
        for colour in range(KINDS):
            hexagon = colour * KINDS + pattern
            value += (pattern + 1) * (board.tiles[hexagon] + (board.expansions >> hexagon & 1))
    return value


@helper
def group_value(board: Record, group: int) -> int:
    """The values of the hexagons of a group, added up."""
    value = 0
    for pattern in range(KINDS):
        value += (pattern + 1) * bits(group & board.patterns[pattern])
    return value


@helper
def group_points(board: Record, variant: int, group: int) -> int:
    """What a group scores at the end: its values, and a bonus by its size; 0 where it is too small."""
    size = bits(group)
    return group_value(board, group) + GROUP_BONUS[variant, size] if size >= MIN_GROUP else 0


@helper
def points_of_groups(board: Record, variant: int) -> int:
    """What all groups score: colour by colour and pattern by pattern."""
    points = 0
    for k in range(2 * KINDS):
        rest = board.colours[k] if k < KINDS else board.patterns[k - KINDS]
        while rest:
            space = place_of(rest)
            group = group_from(rest, space) | one(space)
            points += group_points(board, variant, group)
            rest &= ~group
    return points


@rule
def outcome(game: Record, keys: Ints) -> None:
    """Most points; a tie is a shared place."""
    for seat in range(game.seats):
        keys[seat] = game.score[seat]


def breakdown(game: Record, seat: int) -> dict[str, int]:
    """Where a seat's score came from: the rounds (the first 15 points and all prices and losses), and the end."""
    if game.status != OVER:
        return {"rounds": int(game.score[seat]), "storage": 0, "groups": 0}
    board = game.boards[seat]
    groups, storage = int(points_of_groups(board, game.variant)), int(board.storage_points)
    return {"rounds": int(game.score[seat]) - groups - storage, "storage": storage, "groups": groups}
