"""Shipped puzzles: their lines are legal, their points have names, and the quick policy does not solve them."""

from __future__ import annotations

import pytest

from research.puzzles.building import LAST_ROUND, id_of
from research.puzzles.checking import positions_of
from research.puzzles.verdicts import quick_choice
from service.puzzles.model import Moves, file_of, of_ruleset, puzzle
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.rulesets.offers import PUBLISHED

MAX_FILE = 100_000  # bytes
MAX_MOVES = 3
MIN_LOST = 0.06
every_ruleset = pytest.mark.parametrize("ruleset", PUBLISHED)


def play_line(position: Position, line: Moves) -> Position:
    """Return the position after moves. Chance does not act before any of them."""
    for seat, action in line:
        assert seat == position.seat
        position = position.play(action)
    return position


@every_ruleset
def test_every_action_of_a_step_is_a_solution_or_has_a_legal_refutation(ruleset: str) -> None:
    for each in of_ruleset(ruleset):
        for step, (position, solutions) in zip(each.steps, positions_of(each), strict=True):
            legal = {*position.legal_actions()}
            assert {*solutions} < legal
            assert legal - {*solutions} == step.refutations.keys() == step.lost.keys()
            for action, line in step.refutations.items():
                after = position.play(action)
                assert len(line) <= MAX_MOVES
                assert bool(line) == (after.seat is not None)
                play_line(after, line)


@every_ruleset
def test_solvers_decide_again_after_the_reply_until_the_last_step(ruleset: str) -> None:
    for each in of_ruleset(ruleset):
        assert each.seat == each.position.seat
        for step, (position, solutions) in zip(each.steps[:-1], positions_of(each), strict=False):
            assert each.seat == play_line(position.play(solutions[0]), step.reply).seat
            assert each.seat not in [seat for seat, _ in step.reply]
        assert () == each.steps[-1].reply


@every_ruleset
def test_solutions_are_clearly_best_and_not_the_choice_of_the_quick_policy(ruleset: str) -> None:
    for each in of_ruleset(ruleset):
        assert 0.0 < each.second < each.win < 1.0
        assert min(min(step.lost.values()) for step in each.steps) >= MIN_LOST
        assert 6 <= len(each.position.legal_actions()) <= 60
        assert quick_choice(each.position) not in each.steps[0].solutions


@every_ruleset
def test_every_puzzle_has_a_theme_for_which_the_ruleset_has_a_sentence(ruleset: str) -> None:
    texts = (RULESETS[ruleset].folder / "texts" / "en.ftl").read_text("utf-8")
    for each in of_ruleset(ruleset):
        reasons = {theme.replace("_", "-") for theme in each.themes} - {LAST_ROUND.replace("_", "-")}
        assert reasons
        assert [] == [reason for reason in reasons if f"\nwhy-{reason} = " not in texts]


@every_ruleset
def test_puzzles_have_the_ids_of_their_positions_and_small_files(ruleset: str) -> None:
    puzzles = of_ruleset(ruleset)
    assert puzzles
    for each in puzzles:
        assert (ruleset, each.position.variant) == (each.ruleset, each.variant)
        assert id_of(each.position) == each.id
        assert puzzle(each.id) is each
    assert file_of(ruleset).stat().st_size <= MAX_FILE


def test_unknown_ids_and_rulesets_have_no_puzzles() -> None:
    assert puzzle("unknown") is None
    assert () == of_ruleset("unknown")
