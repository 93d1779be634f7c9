"""The document is true: schemathesis against the live service (supervisor, valkey, gunicorn, workers, keeper).

    python -m tests.openapi.contract [--examples 40] [--seed 1]

A real game and its tokens are given to it, so that it gets beyond 404. Three passes: a game that is being played,
asked by the seat to decide; an open one, asked by its host; and a finished one, whose stream ends. Exits with the
number of passes that found something.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import requests

from tests.e2e.stack import Stack

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_headers_conformance,response_schema_conformance"
)


def new_game(url: str, *kinds: str) -> tuple[str, dict[str, Any]]:
    """The id and tokens of a fresh public game."""
    seats = [{"kind": kind} for kind in kinds]
    body = {"ruleset": "azul", "variant": "grey", "seats": seats, "first_seat": 0, "visibility": "public"}
    made = requests.post(f"{url}/v1/games", json=body, timeout=30).json()
    return made["game"]["id"], made["tokens"]


def explore(url: str, game_id: str, token: str, options: list[str], work_dir: str) -> int:
    """One pass of schemathesis; its exit status."""
    config = Path(work_dir) / "schemathesis.toml"
    config.write_text(
        f'[parameters]\n"path.game_id" = {json.dumps(game_id)}\n"path.ruleset_id" = "azul"\n'
        f'"query.wait" = 1\n"path.revision" = 1\n'
        f"[headers]\nAuthorization = {json.dumps(f'Bearer {token}')}\n",
        "utf-8",
    )
    command = [str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(config), "run"]
    command += [f"{url}/v1/openapi.json", "--checks", CHECKS, "--request-timeout", "10", "--no-color", *options]
    return subprocess.run(command, cwd=work_dir, check=False).returncode


def main() -> int:
    """Every pass; how many found something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", default="40")
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    common = ["--max-examples", given.examples, "--seed", given.seed, "--phases", "examples,coverage,fuzzing"]
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder), WORKERS="1") as stack:
        url = stack.url
        playing, tokens = new_game(url, "player", "player")
        opened, host = new_game(url, "player", "open")
        finished, _ = new_game(url, "player", "player")
        bearer = {"Authorization": f"Bearer {_['host']}"}
        requests.post(f"{url}/v1/games/{finished}/abort", headers=bearer, timeout=30).raise_for_status()
        no_end = ["--exclude-operation-id", "streamEvents"]
        ends = ["--exclude-operation-id", "resign", "--exclude-operation-id", "abort"]
        of_game = ["--include-path-regex", "game_id"]
        statuses = [
            explore(url, playing, tokens["seats"]["0"], [*common, *no_end, *ends], folder),
            explore(url, opened, host["host"], [*common, *no_end, *of_game], folder),
            explore(url, finished, bearer["Authorization"][7:], [*common, *of_game], folder),
        ]
        found = sum(status != 0 for status in statuses)
        if found:
            print(stack.output.read_text()[-8_000:])  # what the service says of it
    return found


if __name__ == "__main__":
    sys.exit(main())
