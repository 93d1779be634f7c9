"""Benchmark matches of one player against a pool of styles."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from research.matches import gauntlet, sides, tastes
from service.rulesets.ruleset import Ruleset
from tests.research.commands import RANDOM_PROGRAM, run_command
from tests.rulesets.offers import WITH_WEIGHTS
from workers.search.players import parse_player


@pytest.mark.parametrize("ruleset", WITH_WEIGHTS.values(), ids=list(WITH_WEIGHTS))
def test_players_of_the_pool_differ_from_each_other_and_from_the_search(ruleset: Ruleset) -> None:
    words = [word.replace("{}", "400") for word in ("tree@{}", *gauntlet.pool_of(ruleset))]
    assert len(words) == len({sides.describe(ruleset, word) for word in words})
    every = [(parse_player(ruleset, plain), taste) for plain, taste in (tastes.split_taste(ruleset, w) for w in words)]
    assert {400} == {player.simulations for player, _ in every if player.kind == "tree"}
    assert 3 == sum(taste is not None for _, taste in every)


def test_the_command_plays_missing_games_and_prints_a_line_per_opponent(tmp_path: Path) -> None:
    program = f"program@59s:{sys.executable} {RANDOM_PROGRAM} {{}}"
    asked = ("azul", "--variant", "grey", "--limit", "20", "--pool", "uct@{}", "preference", program)
    places = ("--deals", "2", "--jobs", "1", "--results", str(tmp_path))
    first, second = (run_command("research.matches.gauntlet", *asked, *places) for _ in range(2))
    assert (0, first.stdout) == (first.returncode, second.stdout), first.stderr
    title, _, *rows = first.stdout.splitlines()
    assert "azul, two seats: tree@20" == title
    assert ["uct@20", "preference", program.replace("{}", "20")] == [row.partition("  ")[0].rstrip() for row in rows]
    assert ["4", "4", "4"] == [row.split(" : ")[0].split()[-2] for row in rows]
    assert 3 == len([*tmp_path.iterdir()])


@pytest.mark.parametrize("wrong", [("--limit", "soon"), ("--pool", "nobody"), ("--deals", "0"), ("--variant", "pink")])
def test_invalid_arguments_are_reported_in_one_line(wrong: tuple[str, ...], tmp_path: Path) -> None:
    ended = run_command("research.matches.gauntlet", "azul", "--results", str(tmp_path), *wrong)
    assert (2, 1) == (ended.returncode, len(ended.stderr.splitlines())), ended.stderr
