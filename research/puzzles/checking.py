"""Check of shipped puzzles by a deeper search, without the knowledge of how they were made."""

from __future__ import annotations

import random
from collections.abc import Iterator

from research.puzzles.verdicts import search_at
from service.puzzles.model import Puzzle, of_ruleset
from service.rulesets.ruleset import Position


def positions_of(puzzle: Puzzle) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """Yield the position and the solutions of each step."""
    position = puzzle.position
    for step in puzzle.steps:
        yield position, step.solutions
        position = position.play(step.solutions[0])
        for _, action in step.reply:
            position = position.play(action)


def has_stable_solution(puzzle: Puzzle, seconds: float) -> bool:
    """Return whether a search of each step visits a solution most."""
    return all(
        search_at(position, seconds).lines(1)[0].action in solutions for position, solutions in positions_of(puzzle)
    )


def check(ruleset: str, count: int, seconds: float, seed: int) -> Iterator[tuple[Puzzle, bool]]:
    """Yield random shipped puzzles of a ruleset, and whether they keep their solution."""
    puzzles = of_ruleset(ruleset)
    for puzzle in random.Random(seed).sample(puzzles, min(count, len(puzzles))):
        yield puzzle, has_stable_solution(puzzle, seconds)
