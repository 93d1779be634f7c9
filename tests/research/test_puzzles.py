"""Making puzzles: verdicts, what becomes a puzzle, and progress that survives an interruption."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from research.puzzles import verdicts
from research.puzzles.building import Found, puzzle_at
from research.puzzles.candidates import decisions
from research.puzzles.progress import Progress, write
from research.puzzles.verdicts import Stage, confirm, equal_actions, judge
from service.puzzles.model import from_json, of_ruleset, read
from service.rulesets.registry import RULESETS
from tests.research.commands import run_command

AZUL = RULESETS["azul"]
TWO_EQUAL_FACTORIES = (
    "azul coloured 1 draft 0 0 c 0 - - byrk/byrk/b4/y4/k4 - b14y14r18k14w20 - "
    "0;-,-,-,-,-;5/5/5/5/5;- 0;-,-,-,-,-;5/5/5/5/5;-"
)
EASY = max(
    (each for each in of_ruleset("azul") if len(each.steps) == 1),
    key=lambda each: (each.win - each.second) / len(each.steps[0].lost),
)
"""A puzzle with one step, a large margin and few actions."""


def test_a_verdict_prefers_the_solution_of_a_puzzle() -> None:
    verdict = judge(EASY.position, 0.2, equal_actions(EASY.position))
    assert verdict.best in EASY.steps[0].solutions
    assert verdict.margin > 0.05


def test_a_position_is_no_puzzle_if_the_quick_policy_prefers_the_best_action() -> None:
    counts = Counter[str]()
    assert confirm(EASY.position, EASY.steps[0].solutions[0], counts) is None
    assert not counts


def test_a_position_with_a_clearly_best_action_becomes_a_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "STAGES", (Stage(0.2, 0.05),))
    counts = Counter[str]()
    found = puzzle_at(EASY.position, counts)
    assert found is not None
    assert {"stage 1": 1, "puzzles": 1} == counts
    assert EASY.id == found.puzzle.id
    assert {*EASY.steps[0].solutions} == {*found.puzzle.steps[0].solutions}
    assert 0.0 <= found.found < 1.0


def test_equal_factories_make_equal_actions() -> None:
    position = AZUL.read_notation(TWO_EQUAL_FACTORIES)
    groups = {tuple(map(AZUL.notation_of, group)) for group in equal_actions(position).values()}
    assert {("0b1", "1b1"), ("2b1",)} <= groups


def test_games_of_quick_levels_contain_suitable_decisions() -> None:
    counts = Counter[str]()
    found = decisions("azul", 0, 1, counts)
    assert 0 < len(found) < counts["decisions"]
    assert {True} == {6 <= len(position.legal_actions()) <= 60 for position in found}
    assert found == decisions("azul", 0, 1, counts)


def test_an_interrupted_run_continues_after_the_last_complete_game(tmp_path: Path) -> None:
    file = tmp_path / "azul 1.jsonl"
    progress = Progress(file)
    progress.add(1.5, Counter(decisions=3), None)
    progress.add(2.0, Counter(decisions=4), Found(EASY, next(iter(EASY.steps[0].lost)), 0.25))
    with file.open("a") as interrupted:
        interrupted.write('{"seconds": 3')
    ran = run_command("research.puzzles", "azul", "--count", "1", "--folder", str(tmp_path))
    assert (0, "") == (ran.returncode, ran.stdout)
    again = Progress(file)
    assert (2, 3.5, {"decisions": 7}) == (len(again.games), again.seconds, again.counts)
    assert [EASY.id] == [each.id for each in again.puzzles()]


def test_files_contain_the_puzzles_and_their_command(tmp_path: Path) -> None:
    puzzles = list(of_ruleset("azul"))
    write(tmp_path / "some.json.gz", puzzles, "python -m …")
    assert puzzles == [*map(from_json, read(tmp_path / "some.json.gz"))]
    assert [] == read(tmp_path / "none.json.gz")


def test_the_check_prints_the_share_of_kept_solutions() -> None:
    ran = run_command("research.puzzles", "azul", "--check", "2", "--seconds", "0.05")
    assert re.search(r"^azul: [012] of 2 puzzles keep their solution in 0.05 s$", ran.stdout, re.MULTILINE)
