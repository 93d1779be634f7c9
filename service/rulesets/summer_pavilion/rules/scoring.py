"""Scoring: placed tiles, losses, the end of the game, and ranking.

A tile scores the length of its run on the ring of its star. No loss takes a score below 1.
"""

from __future__ import annotations

from service.rulesets.kernel import OVER, Ints, Record, helper
from service.rulesets.summer_pavilion.rules.components import (
    ALL_SLOTS,
    MIN_SCORE,
    MIXED,
    NUMBER_BONUS,
    NUMBER_SLOTS,
    STAR_BONUS,
)
from service.rulesets.summer_pavilion.rules.state import STAR_COUNT, rule


@helper
def lose(game: Record, seat: int, points: int) -> int:
    """Subtract points from the seat's score, down to MIN_SCORE. Return the points actually lost."""
    lost = min(points, game.score[seat] - MIN_SCORE)
    game.score[seat] -= lost
    return lost


@helper
def kind_of_star(board: Record, star: int) -> int:
    """Return the colour of a star's tiles, MIXED if the first two differ, or -1 for an empty star."""
    first = -1
    for tile in board.stars[star]:
        if tile:
            if first >= 0:
                return first if tile - 1 == first else MIXED
            first = tile - 1
    return first


@helper
def star_bonus(board: Record, star: int) -> int:
    """Return the end bonus of a star; 0 unless it is complete."""
    return STAR_BONUS[kind_of_star(board, star)] if board.filled[star] == ALL_SLOTS else 0


@helper
def number_bonus(board: Record, variant: int, number: int) -> int:
    """Return the end bonus of a number; 0 unless all spaces that show it hold tiles."""
    for star in range(STAR_COUNT):
        slots = NUMBER_SLOTS[variant, number, star]
        if board.filled[star] & slots != slots:
            return 0
    return NUMBER_BONUS[number]


@helper
def end_bonus(board: Record, variant: int) -> tuple[int, int]:
    """Return (points of complete stars, points of numbers)."""
    stars = numbers = 0
    for star in range(STAR_COUNT):
        stars += star_bonus(board, star)
    for number in range(1, len(NUMBER_BONUS)):
        numbers += number_bonus(board, variant, number)
    return stars, numbers


@rule
def outcome(game: Record, keys: Ints) -> None:
    """Rank by points; ties share a rank."""
    for seat in range(game.seats):
        keys[seat] = game.score[seat]


def breakdown(game: Record, seat: int) -> dict[str, int]:
    """Return the parts of a seat's score: the rounds (with first 5 points and losses) and the bonuses of the end."""
    if game.status != OVER:
        return {"rounds": int(game.score[seat]), "stars": 0, "numbers": 0, "leftover": 0}
    board = game.boards[seat]
    stars, numbers = end_bonus(board, game.variant)
    leftover = int(board.leftover_penalty)
    return {
        "rounds": int(game.score[seat] - stars - numbers + leftover),
        "stars": int(stars),
        "numbers": int(numbers),
        "leftover": -leftover,
    }
