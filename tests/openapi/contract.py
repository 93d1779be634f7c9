"""Check the document, with its unions and enums, by schemathesis against the live service.

All parts run: supervisor, valkey, gunicorn, workers and keeper.

    python -m tests.openapi.contract [--examples 40] [--seed 1] [--phases examples,coverage,fuzzing,stateful] [--quick]

Real games and their tokens get requests beyond 404. Each ruleset has a pass: a running game, asked by the seat to
decide. The last ruleset has three more: an open game, asked by its host; a game with a clock, asked by a player with
several seats; and a finished game, whose stream ends. Operations that would end the token or the game are excluded.

`--quick` has one ruleset and one coverage phase for each operation: in the running game for operations of a game, and
as the player for all others. It skips the open game, and the coverage phase of operations that take a whole position,
because tests/fuzz sends such bodies. The exit status is the number of passes with findings.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests

from openapi import build
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.web.docs.document import build_all
from service.web.docs.growth import exact
from tests.e2e.stack import Stack
from tests.patience import HANG_S
from tests.web.game_records import long_record

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_headers_conformance,response_schema_conformance"
)


ENDS = (
    *("resignGame", "abortGame", "transferSeat", "rotateToken", "rotateMyToken", "deleteMyToken", "deleteMe"),
    *("endAnalysis", "endTournament", "deleteWebhook"),
)
STREAMS = (
    *("streamEvents", "streamTournament", "streamMyEvents", "streamMyChallenges", "streamCompetition", "streamSeek"),
)
TOO_LARGE = ("getOpenapiYaml",)
"""schemathesis cuts a response after 1 MiB, and a thread of it ends when it cannot read the rest as YAML."""
WITH_A_POSITION = ("importGame", "createGame", "analysePosition", "checkPosition")
NOT_COVERED = "phases = { coverage = { enabled = false } }\n"
QUICK = "".join(f'[[operations]]\ninclude-operation-id = "{name}"\n{NOT_COVERED}' for name in WITH_A_POSITION)
QUICK += '[phases.coverage]\nunexpected-methods = ["PUT"]\n'
OF_NO_GAME = f'[[operations]]\ninclude-path-regex = "game_id"\n{NOT_COVERED}'
"""Exclude operations of games from the coverage phase."""


def new_game(
    url: str, ruleset: Ruleset, *kinds: str, token: str | None = None, **more: Any
) -> tuple[str, dict[str, Any]]:
    """Create a public game. Return its id and tokens."""
    seats = [{"kind": kind} for kind in kinds]
    game = {"ruleset": ruleset.id, "variant": ruleset.variants[-1], "seats": seats, "first_seat": 0, **more}
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    made = requests.post(
        f"{url}/v1/games", json={**game, "visibility": "public"}, headers=headers, timeout=HANG_S
    ).json()
    return made["game"]["id"], made["tokens"]


def new_player_with_two_seats(url: str, ruleset: Ruleset) -> tuple[str, str]:
    """Create a game of three with a clock. Return it and the token of the player with two seats."""
    token = requests.post(f"{url}/v1/players", json={"name": "Ana"}, timeout=HANG_S).json()["token"]
    clock = {"turn_s": 3600, "bank_s": 60}
    game, _ = new_game(url, ruleset, "player", "open", "player", token=token, clock=clock)
    bearer = {"Authorization": f"Bearer {token}"}
    requests.post(f"{url}/v1/games/{game}/seats", json={}, headers=bearer, timeout=HANG_S).raise_for_status()
    return game, token


def new_tasks(url: str, ruleset: Ruleset) -> str:
    """Create an analysis, a tournament and an import. Return them as configuration of schemathesis."""
    side = {"ruleset": ruleset.id, "variant": ruleset.variants[0]}
    game, _ = new_game(url, ruleset, "player", "player")
    position = requests.get(f"{url}/v1/games/{game}", timeout=HANG_S).json()["position"]
    tournament = {**side, "levels": ["greedy", "random"], "deals": 1}
    requests_by_kind = {
        "analyses": ("analyses", {"position": position}),
        "tournaments": ("tournaments", tournament),
        "imports": ("games/import", long_record()),
    }
    ids = {
        kind: requests.post(f"{url}/v1/{path}", json=body, timeout=HANG_S).json()["id"]
        for kind, (path, body) in requests_by_kind.items()
    }
    return "".join(
        f'[[operations]]\ninclude-path-regex = "^/v1/{kind}/"\nparameters = {{ "path.task_id" = "{task_id}" }}\n'
        for kind, task_id in ids.items()
    )


def new_webhook(url: str, token: str) -> str:
    """Create a webhook of the token's player. Return its id, or a missing id if the token is a game's."""
    bearer = {"Authorization": f"Bearer {token}"}
    body = {"url": "https://bot.example/"}
    made = requests.post(f"{url}/v1/me/webhooks", json=body, headers=bearer, timeout=HANG_S).json()
    return str(made["webhook"]["id"]) if "webhook" in made else "A" * 16


def exclude(*operations: str) -> list[str]:
    return [option for operation in operations for option in ("--exclude-operation-id", operation)]


@dataclass(frozen=True)
class Explorer:
    """The common settings of all passes."""

    url: str
    work_dir: str
    options: list[str]
    more: str
    """Further configuration."""

    def explore(self, ruleset: Ruleset, game_id: str, token: str, *options: str, more: str = "") -> bool:
        """Run one pass of schemathesis. Return whether it had findings."""
        config = Path(self.work_dir) / "schemathesis.toml"
        bearer = json.dumps(f"Bearer {token}")
        config.write_text(
            f'[parameters]\n"path.game_id" = {json.dumps(game_id)}\n"path.ruleset_id" = "{ruleset.id}"\n'
            f'"query.wait" = 1\n"path.revision" = 1\n"path.seat" = 0\n"path.offer" = 5\n'
            f'"path.webhook_id" = "{new_webhook(self.url, token)}"\n'
            f"[headers]\nAuthorization = {bearer}\n{new_tasks(self.url, ruleset)}{self.more}{more}",
            "utf-8",
        )
        document = Path(self.work_dir) / "exact.json"
        document.write_text(json.dumps(exact(build.document(build_all))))
        command = [str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(config), "run"]
        command += [str(document), "--url", self.url]
        command += ["--checks", CHECKS, "--request-timeout", str(HANG_S), "--no-color"]
        command += [*exclude(*TOO_LARGE), *self.options, *options]
        ended = subprocess.run(command, cwd=self.work_dir, check=False, stderr=subprocess.PIPE, text=True)
        sys.stderr.write(ended.stderr)
        return ended.returncode != 0 or "Exception in thread" in ended.stderr  # such a thread skips the rest


OF_GAME = ("--include-path-regex", "game_id")


def passes(explorer: Explorer, phases: str, *, quick: bool) -> Iterator[bool]:
    """Run every pass. Yield for each whether it had findings."""
    url, all_phases = explorer.url, ("--phases", phases)
    playing = [*all_phases, *exclude(*STREAMS, *ENDS)]
    for number, ruleset in enumerate([*RULESETS.values()][: 1 if quick else None]):
        game, tokens = new_game(url, ruleset, "player", "player")
        selection = OF_GAME if number or quick else ()  # operations without a game are explored once
        yield explorer.explore(ruleset, game, tokens["seats"]["0"], *playing, *selection)
    if not quick:
        game, tokens = new_game(url, ruleset, "player", "open")
        yield explorer.explore(ruleset, game, tokens["host"], *all_phases, *exclude(*STREAMS, "rotateToken"), *OF_GAME)
    game, token = new_player_with_two_seats(url, ruleset)
    selection = () if quick else ("--include-path-regex", "game_id|/me|/players")
    yield explorer.explore(ruleset, game, token, *playing, *selection, more=OF_NO_GAME * quick)
    game, tokens = new_game(url, ruleset, "player", "player")
    bearer = {"Authorization": f"Bearer {tokens['host']}"}
    requests.post(f"{url}/v1/games/{game}/abort", headers=bearer, timeout=HANG_S).raise_for_status()
    again = phases.replace("coverage,", "") if quick else phases
    yield explorer.explore(ruleset, game, tokens["host"], "--phases", again, *OF_GAME)


def main() -> int:
    """Explore a new service. Return the number of passes with findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", default="40")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--phases", default="examples,coverage,fuzzing")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    processes = {"WORKERS": "1", "WEB_WORKERS": "1", "DIALERS": "1"}
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder), OUTGOING="on", **processes) as stack:
        common = ["--max-examples", options.examples, "--seed", options.seed]
        explorer = Explorer(stack.url, folder, common, QUICK if options.quick else "")
        found = sum(passes(explorer, options.phases, quick=options.quick))
        if found:
            print(stack.output.read_text()[-8_000:])  # the log of the service
    return found


if __name__ == "__main__":
    sys.exit(main())
