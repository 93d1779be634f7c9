"""The ladder: Elo worked out by hand, its files and its pictures."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import orjson
import pytest

from research.matches import ladder
from research.matches.ladder import Step
from research.matches.match import Game, Match, Result
from research.matches.statistics import elo, plot, sequences
from service.levels import LEVELS
from service.rulesets.ai_levels import MEASURED, LevelConfig, Strength, load_strength
from service.rulesets.registry import RULESETS
from tests.research.commands import run_command


def step(level: str, against: str, *won: float, seats: int = 2) -> Step:
    """Return a step with these shares per deal. All games of a deal have the same result."""
    games = tuple(
        Game(deal, seat, share, (1, 0), (1, 1), (0.1, 0.1), 0.5)
        for deal, share in enumerate(won)
        for seat in range(seats)
    )
    return Step(level, against, Result(Match("azul", ("grey",), seats, (level, against), 1), games), "2026-01-02")


def test_winning_ten_of_eleven_games_is_400_elo() -> None:
    assert (400, 0, -400) == tuple(round(elo.difference(share)) for share in (10 / 11, 0.5, 1 / 11))


def test_a_step_is_the_smoothed_win_share_and_its_interval_in_elo() -> None:
    """Three of four deals: (3 + 1) / (4 + 2) = 2/3, and 400 log10(2) = 120.4."""
    deals = [1.0, 1.0, 1.0, 0.0]
    actual, ends = elo.step(deals), [elo.difference(end) for end in sequences.interval(deals)]
    assert [120.41, *ends] == pytest.approx([actual.elo, actual.low, actual.high], abs=0.01)


def test_elo_steps_add_up_and_their_intervals_add_in_quadrature() -> None:
    first, second = [1.0, 0.5] * 10, [1.0, 1.0, 0.0] * 10
    one, other = elo.step(first), elo.step(second)
    low, high = elo.ladder([first, second])
    assert one == low
    assert one.elo + other.elo == pytest.approx(high.elo)
    assert math.hypot(one.elo - one.low, other.elo - other.low) == pytest.approx(high.elo - high.low)
    assert math.hypot(one.high - one.elo, other.high - other.elo) == pytest.approx(high.high - high.elo)


def test_winning_every_game_gives_a_finite_rating() -> None:
    (rating,) = elo.ladder([[1.0] * 20])
    assert 100 < rating.low < rating.elo < rating.high < 2000
    (opposite,) = elo.ladder([[0.0] * 20])
    assert (-rating.high, -rating.elo, -rating.low) == pytest.approx((opposite.low, opposite.elo, opposite.high), abs=1)


def test_levels_above_an_unmeasured_step_have_no_rating() -> None:
    (lowest, against), (higher, below) = ladder.STEPS[0], ladder.STEPS[2]
    rated = ladder.ratings([step(lowest, against, 1, 1), step(higher, below, 1, 0)])
    assert [True, False] == [rating is not None for rating in rated]


def test_with_three_seats_there_is_no_elo_but_a_verdict() -> None:
    level, against = ladder.STEPS[0]
    three = step(level, against, *[2 / 3] * 40, seats=3)
    assert ([None], "as it should be") == (ladder.ratings([three]), ladder.verdict(three))
    assert "open" == ladder.verdict(step(level, against, 1, 0, 0, seats=3))


@pytest.mark.parametrize(
    ("won", "verdict"),
    [
        ([0.5] * 60, "TOO SMALL"),
        ([1.0] * 60, "TOO BIG"),
        ([0.5, 1.0] * 100, "as it should be"),
        ([0.5, 1.0] * 3, "open"),
    ],
)
def test_a_step_should_win_65_to_85_percent(won: list[float], verdict: str) -> None:
    one = step(*ladder.STEPS[0], *won)
    assert verdict == ladder.verdict(one)
    assert verdict in ladder.table([one])


def test_written_results_round_trip_and_other_seat_counts_are_kept(tmp_path: Path) -> None:
    level, against = ladder.STEPS[0]
    for seats in (3, 2, 2):
        rows = ladder.rows([step(level, against, 1, 0, 0.5, seats=seats)], [f"command of {seats}"])
        ladder.write(tmp_path, rows, "what wrote it")
    written = orjson.loads((tmp_path / MEASURED).read_bytes())
    assert ["generated_by", "date", "core_seconds", "strength"] == list(written)
    assert ("what wrote it", 3 * 0.5 * 5) == (written["generated_by"], written["core_seconds"])
    two, three = load_strength(tmp_path)
    assert (2, 3, None, "command of 3") == (two.seats, three.seats, three.elo, three.command)
    assert (("grey",), level, against) == (two.variants, two.level, two.against)
    assert (0.5, 6, 0) == (two.wins, two.games, two.elo)


def test_a_folder_without_a_results_file_has_no_strengths(tmp_path: Path) -> None:
    assert () == load_strength(tmp_path)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_strengths_of_every_ruleset_name_known_levels_and_are_consistent(ruleset: str) -> None:
    for one in RULESETS[ruleset].strength:
        assert {one.level, one.against} <= set(LEVELS)
        assert 0 <= one.low <= one.wins <= one.high <= 1
        assert one.command.startswith(f"python -m research.matches.ladder {ruleset} ")
        assert one.elo is None or (one.seats == 2 and (one.elo_low or 0) <= one.elo <= (one.elo_high or 0))


def test_the_command_plays_missing_games_and_prints_a_table(tmp_path: Path) -> None:
    level, against = ladder.STEPS[0]
    asked = ("azul", "--steps", level, "--deals", "4", "--jobs", "1", "--results", str(tmp_path))
    first, second = run_command("research.matches.ladder", *asked), run_command("research.matches.ladder", *asked)
    assert first.stdout == second.stdout
    (row,) = [line.split() for line in first.stdout.splitlines() if line.startswith(level)]
    assert [level, against] == row[:2]
    assert [f"azul-2-{level}-{against}"] == [path.name.rpartition("-")[0] for path in tmp_path.iterdir()]


def test_a_changed_level_is_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its earlier result counts again when the change is reverted."""
    monkeypatch.setattr(ladder, "STEPS", (("greedy", "random"),))
    asked = argparse.Namespace(results=tmp_path, seats=2, seed=1, deals=1, steps=None, quiet=True, queue=False, jobs=1)
    ruleset = RULESETS["azul"]
    (before,) = ladder.climb(ruleset, asked)
    configs = {**ruleset.ai.level_configs, "greedy": LevelConfig("greedy", noise=50.0)}
    changed = replace(ruleset, ai=replace(ruleset.ai, level_configs=configs))
    with monkeypatch.context() as patch:
        patch.setitem(RULESETS, "azul", changed)
        (after,) = ladder.climb(changed, asked)
    assert before.result.counted_games != after.result.counted_games
    asked.deals = 0
    assert [before] == ladder.climb(ruleset, asked)


@pytest.mark.parametrize("asked", [("chess",), ("azul", "--steps", "random"), ("azul", "--seats", "9")])
def test_invalid_arguments_are_reported_in_one_line(asked: tuple[str, ...], tmp_path: Path) -> None:
    ended = run_command("research.matches.ladder", *asked, "--results", str(tmp_path))
    assert (2, 1) == (ended.returncode, len(ended.stderr.splitlines())), ended.stderr


def test_the_picture_contains_every_level_and_the_known_elo_values() -> None:
    (level, against), *_ = ladder.STEPS
    one = Strength(("grey",), 2, level, against, 0.8, 0.7, 0.9, 100, 240, 150, 330, "2026-01-02", "…")
    picture = plot.of_ladders({"azul": [one], "queens-garden": []})
    words = list(ET.fromstring(picture).itertext())  # noqa: S314 - our own SVG
    assert f"azul {level} 240 (150 to 330)" in words
    assert 2 == words.count(level)
    assert "240" in words
