"""Servers of Redis with configurations of their own, and whole games over the service that they carry."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis
import requests
from redis.exceptions import ConnectionError as AwayError

from tests.patience import HANG_S, until


@contextmanager
def server(command: list[str], folder: Path, client: redis.Redis, environment: Mapping[str, str]) -> Iterator[None]:
    """A server, its output in a file of the folder, until the block ends; it has answered the client's PING."""
    with (folder / "server.log").open("wb") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT, cwd=folder)
    try:

        def answers() -> bool:
            assert process.poll() is None, (folder / "server.log").read_text()
            try:
                return bool(client.ping())
            except AwayError:
                return False

        until(answers, "the server answers")
        yield
    finally:
        process.terminate()
        process.wait()


def play_a_game(api: str) -> dict[str, Any]:
    """A game of two AIs and a person, who takes the first legal action each time, to its end: the game."""
    seats = [{"kind": "player"}, {"kind": "ai", "level": "greedy"}, {"kind": "ai", "level": "random"}]
    body = {"ruleset": "azul", "variant": "coloured", "seats": seats}
    created = requests.post(f"{api}/games", json=body, timeout=HANG_S)
    assert created.status_code == requests.codes.created, created.text
    game: dict[str, Any] = created.json()["game"]
    path, token = f"{api}/games/{game['id']}", created.json()["tokens"]["seats"]["0"]
    while game["status"] == "playing":
        if game["to_decide"] != 0:
            etag = {"If-None-Match": f'"{game["revision"]}"'}
            answer = requests.get(f"{path}?wait=30", headers=etag, timeout=HANG_S)
            game = answer.json() if answer.status_code == requests.codes.ok else game
            continue
        legal = requests.get(f"{path}/actions", timeout=HANG_S).json()
        body = {"id": legal["actions"][0]["id"], "revision": legal["revision"]}
        answer = requests.post(
            f"{path}/actions", json=body, headers={"Authorization": f"Bearer {token}"}, timeout=HANG_S
        )
        assert answer.status_code == requests.codes.created, answer.text
        game = answer.json()["game"]
    return game
