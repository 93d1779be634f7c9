"""The document is true: schemathesis against the live service (supervisor, valkey, gunicorn, workers, keeper).

    python -m tests.openapi.contract [--examples 40] [--seed 1] [--phases examples,coverage,fuzzing,stateful] [--quick]

Real games and their tokens are given to it, so that it gets beyond 404. A pass for each ruleset: a game that is being
played, asked by the seat to decide. Then, of the last of them, an open game, asked by its host; one with a clock, asked
by a player who has several seats in it; and a finished one, whose stream ends. What would take the caller's token away
or end the game is left out where nothing would be left to explore. `--quick` has one ruleset and one coverage phase for
each operation: that of a game in the game that is being played, any other as the player. It leaves out the open game,
and that phase of what takes a whole position: thousands of bodies each, of the kind that tests/fuzz sends. It exits
with the number of passes that found something.
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

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.e2e.stack import Stack
from tests.patience import HANG_S
from tests.web.recorded import long_record

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_headers_conformance,response_schema_conformance"
)


ENDS = (
    "resignGame",
    "abortGame",
    "transferSeat",
    "rotateToken",
    "rotateMyToken",
    "deleteMyToken",
    "deleteMe",
    "endAnalysis",
    "endTournament",
    "deleteWebhook",
)


WITH_A_POSITION = ("importGame", "createGame", "analysePosition", "checkPosition")
NOT_COVERED = "phases = { coverage = { enabled = false } }\n"
QUICK = "".join(f'[[operations]]\ninclude-operation-id = "{name}"\n{NOT_COVERED}' for name in WITH_A_POSITION)
QUICK += '[phases.coverage]\nunexpected-methods = ["PUT"]\n'
OF_NO_GAME = f'[[operations]]\ninclude-path-regex = "game_id"\n{NOT_COVERED}'
"""Has the coverage phase leave out what is of a game."""


def new_game(
    url: str, ruleset: Ruleset, *kinds: str, token: str | None = None, **more: Any
) -> tuple[str, dict[str, Any]]:
    """The id and tokens of a fresh public game."""
    seats = [{"kind": kind} for kind in kinds]
    game = {"ruleset": ruleset.id, "variant": ruleset.variants[-1], "seats": seats, "first_seat": 0, **more}
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    made = requests.post(
        f"{url}/v1/games", json={**game, "visibility": "public"}, headers=headers, timeout=HANG_S
    ).json()
    return made["game"]["id"], made["tokens"]


def new_player_with_two_seats(url: str, ruleset: Ruleset) -> tuple[str, str]:
    """A game of three with a clock, and the token of the player who has two seats of it."""
    token = requests.post(f"{url}/v1/players", json={"name": "Ana"}, timeout=HANG_S).json()["token"]
    clock = {"turn_s": 3600, "bank_s": 60}
    game, _ = new_game(url, ruleset, "player", "open", "player", token=token, clock=clock)
    bearer = {"Authorization": f"Bearer {token}"}
    requests.post(f"{url}/v1/games/{game}/seats", json={}, headers=bearer, timeout=HANG_S).raise_for_status()
    return game, token


def new_tasks(url: str, ruleset: Ruleset) -> str:
    """An analysis, a tournament and an import, as a configuration of schemathesis names them."""
    side = {"ruleset": ruleset.id, "variant": ruleset.variants[0]}
    game, _ = new_game(url, ruleset, "player", "player")
    position = requests.get(f"{url}/v1/games/{game}", timeout=HANG_S).json()["position"]
    tournament = {**side, "levels": ["greedy", "random"], "deals": 1}
    asked = {
        "analyses": ("analyses", {"position": position}),
        "tournaments": ("tournaments", tournament),
        "imports": ("games/import", long_record()),
    }
    ids = {
        kind: requests.post(f"{url}/v1/{path}", json=body, timeout=HANG_S).json()["id"]
        for kind, (path, body) in asked.items()
    }
    return "".join(
        f'[[operations]]\ninclude-path-regex = "^/v1/{kind}/"\nparameters = {{ "path.task_id" = "{task_id}" }}\n'
        for kind, task_id in ids.items()
    )


def new_webhook(url: str, token: str) -> str:
    """The id of a webhook of the player whose token it is; of none, where it is a game's."""
    bearer = {"Authorization": f"Bearer {token}"}
    body = {"url": "https://bot.example/"}
    made = requests.post(f"{url}/v1/me/webhooks", json=body, headers=bearer, timeout=HANG_S).json()
    return str(made["webhook"]["id"]) if "webhook" in made else "A" * 16


def explore(
    url: str, ruleset: Ruleset, game_id: str, token: str, options: list[str], work_dir: str, more: str = ""
) -> int:
    """One pass of schemathesis, with `more` in its configuration; its exit status."""
    config = Path(work_dir) / "schemathesis.toml"
    config.write_text(
        f'[parameters]\n"path.game_id" = {json.dumps(game_id)}\n"path.ruleset_id" = "{ruleset.id}"\n'
        f'"query.wait" = 1\n"path.revision" = 1\n"path.seat" = 0\n"path.offer" = 5\n'
        f'"path.webhook_id" = "{new_webhook(url, token)}"\n'
        f"[headers]\nAuthorization = {json.dumps(f'Bearer {token}')}\n{new_tasks(url, ruleset)}{more}",
        "utf-8",
    )
    command = [str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(config), "run"]
    command += [f"{url}/v1/openapi.json", "--checks", CHECKS, "--request-timeout", str(HANG_S), "--no-color", *options]
    return subprocess.run(command, cwd=work_dir, check=False).returncode


def main() -> int:
    """Every pass; how many found something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", default="40")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--phases", default="examples,coverage,fuzzing")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    more, rulesets = (QUICK, [*RULESETS.values()][:1]) if given.quick else ("", [*RULESETS.values()])
    common = ["--max-examples", given.examples, "--seed", given.seed]
    phases = ["--phases", given.phases]
    again = ["--phases", given.phases.replace("coverage,", "")] if given.quick else phases
    processes = {"WORKERS": "1", "WEB_WORKERS": "1", "DIALERS": "1"}
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder), OUTGOING="on", **processes) as stack:
        url = stack.url
        no_end = [
            part
            for name in ("streamEvents", "streamTournament", "streamMyChallenges", "streamCompetition", "streamSeek")
            for part in ("--exclude-operation-id", name)
        ]
        ends = [option for operation in ENDS for option in ("--exclude-operation-id", operation)]
        of_game = ["--include-path-regex", "game_id"]
        statuses: list[int] = []
        for ruleset in rulesets:
            game, tokens = new_game(url, ruleset, "player", "player")
            which = of_game if statuses or given.quick else []  # what is of no game is explored once
            options = [*common, *phases, *no_end, *ends, *which]
            statuses.append(explore(url, ruleset, game, tokens["seats"]["0"], options, folder, more))
        if not given.quick:
            game, tokens = new_game(url, ruleset, "player", "open")
            options = [*common, *phases, *no_end, "--exclude-operation-id", "rotateToken", *of_game]
            statuses.append(explore(url, ruleset, game, tokens["host"], options, folder))
        game, token = new_player_with_two_seats(url, ruleset)
        which = [] if given.quick else ["--include-path-regex", "game_id|/me|/players"]
        options = [*common, *phases, *no_end, *ends, *which]
        statuses.append(explore(url, ruleset, game, token, options, folder, more + OF_NO_GAME * given.quick))
        game, tokens = new_game(url, ruleset, "player", "player")
        bearer = {"Authorization": f"Bearer {tokens['host']}"}
        requests.post(f"{url}/v1/games/{game}/abort", headers=bearer, timeout=HANG_S).raise_for_status()
        statuses.append(explore(url, ruleset, game, tokens["host"], [*common, *again, *of_game], folder, more))
        results = sum(status != 0 for status in statuses)
        if results:
            print(stack.output.read_text()[-8_000:])  # what the service says of it
    return results


if __name__ == "__main__":
    sys.exit(main())
