"""Redis servers with special configurations, and whole games on a service that uses them."""

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
from tests.patience import wait_until


@contextmanager
def server(command: list[str], folder: Path, client: redis.Redis, environment: Mapping[str, str]) -> Iterator[None]:
    """Run a server with its output in a file of the folder until the block ends. It has answered a PING."""
    with (folder / "server.log").open("wb") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT, cwd=folder)
    try:

        def is_ready() -> bool:
            assert process.poll() is None, (folder / "server.log").read_text()
            try:
                return bool(client.ping())
            except AwayError:
                return False

        wait_until(is_ready, "the server is ready")
        yield
    finally:
        process.terminate()
        process.wait()


def play_a_game(api: str) -> dict[str, Any]:
    """Play a game of two AIs and a person to its end and return it."""
    service = Service(api)
    seats = [{"kind": "player"}, {"kind": "ai", "level": "greedy"}, {"kind": "ai", "level": "random"}]
    created = service.create(ruleset="azul", variant="coloured", seats=seats)
    return play_to_the_end(service, created, random.Random(1))


def write_certificate(folder: Path) -> Path:
    """Write a certificate of 127.0.0.1 and its key with the names of certbot. Return the path of its authority."""
    authority, ca = trustme.CA(), folder / "ca.pem"
    authority.cert_pem.write_to_path(str(ca))
    issued = authority.issue_cert("127.0.0.1")
    issued.private_key_and_cert_chain_pem.write_to_path(str(folder / "fullchain.pem"))
    issued.private_key_pem.write_to_path(str(folder / "privkey.pem"))
    return ca
