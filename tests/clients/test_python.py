"""What the layer in Python adds: a table in the terminal, tokens in a file, tournaments with a bar.

Run by `make test-clients`, which generates the client first.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from service.rulesets.registry import RULESETS
from tests.e2e.stack import Stack

EXAMPLES = Path(__file__).parents[2] / "openapi" / "clients" / "python" / "examples"


def ran(folder: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """A Python program that keeps its tokens in the folder, with what is typed into it."""
    environment = {**os.environ, "AZUL_GAMES_TOKENS": str(folder / "tokens.json")}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, input=typed, env=environment, capture_output=True, text=True, check=False, timeout=170
    )


def kept(folder: Path, stack: Stack) -> dict[str, Any]:
    """The tokens of the service's games that were kept."""
    return dict(json.loads((folder / "tokens.json").read_text())[stack.url]["games"])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_game_is_played_in_the_terminal_by_numbers_that_are_piped(
    limited: Stack, tmp_path: Path, ruleset: str
) -> None:
    command = ["-m", "azul_games", "--url", limited.url, "play", ruleset, "--level", "random", "--name", "Ana"]
    done = ran(tmp_path, *command, typed="2\n2\n1\n" * 2_000)
    assert (0, "") == (done.returncode, done.stderr), done.stdout[-3_000:]
    (game,) = kept(tmp_path, limited)
    view = limited.get(f"/games/{game}").json()
    assert ("finished", ruleset) == (view["status"], view["ruleset"])
    scores = [f"seat {number} with {seat['score']} points" for number, seat in enumerate(view["outcome"]["seats"])]
    assert all(score in done.stdout for score in scores)
    assert "<- to decide" in done.stdout


def test_a_game_that_was_left_is_gone_on_with_by_the_token_in_the_file(limited: Stack, tmp_path: Path) -> None:
    """Only its owner can read the file."""
    play = ["-m", "azul_games", "--url", limited.url, "play"]
    left = ran(tmp_path, *play, "azul", "--level", "random", typed="9999\n1\nq\n")
    assert 1 == left.returncode
    assert "please" in left.stdout
    (game,) = kept(tmp_path, limited)
    assert f"play --game={game}" in left.stdout
    assert 0o600 == (tmp_path / "tokens.json").stat().st_mode & 0o777
    assert 0 == ran(tmp_path, *play, f"--game={game}", typed="1\n" * 2_000).returncode
    assert "finished" == limited.get(f"/games/{game}").json()["status"]


def test_a_hint_comes_from_the_service(limited: Stack, tmp_path: Path) -> None:
    left = ran(tmp_path, "-m", "azul_games", "--url", limited.url, "play", "azul", typed="h\nq\n")
    assert 1 == left.returncode
    assert "(lead " in left.stdout


def test_rulesets_and_levels_are_listed(limited: Stack, tmp_path: Path) -> None:
    for what in ("rulesets", "levels"):
        done = ran(tmp_path, "-m", "azul_games", "--url", limited.url, what)
        known = [each["id"] for each in limited.get(f"/{what}").json()[what]]
        assert known == [line.split()[0] for line in done.stdout.splitlines()]


def test_what_is_not_there_is_said_in_a_line(limited: Stack, tmp_path: Path) -> None:
    gone = ran(tmp_path, "-m", "azul_games", "--url", limited.url, "play", "--game=nosuchgame")
    assert (1, 1) == (gone.returncode, len(gone.stderr.splitlines()))
    assert gone.stderr.startswith("game/not_found: ")


def test_a_hundred_games_between_two_levels_end_in_a_table(limited: Stack, tmp_path: Path) -> None:
    command = [str(EXAMPLES / "hundred_games.py"), "greedy", "random", "--url", limited.url]
    done = ran(tmp_path, *command)
    assert 0 == done.returncode, done.stderr
    assert "100/100" in done.stderr  # the bar
    heading, best, last = done.stdout.splitlines()
    assert ["games", "wins"] == heading.split()[:2]
    assert [["greedy", "100"], ["random", "100"]] == [line.split()[:2] for line in (best, last)]
    wins = [float(line.split()[2].rstrip("%")) for line in (best, last)]
    assert pytest.approx(100.0) == sum(wins)
    assert wins[0] > 80.0
