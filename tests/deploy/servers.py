"""Servers of Redis with configurations of their own, and whole games over the service that they carry."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis
import trustme
from redis.exceptions import ConnectionError as AwayError

from tests.e2e.stack import Service
from tests.e2e.test_games import play_to_the_end
from tests.patience import until


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
    """A game of two AIs and a person to its end: the game."""
    service = Service(api)
    seats = [{"kind": "player"}, {"kind": "ai", "level": "greedy"}, {"kind": "ai", "level": "random"}]
    created = service.create(ruleset="azul", variant="coloured", seats=seats)
    return play_to_the_end(service, created, random.Random(1))


def certified(folder: Path) -> Path:
    """Put a certificate of 127.0.0.1 and its key into a folder, as certbot names them. Return its authority's."""
    authority, ca = trustme.CA(), folder / "ca.pem"
    authority.cert_pem.write_to_path(str(ca))
    issued = authority.issue_cert("127.0.0.1")
    issued.private_key_and_cert_chain_pem.write_to_path(str(folder / "fullchain.pem"))
    issued.private_key_pem.write_to_path(str(folder / "privkey.pem"))
    return ca
