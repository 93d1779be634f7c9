"""Check a caller's answers to a puzzle. Anonymous attempts store nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from service.games import reasons
from service.games.errors import GameError
from service.puzzles.model import Puzzle
from service.rulesets.ruleset import Position
from service.rulesets.wire import Json
from service.usecases.base import access, i18n
from service.usecases.base.context import Caller, Context
from service.usecases.positions.actions import ActionForms, read_legal_action
from service.usecases.puzzles import puzzle_ratings, puzzle_views

SOLVED, UNSOLVED, UNFINISHED = "solved", "failed", "continue"
ATTEMPT_STATUSES = (SOLVED, UNSOLVED, UNFINISHED)


class Verdict(NamedTuple):
    """The answers up to the first wrong one, and the position that it was given in or the next one is for."""

    status: str
    answers: tuple[int, ...]
    position: Position


def attempt(context: Context, caller: Caller, puzzle_id: str, answers: Sequence[ActionForms]) -> Json:
    """Check all decisions of the solver so far. A finished attempt of a player is rated, see `puzzle_ratings`.

    Raises: puzzle/not_found, request/invalid, notation/unreadable, game/illegal_action.
    """
    puzzle = puzzle_views.find(puzzle_id)
    player = access.player_of(context, caller)
    verdict = judge(puzzle, answers, caller.language)
    first, streak = None, None
    if player is not None and verdict.status != UNFINISHED:
        is_solved = verdict.status == SOLVED
        first, streak = puzzle_ratings.count(context, player.id, puzzle, verdict.answers, is_solved=is_solved)
    return {
        **_verdict_json(puzzle, verdict, caller.language),
        "rated": first is not None,
        "rating": None if first is None else {"before": first.before, "after": first.after},
        "streak": streak,
    }


def judge(puzzle: Puzzle, answers: Sequence[ActionForms], language: str) -> Verdict:
    """Return the verdict on the answers. Those after a wrong one are ignored.

    The line continues after the first solution, which does the same as the others.

    Raises: request/invalid, notation/unreadable, game/illegal_action.
    """
    if len(answers) > (count := len(puzzle.steps)):
        raise GameError(
            "request/invalid", errors={f"/answers/{count}": f"must be omitted: the puzzle has {count} steps"}
        )
    position, listed = puzzle.position, list[int]()
    for number, (step, forms) in enumerate(zip(puzzle.steps, answers, strict=False)):
        answer = read_legal_action(position, forms, f"/answers/{number}", language)
        listed.append(position.as_listed(answer))
        if listed[-1] not in step.solutions:
            return Verdict(UNSOLVED, tuple(listed), position)
        for action in (step.solutions[0], *(action for _, action in step.reply)):
            position = position.play(action)
    return Verdict(SOLVED if len(listed) == count else UNFINISHED, tuple(listed), position)


def _verdict_json(puzzle: Puzzle, verdict: Verdict, language: str) -> Json:
    step, is_open = puzzle.steps[len(verdict.answers) - 1], verdict.status == UNFINISHED
    solution = [move for one in puzzle.steps for move in ((puzzle.seat, one.solutions[0]), *one.reply)]
    view = verdict.position.ruleset.view(verdict.position) if is_open else None
    return {
        "status": verdict.status,
        "replies": _line_json(puzzle, step.reply, language) if is_open else [],
        "position": view,
        "position_notation": verdict.position.notation if is_open else None,
        "solution": None if is_open else _line_json(puzzle, solution, language),
        "refutation": _refutation_json(puzzle, verdict, language) if verdict.status == UNSOLVED else None,
    }


def _refutation_json(puzzle: Puzzle, verdict: Verdict, language: str) -> Json:
    """Return what may follow the wrong answer, and what the solution does that it does not."""
    step, wrong = puzzle.steps[len(verdict.answers) - 1], verdict.answers[-1]
    gains, ruleset = reasons.compare(verdict.position, step.solutions[0], wrong), verdict.position.ruleset
    return {
        "line": _line_json(puzzle, step.refutations.get(wrong, ()), language),
        "why": i18n.why_text(ruleset, puzzle.variant, gains, language, "best"),
        "win_lost": step.lost.get(wrong),
    }


def _line_json(puzzle: Puzzle, line: Iterable[tuple[int, int]], language: str) -> list[Json]:
    ruleset = puzzle.position.ruleset
    return [{"seat": seat, **i18n.named_action(ruleset, puzzle.variant, action, language)} for seat, action in line]
