"""Shipped puzzles. `python -m research.puzzles` makes the files (docs/development/making-puzzles.md).

All files are read once, when the first puzzle is needed. A position is read when it is first needed.
"""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Any

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json, Position

FOLDER = Path(__file__).parent

Moves = tuple[tuple[int, int], ...]
"""(seat, action) in order."""


@dataclass(frozen=True)
class Step:
    """A decision of the solver.

    solutions: accepted actions, several if they do the same, such as taking tiles from equal factories. The line
    continues after the first.
    reply: moves of the others until the next step, empty after the last.
    refutations: the moves expected after each wrong action, three at most, none if chance acts or the game is over.
    lost: the probability of winning that each wrong action loses.
    """

    solutions: tuple[int, ...]
    reply: Moves
    refutations: Mapping[int, Moves]
    lost: Mapping[int, float]


@dataclass(frozen=True)
class Puzzle:
    """A position, the decisions of its seat, and what is known about them. Chance does not act between the decisions.

    themes: names of the reasons for the first solution, and `last_round`.
    rating: initial points, 1500 is the middle.
    win, second: probability of winning after the first solution and after the second-best action.
    """

    id: str
    ruleset: str
    variant: str
    seat: int
    notation: str
    steps: tuple[Step, ...]
    themes: tuple[str, ...]
    rating: float
    win: float
    second: float
    source: str

    @functools.cached_property
    def position(self) -> Position:
        """The first decision of the solver."""
        return RULESETS[self.ruleset].read_notation(self.notation)


def puzzle(puzzle_id: str) -> Puzzle | None:
    """Return a puzzle, or None if there is no puzzle with this id."""
    return _by_id().get(puzzle_id)


def of_ruleset(ruleset: str) -> Sequence[Puzzle]:
    """Return the puzzles of a ruleset in a fixed shuffled order, the same in every installation."""
    return _by_ruleset().get(ruleset, ())


@functools.cache
def _by_ruleset() -> Mapping[str, Sequence[Puzzle]]:
    return {ruleset: tuple(map(from_json, read(file_of(ruleset)))) for ruleset in RULESETS}


@functools.cache
def _by_id() -> Mapping[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in chain.from_iterable(_by_ruleset().values())}


def file_of(ruleset: str) -> Path:
    """Return the path of a ruleset's puzzles."""
    return FOLDER / f"{ruleset}.json.gz"


def read(file: Path) -> list[Json]:
    """Return the puzzles of a file as JSON. A missing file contains none."""
    puzzles: list[Json] = json.loads(gzip.decompress(file.read_bytes()))["puzzles"] if file.exists() else []
    return puzzles


def from_json(json: Json) -> Puzzle:
    """Return the puzzle of `to_json`."""
    steps = tuple(map(_step_from_json, json["steps"]))
    return Puzzle(**{**json, "steps": steps, "themes": tuple(json["themes"])})


def _step_from_json(json: Json) -> Step:
    wrong: list[list[Any]] = json["wrong"]
    return Step(
        tuple(json["solutions"]),
        _pairs(json["reply"]),
        {action: _pairs(line) for action, _, *line in wrong},
        {action: lost for action, lost, *_ in wrong},
    )


def _pairs(numbers: Sequence[int]) -> Moves:
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def to_json(puzzle: Puzzle) -> Json:
    """Return the stored form of a puzzle, with moves as seat, action, seat, action …"""
    return {
        **{field.name: getattr(puzzle, field.name) for field in fields(puzzle)},
        "steps": [
            {
                "solutions": step.solutions,
                "reply": [*chain.from_iterable(step.reply)],
                "wrong": [
                    [action, step.lost[action], *chain.from_iterable(line)] for action, line in step.refutations.items()
                ],
            }
            for step in puzzle.steps
        ],
    }
