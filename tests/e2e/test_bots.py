"""Material for authors of bots: the copied template and the MCP player work unchanged."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.e2e.stack import ROOT, Stack, bearer
from tests.patience import HANG_S, wait_until

BOTS = ROOT / "openapi" / "clients" / "bots"
CLEAN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
"""An environment without this repository and pytest's plugins."""
CLEAN["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """Create a bot's repository as in docs/tutorials/first-bot.md."""
    folder = tmp_path / "my-bot"
    shutil.copytree(BOTS / "template", folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(BOTS / "poll.py", folder)
    return folder


def test_the_template_has_no_dependencies_and_its_tests_pass(bot: Path) -> None:
    project = tomllib.loads((bot / "pyproject.toml").read_text("utf-8"))
    assert [] == project["project"]["dependencies"]
    modules = {f"{name}.py" for name in project["tool"]["setuptools"]["py-modules"]}
    assert modules == {path.name for path in bot.glob("*.py")} - {"test_bot.py"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    result = subprocess.run(command, cwd=bot, env=CLEAN, capture_output=True, text=True, check=False, timeout=HANG_S)
    assert 0 == result.returncode, result.stdout
    assert "3 passed" in result.stdout


@pytest.mark.nightly
def test_the_template_plays_against_random_to_the_end(stack: Stack, bot: Path) -> None:
    seats = [{"kind": "open"}, {"kind": "ai", "level": "random"}]
    made = stack.create(ruleset="azul", variant="coloured", seats=seats, visibility="private")
    game = made["game"]["id"]
    command = [sys.executable, "bot.py", stack.url, game, made["tokens"]["invite"]]
    log = bot / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=bot, env=CLEAN, stdout=output, stderr=subprocess.STDOUT)
    try:
        view = stack.played_by(process, made)
        assert ("finished", None) == (view["status"], process.poll()), log.read_text()
        assert ["active", "active"] == [seat["status"] for seat in view["seats"]]
        stack.give_turn((bot / "bot-token.txt").read_text())
        line = f"{game} azul {' '.join(str(seat['score']) for seat in view['seats'])}"
        wait_until(lambda: line in log.read_text().splitlines(), "a line for the game")
    finally:
        process.kill()
        process.wait()


def test_the_template_plays_in_the_arena(bot: Path) -> None:
    program = f"program:{sys.executable} {bot / 'bot.py'}"
    results = bot / "games.jsonl"
    tool = [sys.executable, "-m", "research.matches", "azul", "--deals", "1", "--jobs", "1", "--results", str(results)]
    command = [*tool, "--players", program, "random"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=HANG_S)
    assert 0 == result.returncode, result.stderr
    _, *games = map(json.loads, results.read_text().splitlines())
    assert [None, None] == [game["failed"] for game in games]


def test_the_player_over_mcp_plays_a_game(stack: Stack) -> None:
    """It plays as the player of the token in the environment."""
    token = stack.new_player()
    command = [sys.executable, str(BOTS / "model.py"), stack.url]
    environment = {**os.environ, "AZUL_GAMES_PLAYER_TOKEN": token}
    result = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=HANG_S
    )
    assert 0 == result.returncode, result.stderr
    assert "finished" in result.stdout
    assert {"Rank 1:", "Rank 2:"} <= {line[:7] for line in result.stdout.splitlines()} or result.stdout.count(
        "Rank 1:"
    ) == 2
    assert 1 == len(stack.get("/me/games", headers=bearer(token)).json()["games"])
