"""A whole bot that needs no address of its own: `python poll.py http://127.0.0.1:8000 [GAME [INVITE]]`.

It becomes a player, claims a seat of GAME (a private game wants its invite token), and then decides wherever it is
waited for, in any number of games at once; of each that is over it prints a line. Its token is kept in bot-token.txt.
Needs Python 3.10 and nothing else.
"""

import json
import random
import sys
import time
from pathlib import Path
from typing import Any
from urllib import error, request

TOKEN = Path("bot-token.txt")


def choose(_position: Any, _seat: int, actions: list[Any]) -> Any:
    """Here goes your strength: what lies on the table, which seat is yours, and all that is legal."""
    return random.choice(actions)


def ask(url: str, token: str | None = None, body: Any = None) -> Any:
    """The answer's JSON, None where the game has moved on; what the service is too busy for is asked again."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    sent = request.Request(url, None if body is None else json.dumps(body).encode(), headers)
    while True:
        try:
            with request.urlopen(sent, timeout=60) as answer:
                return json.load(answer)
        except error.HTTPError as refusal:
            if refusal.code in (409, 412):
                return None
            if refusal.code not in (429, 503):
                sys.exit(refusal.read().decode())
            time.sleep(int(refusal.headers.get("Retry-After", 1)))
        except OSError:
            time.sleep(1)


def main(url: str, game: str | None = None, invite: str | None = None, decide: Any = choose) -> None:
    """Play for ever."""
    api, playing = f"{url}/v1", set()
    if not TOKEN.exists():
        TOKEN.touch(0o600)
        TOKEN.write_text(ask(f"{api}/players", body={"name": "Polly", "bot": True})["token"])
    token = TOKEN.read_text()
    if game:
        ask(f"{api}/games/{game}/seats", token, {"token": invite})
    while True:
        for waiting in ask(f"{api}/me/turns?wait=25", token)["games"]:
            here = f"{api}/games/{waiting['id']}"
            playing.add(waiting["id"])
            legal, now = ask(f"{here}/actions", token), ask(here, token)
            if legal["actions"] and legal["revision"] == now["revision"]:
                chosen = decide(now["position"], legal["seat"], legal["actions"])
                ask(f"{here}/actions", token, {"id": chosen["id"], "revision": legal["revision"]})
        for over in ask(f"{api}/me/games?status=finished", token)["games"] if playing else []:
            if over["id"] in playing:
                playing.remove(over["id"])
                print(over["id"], over["ruleset"], *(seat["score"] for seat in over["seats"]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
