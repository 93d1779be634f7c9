"""The Python layer's additions: a table in the terminal, stored tokens, tournaments with a progress bar.

Run by `make test-clients`, which generates the client.
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
    """The result of a command."""

    status: int
    stdout: str
    stderr: str


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the file of the commands' tokens."""
    monkeypatch.setenv("AZUL_GAMES_TOKENS", str(tmp_path / "tokens.json"))
    return tmp_path / "tokens.json"


@pytest.fixture
def run(
    limited_stack: Stack, tokens: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Run]:
    """Return a function that runs a command of `azul_games` in this process with some input."""
    monkeypatch.setattr(
        "azul_games.terminal.Service", partial(Service, tokens=tokens)
    )  # the default is evaluated at import

    def run(*arguments: str, typed: str = "") -> Run:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return Run(main(["--url", limited_stack.url, *arguments]), *capsys.readouterr())

    return run


def program(*arguments: str, typed: str = "") -> Run:
    """Run a Python program with this input."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=HANG_S)
    return Run(done.returncode, done.stdout, done.stderr)


def stored_tokens(tokens: Path, stack: Stack) -> dict[str, Any]:
    """Return the stored tokens of the service's games."""
    return dict(json.loads(tokens.read_text())[stack.url]["games"])


@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_a_game_is_played_in_the_terminal_with_piped_numbers(limited_stack: Stack, tokens: Path, ruleset: str) -> None:
    command = ["-m", "azul_games", "--url", limited_stack.url, "play", ruleset, "--level", "random", "--name", "Ana"]
    done = program(*command, typed="2\n2\n1\n" * 2_000)
    assert (0, "") == (done.status, done.stderr), done.stdout[-3_000:]
    (game,) = stored_tokens(tokens, limited_stack)
    view = limited_stack.get(f"/games/{game}").json()
    assert ("finished", ruleset) == (view["status"], view["ruleset"])
    scores = [f"seat {number} with {seat['score']} points" for number, seat in enumerate(view["outcome"]["seats"])]
    assert all(score in done.stdout for score in scores)
    assert "<- to decide" in done.stdout


def test_an_interrupted_game_is_resumed_with_the_stored_token(
    limited_stack: Stack, tokens: Path, run: Callable[..., Run]
) -> None:
    """Only its owner can read the file."""
    left = run("play", "azul", "--level", "random", typed="9999\n1\nq\n")
    assert 1 == left.status
    assert "please" in left.stdout
    (game,) = stored_tokens(tokens, limited_stack)
    assert f"play --game={game}" in left.stdout
    assert 0o600 == tokens.stat().st_mode & 0o777
    assert 0 == run("play", f"--game={game}", typed="1\n" * 2_000).status
    assert "finished" == limited_stack.get(f"/games/{game}").json()["status"]


def test_a_hint_comes_from_the_service(run: Callable[..., Run]) -> None:
    left = run("play", "azul", typed="h\nq\n")
    assert 1 == left.status
    assert "(lead " in left.stdout


def test_rulesets_and_levels_are_listed(limited_stack: Stack, run: Callable[..., Run]) -> None:
    for what in ("rulesets", "levels"):
        known = [each["id"] for each in limited_stack.get(f"/{what}").json()[what]]
        assert known == [line.split()[0] for line in run(what).stdout.splitlines()]


def test_a_missing_game_is_reported_in_one_line(run: Callable[..., Run]) -> None:
    gone = run("play", "--game=nosuchgame")
    assert (1, 1) == (gone.status, len(gone.stderr.splitlines()))
    assert gone.stderr.startswith("game/not_found: ")


def test_a_hundred_games_between_two_levels_end_in_a_table(limited_stack: Stack) -> None:
    command = [str(EXAMPLES / "hundred_games.py"), "greedy", "random", "--url", limited_stack.url]
    done = program(*command)
    assert 0 == done.status, done.stderr
    assert "100/100" in done.stderr  # the bar
    heading, best, last = done.stdout.splitlines()
    assert ["games", "wins"] == heading.split()[:2]
    assert [["greedy", "100"], ["random", "100"]] == [line.split()[:2] for line in (best, last)]
    wins = [float(line.split()[2].rstrip("%")) for line in (best, last)]
    assert pytest.approx(100.0) == sum(wins)
    assert wins[0] > 80.0
