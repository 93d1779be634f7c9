"""What is given to those who write bots plays as it stands: the template, copied, and the player over MCP."""

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
from tests.patience import HANG_S, until

BOTS = ROOT / "openapi" / "clients" / "bots"
CLEAN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
"""The environment of somebody who has nothing of this repository, nor of pytest's plugins."""
CLEAN["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot's repository, created as in docs/tutorials/first-bot.md."""
    folder = tmp_path / "my-bot"
    shutil.copytree(BOTS / "template", folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(BOTS / "poll.py", folder)
    return folder


def test_the_template_needs_nothing_and_its_own_tests_pass(bot: Path) -> None:
    project = tomllib.loads((bot / "pyproject.toml").read_text("utf-8"))
    assert [] == project["project"]["dependencies"]
    modules = {f"{name}.py" for name in project["tool"]["setuptools"]["py-modules"]}
    assert modules == {path.name for path in bot.glob("*.py")} - {"test_bot.py"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(command, cwd=bot, env=CLEAN, capture_output=True, text=True, check=False, timeout=HANG_S)
    assert 0 == ran.returncode, ran.stdout
    assert "3 passed" in ran.stdout


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
        until(lambda: line in log.read_text().splitlines(), "a line for the game")
    finally:
        process.kill()
        process.wait()


def test_the_template_plays_in_the_arena(bot: Path) -> None:
    program = f"program:{sys.executable} {bot / 'bot.py'}"
    kept = bot / "games.jsonl"
    tool = [sys.executable, "-m", "research.matches", "azul", "--deals", "1", "--jobs", "1", "--results", str(kept)]
    command = [*tool, "--players", program, "random"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=HANG_S)
    assert 0 == ran.returncode, ran.stderr
    _, *games = map(json.loads, kept.read_text().splitlines())
    assert [None, None] == [game["failed"] for game in games]


def test_the_player_over_mcp_plays_a_game(stack: Stack) -> None:
    """It is the player whose token the environment holds."""
    token = stack.new_player()
    command = [sys.executable, str(BOTS / "model.py"), stack.url]
    known = {**os.environ, "AZUL_GAMES_PLAYER_TOKEN": token}
    ran = subprocess.run(command, cwd=ROOT, env=known, capture_output=True, text=True, check=False, timeout=HANG_S)
    assert 0 == ran.returncode, ran.stderr
    assert "finished" in ran.stdout
    assert {"Rank 1:", "Rank 2:"} <= {line[:7] for line in ran.stdout.splitlines()} or ran.stdout.count("Rank 1:") == 2
    assert 1 == len(stack.get("/me/games", headers=bearer(token)).json()["games"])
