"""Making puzzles: verdicts, what becomes a puzzle, and progress that survives an interruption."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from research.puzzles import verdicts
from research.puzzles.__main__ import line_of
from research.puzzles.building import LAST_ROUND, Found, puzzle_at
from research.puzzles.candidates import decisions
from research.puzzles.progress import Progress, write
from research.puzzles.verdicts import Stage, confirm, equal_actions
from service.puzzles.model import from_json, of_ruleset, read
from service.rulesets.registry import RULESETS
from tests.research.commands import run_command

PAGE = Path(__file__).parents[2] / "docs/reference/test-positions.md"
AZUL, PAVILION = RULESETS["azul"], RULESETS["summer-pavilion"]
TWO_EQUAL_FACTORIES = AZUL.read_notation(
    "azul coloured 1 draft 0 0 c 0 - - byrk/byrk/b4/y4/k4 - b14y14r18k14w20 - "
    "0;-,-,-,-,-;5/5/5/5/5;- 0;-,-,-,-,-;5/5/5/5/5;-"
)
FOUR_YELLOW_TILES = PAVILION.read_notation(
    "summer-pavilion grey 6 acquire 1 0 c 0 p3g2o2yr2 -/p2yb/y4/g2or/o2r2 gr p6g10o8y8b13r5 - "
    "48;-;po2r3;-;0;gbp3/1bor2/obp3/rrr3/yyy3/1pp3/bgro1p 56;-;br;-;0;gggg2/yyy3/1rb3/ooo3/pyb3/ppp3/opygrb"
)
"""The last round. The four yellow tiles complete a star of seat 1, and the quick policy takes others."""


def test_a_position_with_a_clearly_best_action_becomes_a_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "STAGES", (Stage(0.2, 0.05),))
    counts = Counter[str]()
    found = puzzle_at(FOUR_YELLOW_TILES, counts)
    assert found is not None
    assert (1, 1) == (counts["stage 1"], counts["puzzles"])
    puzzle, (step, *_) = found.puzzle, found.puzzle.steps
    assert ["2y"] == [*map(PAVILION.notation_of, step.solutions)]
    assert {*FOUR_YELLOW_TILES.legal_actions()} - {*step.solutions} == step.refutations.keys()
    assert puzzle.win - puzzle.second == pytest.approx(step.lost[found.second], abs=0.001)
    assert (1, FOUR_YELLOW_TILES, (LAST_ROUND,)) == (puzzle.seat, puzzle.position, puzzle.themes)


def test_a_position_is_no_puzzle_if_the_quick_policy_prefers_the_best_action() -> None:
    counts = Counter[str]()
    assert confirm(FOUR_YELLOW_TILES, PAVILION.action_of("2y"), counts) is None
    assert not counts


def test_equal_factories_make_equal_actions() -> None:
    groups = {tuple(map(AZUL.notation_of, group)) for group in equal_actions(TWO_EQUAL_FACTORIES).values()}
    assert {("0b1", "1b1"), ("2b1",)} <= groups


def test_games_of_quick_levels_contain_suitable_decisions() -> None:
    counts = Counter[str]()
    found = decisions("azul", 0, 1, counts)
    assert 0 < len(found) < counts["decisions"]
    assert all(6 <= len(position.legal_actions()) <= 60 for position in found)
    assert found == decisions("azul", 0, 1, counts)


def test_an_interrupted_run_continues_after_the_last_complete_game(tmp_path: Path) -> None:
    file, shipped = tmp_path / "azul 1.jsonl", of_ruleset("azul")
    puzzle = replace(shipped[0], id="new")
    progress = Progress(file)
    progress.add(2.0, Counter(decisions=3), None)
    progress.add(2.0, Counter(decisions=4), Found(puzzle, next(iter(puzzle.steps[0].lost)), 0.25))
    with file.open("a") as interrupted:
        interrupted.write('{"seconds": 3')
    count = str(len(shipped) + 1)
    ran = run_command("research.puzzles.__main__", "azul", "--count", count, "--folder", str(tmp_path))
    assert (0, "") == (ran.returncode, ran.stdout)
    again = Progress(file)
    assert "2 games, 4 s, 1 puzzles: 7 decisions" == again.summary()
    assert ["new"] == [each.id for each in again.puzzles()]


def test_a_puzzle_whose_point_has_no_name_is_left_out(tmp_path: Path) -> None:
    puzzle = of_ruleset("azul")[0]
    progress = Progress(tmp_path / "azul 1.jsonl", [puzzle])
    progress.add(1.0, Counter(), Found(puzzle, puzzle.steps[0].solutions[0], 0.25))
    assert [] == progress.puzzles()


def test_files_contain_the_puzzles_and_the_commands_that_made_them(tmp_path: Path) -> None:
    puzzles = list(of_ruleset("azul"))
    file = tmp_path / "some.json.gz"
    write(file, puzzles[:1], "first command")
    for command in ("second command", "second command"):
        write(file, puzzles, command)
    assert puzzles == [*map(from_json, read(file))]
    assert ["first command", "second command"] == json.loads(gzip.decompress(file.read_bytes()))["generated_by"]
    assert [] == read(tmp_path / "none.json.gz")


def test_the_check_prints_the_share_of_kept_solutions() -> None:
    ran = run_command("research.puzzles.__main__", "summer-pavilion", "--check", "1", "--seconds", "0.05")
    assert re.search(r"^summer-pavilion: [01] of 1 puzzles keep their solution in 0.05 s$", ran.stdout, re.MULTILINE)


def test_listed_puzzles_are_positions_with_their_solutions() -> None:
    ran = run_command("research.puzzles.__main__", "azul", "queens-garden", "--list", "2")
    lines = [line.split(" | ") for line in ran.stdout.splitlines()]
    expected = [puzzle for ruleset in ("azul", "queens-garden") for puzzle in of_ruleset(ruleset)[:2]]
    for puzzle, (notation, best, chances) in zip(expected, lines, strict=True):
        assert puzzle.position == puzzle.position.ruleset.read_notation(notation)
        actions = [puzzle.position.ruleset.action_of(text) for text in best.split(", ")]
        assert puzzle.steps[0].solutions == tuple(actions)
        assert f"{100 * puzzle.win:.0f} {100 * puzzle.second:.0f}" == chances


def test_the_page_of_test_positions_lists_shipped_puzzles() -> None:
    listed = PAGE.read_text("utf-8").partition("```text\n")[2].partition("```")[0].splitlines()
    assert 50 == len({*listed})
    assert {*listed} <= {*map(line_of, of_ruleset("queens-garden"))}
