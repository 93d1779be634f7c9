"""Elo of the search over time."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from research.matches import growth
from research.matches.statistics import elo, plot
from research.matches.statistics.elo import Rating
from tests.research.commands import RANDOM_PROGRAM, run_command
from tests.research.test_ladder import step as a_step


def test_the_rating_of_an_opponent_is_computed_from_the_games_against_it() -> None:
    """Three of four deals: (3 + 1) / (4 + 2) = 2/3, and 400 log10(2) = 120.4."""
    won = [1.0, 1.0, 1.0, 0.0]
    step, actual = elo.step(won), elo.opponent_rating(Rating(300, 270, 340), won)
    assert actual.elo == pytest.approx(300 - 120.41, abs=0.01)
    assert actual.elo - actual.low == pytest.approx(math.hypot(30, step.high - step.elo))
    assert actual.high - actual.elo == pytest.approx(math.hypot(40, step.elo - step.low))


def test_steps_add_up_and_the_earlier_version_is_rated_relative_to_its_opponent() -> None:
    step, before = (a_step("club", "greedy", *won).result for won in ([1.0, 0.5] * 10, [*[1.0] * 9, 0.0]))
    every = list(growth.points((0.1, 0.5), [step], [before, before]))
    assert [("now", 0.1), ("now", 0.5), ("before", 0.1), ("before", 0.5)] == [point[:2] for point in every]
    longer = elo.step(step.deals).elo
    lead = elo.step(before.deals).elo
    assert [0, longer, -lead, longer - lead] == pytest.approx([point.rating.elo for point in every])
    assert [None, step, before, before] == [point.result for point in every]


def test_the_picture_contains_each_point_with_its_interval() -> None:
    lines = {"now": [(0.1, Rating(0, 0, 0)), (0.4, Rating(120, 60, 190))], "before": [(0.4, Rating(-80, -200, 30))]}
    words = list(ET.fromstring(plot.of_growth("azul", lines)).itertext())  # noqa: S314 - our own SVG
    assert "now with 0.1 s 0 (0 to 0); now with 0.4 s 120 (60 to 190); before with 0.4 s -80 (-200 to 30)." in words, (
        words
    )
    assert {"azul: Elo by time", "0.1 s", "0.4 s", "now 120", "before -80"} <= set(words)


def test_the_command_plays_missing_games_and_prints_a_table(tmp_path: Path) -> None:
    before = f"program@59s:{sys.executable} {RANDOM_PROGRAM} {{}}"
    picture = tmp_path / "growth.svg"
    times = ("--times", "0.01", "0.001", "--before", before)
    asked = ("azul", "--variant", "grey", *times, "--deals", "1", "--jobs", "1", "--plot", str(picture))
    results = ("--results", str(tmp_path / "games"))
    first, second = (run_command("research.matches.growth", *asked, *results) for _ in range(2))
    assert (0, first.stdout) == (first.returncode, second.stdout), first.stderr
    rows = [line.split()[:3] for line in first.stdout.splitlines()[2:]]
    assert [["now", "0.001", "s"], ["now", "0.01", "s"], ["before", "0.001", "s"], ["before", "0.01", "s"]] == rows
    names = {path.name.rpartition("-")[0] for path in (tmp_path / "games").iterdir()}
    assert {"azul-2-tree@0.01s-tree@0.001s", "azul-2-tree@0.001s-program", "azul-2-tree@0.01s-program"} == names
    assert sys.executable not in picture.read_text("utf-8")


@pytest.mark.parametrize("wrong", [("--times", "0"), ("--deals", "0"), ("--player", "nobody"), ("--variant", "pink")])
def test_invalid_arguments_are_reported_in_one_line(wrong: tuple[str, ...], tmp_path: Path) -> None:
    ended = run_command("research.matches.growth", "azul", "--results", str(tmp_path), *wrong)
    assert (2, 1) == (ended.returncode, len(ended.stderr.splitlines())), ended.stderr
