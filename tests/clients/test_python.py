"""What the layer in Python adds: a table in the terminal, tokens in a file, tournaments with a bar.

Run by `make test-clients`, which generates the client first.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from azul_games import Service
from azul_games.__main__ import main
from service.rulesets.registry import RULESETS
from tests.e2e.stack import Stack
from tests.patience import HANG_S
from tests.sampling import one_in

EXAMPLES = Path(__file__).parents[2] / "openapi" / "clients" / "python" / "examples"


class Run(NamedTuple):
    """What came of a command."""

    status: int
    stdout: str
    stderr: str


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where commands keep their tokens."""
    monkeypatch.setenv("AZUL_GAMES_TOKENS", str(tmp_path / "tokens.json"))
    return tmp_path / "tokens.json"


@pytest.fixture
def run(
    limited: Stack, tokens: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Run]:
    """A command of `azul_games`, in this process, with what is typed into it."""
    monkeypatch.setattr("azul_games.terminal.Service", partial(Service, tokens=tokens))  # the default is of the start

    def run(*arguments: str, typed: str = "") -> Run:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return Run(main(["--url", limited.url, *arguments]), *capsys.readouterr())

    return run


def program(*arguments: str, typed: str = "") -> Run:
    """A Python program to its end, with what is typed into it."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=HANG_S)
    return Run(done.returncode, done.stdout, done.stderr)


def kept(tokens: Path, stack: Stack) -> dict[str, Any]:
    """The tokens of the service's games that were kept."""
    return dict(json.loads(tokens.read_text())[stack.url]["games"])


@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_a_whole_game_is_played_in_the_terminal_by_numbers_that_are_piped(
    limited: Stack, tokens: Path, ruleset: str
) -> None:
    command = ["-m", "azul_games", "--url", limited.url, "play", ruleset, "--level", "random", "--name", "Ana"]
    done = program(*command, typed="2\n2\n1\n" * 2_000)
    assert (0, "") == (done.status, done.stderr), done.stdout[-3_000:]
    (game,) = kept(tokens, limited)
    view = limited.get(f"/games/{game}").json()
    assert ("finished", ruleset) == (view["status"], view["ruleset"])
    scores = [f"seat {number} with {seat['score']} points" for number, seat in enumerate(view["outcome"]["seats"])]
    assert all(score in done.stdout for score in scores)
    assert "<- to decide" in done.stdout


def test_a_game_that_was_left_is_gone_on_with_by_the_token_in_the_file(
    limited: Stack, tokens: Path, run: Callable[..., Run]
) -> None:
    """Only its owner can read the file."""
    left = run("play", "azul", "--level", "random", typed="9999\n1\nq\n")
    assert 1 == left.status
    assert "please" in left.stdout
    (game,) = kept(tokens, limited)
    assert f"play --game={game}" in left.stdout
    assert 0o600 == tokens.stat().st_mode & 0o777
    assert 0 == run("play", f"--game={game}", typed="1\n" * 2_000).status
    assert "finished" == limited.get(f"/games/{game}").json()["status"]


def test_a_hint_comes_from_the_service(run: Callable[..., Run]) -> None:
    left = run("play", "azul", typed="h\nq\n")
    assert 1 == left.status
    assert "(lead " in left.stdout


def test_rulesets_and_levels_are_listed(limited: Stack, run: Callable[..., Run]) -> None:
    for what in ("rulesets", "levels"):
        known = [each["id"] for each in limited.get(f"/{what}").json()[what]]
        assert known == [line.split()[0] for line in run(what).stdout.splitlines()]


def test_what_is_not_there_is_said_in_a_line(run: Callable[..., Run]) -> None:
    gone = run("play", "--game=nosuchgame")
    assert (1, 1) == (gone.status, len(gone.stderr.splitlines()))
    assert gone.stderr.startswith("game/not_found: ")


def test_a_hundred_games_between_two_levels_end_in_a_table(limited: Stack) -> None:
    command = [str(EXAMPLES / "hundred_games.py"), "greedy", "random", "--url", limited.url]
    done = program(*command)
    assert 0 == done.status, done.stderr
    assert "100/100" in done.stderr  # the bar
    heading, best, last = done.stdout.splitlines()
    assert ["games", "wins"] == heading.split()[:2]
    assert [["greedy", "100"], ["random", "100"]] == [line.split()[:2] for line in (best, last)]
    wins = [float(line.split()[2].rstrip("%")) for line in (best, last)]
    assert pytest.approx(100.0) == sum(wins)
    assert wins[0] > 80.0
