"""Puzzles as JSON and pictures, without their solutions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache

from service.games import rating
from service.games.errors import GameError
from service.games.rating import Rating
from service.puzzles import model
from service.puzzles.model import Puzzle
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.storage.puzzles.puzzle_attempts import Counts
from service.usecases.base.context import Context
from service.usecases.views import pictures


def find(puzzle_id: str) -> Puzzle:
    """Return the puzzle of this id. Raises: puzzle/not_found."""
    if (puzzle := model.puzzle(puzzle_id)) is None:
        raise GameError("puzzle/not_found")
    return puzzle


@cache
def all_puzzles() -> tuple[Puzzle, ...]:
    """Return the puzzles of all rulesets in a fixed order that mixes them."""
    return tuple(
        sorted((puzzle for one in RULESETS for puzzle in model.of_ruleset(one)), key=lambda one: place(one.id))
    )


def place(puzzle_id: str) -> str:
    """Return the place of a puzzle in the fixed order, which later versions keep."""
    return hashlib.sha256(puzzle_id.encode()).hexdigest()


def read(context: Context, puzzle_id: str) -> Json:
    """Return the puzzle with its current rating. Raises: puzzle/not_found."""
    return puzzle_json(context, find(puzzle_id))


def puzzle_json(context: Context, puzzle: Puzzle) -> Json:
    """Return the puzzle with its current rating."""
    (counts,), position = context.puzzle_attempts.count_all([puzzle.id]), puzzle.position
    return {
        "id": puzzle.id,
        "ruleset": puzzle.ruleset,
        "variant": puzzle.variant,
        "seats": position.seats,
        "seat": puzzle.seat,
        "position": position.ruleset.view(position),
        "position_notation": position.notation,
        "themes": puzzle.themes,
        "rating": current_rating(puzzle, counts).points,
        "steps": len(puzzle.steps),
        "source": puzzle.source,
        "attempts": counts.attempts,
        "solved": counts.solved,
    }


def current_rating(puzzle: Puzzle, counts: Counts) -> Rating:
    """Return the rating of the puzzle after all attempts."""
    return rating.puzzle_rating(puzzle.rating, counts.moved)


def ratings_of(context: Context, puzzles: Sequence[Puzzle]) -> list[Rating]:
    """Return the current rating of each puzzle."""
    counts = context.puzzle_attempts.count_all([puzzle.id for puzzle in puzzles])
    return [current_rating(*one) for one in zip(puzzles, counts, strict=True)]


def draw(context: Context, puzzle: Puzzle, theme: str, layout: str, language: str) -> bytes:
    """Return the table of a puzzle as SVG. Raises: ruleset/no_picture."""
    names = [None] * puzzle.position.seats
    return context.pictures.get(
        ("puzzle", puzzle.id, theme, layout, language),
        lambda: pictures.draw_position(puzzle.position, names, language, theme, layout),
    )
