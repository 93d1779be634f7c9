"""Shipped puzzles and answers to them, chosen by their properties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.puzzles.model import Puzzle, Step
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.rulesets.wire import Json
from service.usecases.puzzles import puzzle_views


def find_puzzles(ruleset: str, has: Callable[[Puzzle], bool] = lambda _: True) -> list[Puzzle]:
    """Return the puzzles of a ruleset with a property."""
    return [puzzle for puzzle in puzzle_views.all_puzzles() if puzzle.ruleset == ruleset and has(puzzle)]


def wrong_actions(puzzle: Puzzle, step: int = 0) -> list[int]:
    """Return the wrong legal actions of the first decision."""
    return [action for action in puzzle.position.legal_actions() if action not in puzzle.steps[step].solutions]


def answers(*actions: int) -> Json:
    """Return the body of an attempt."""
    return {"answers": [{"id": str(action)} for action in actions]}


def right_answers(puzzle: Puzzle) -> Json:
    return answers(*(step.solutions[0] for step in puzzle.steps))


def puzzle_of_two_steps() -> Puzzle:
    """Return a puzzle of the first round of Azul whose solver decides twice. The solutions are arbitrary."""
    position = RULESETS["azul"].start("grey", 2, 0)
    position = position.resolve_draw(position.sample(generator(bytes(range(1, 33)))))
    line, positions = list[int](), [position]
    for _ in range(3):
        line.append(positions[-1].legal_actions()[0])
        positions.append(positions[-1].play(line[-1]))
    steps = tuple(_step(positions[number], line[number], line[number + 1 : number + 2]) for number in (0, 2))
    return Puzzle("two-steps", "azul", "grey", 0, position.notation, steps, (), 1500.0, 0.9, 0.5, "self_play")


def _step(position: Position, solution: int, replies: list[int]) -> Step:
    wrong = [action for action in position.legal_actions() if action != solution]
    lines: Any = {action: ((1, position.play(action).legal_actions()[0]),) for action in wrong}
    return Step((solution,), tuple((1, reply) for reply in replies), lines, dict.fromkeys(wrong, 0.2))
