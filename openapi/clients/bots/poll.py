"""A complete bot that polls the service: `python poll.py http://127.0.0.1:8000 [GAME [INVITE]]`.

It creates a player, claims a seat of GAME (a private game needs the invite token) and then plays all its games at the
same time. It prints a line for each finished game and stores its token in bot-token.txt. It needs only Python 3.10.
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
    """Return one of the legal actions. Replace this with your strategy."""
    return random.choice(actions)


def call(url: str, token: str | None = None, body: Any = None) -> Any:
    """Return the JSON of the response, or None if the game has moved on. Retry while the service is busy."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    prepared = request.Request(url, None if body is None else json.dumps(body).encode(), headers)
    while True:
        try:
            with request.urlopen(prepared, timeout=60) as response:
                return json.load(response)
        except error.HTTPError as failure:
            if failure.code in (409, 412):
                return None
            if failure.code not in (429, 503):
                sys.exit(failure.read().decode())
            time.sleep(int(failure.headers.get("Retry-After", 1)))
        except OSError:
            time.sleep(1)


def main(url: str, game: str | None = None, invite: str | None = None, decide: Any = choose) -> None:
    """Play until the process is stopped."""
    api, playing = f"{url}/v1", set()
    if not TOKEN.exists():
        TOKEN.touch(0o600)
        TOKEN.write_text(call(f"{api}/players", body={"name": "Polly", "bot": True})["token"])
    token = TOKEN.read_text()
    if game:
        call(f"{api}/games/{game}/seats", token, {"token": invite})
    while True:
        for waiting in call(f"{api}/me/turns?wait=25", token)["games"]:
            game_url = f"{api}/games/{waiting['id']}"
            playing.add(waiting["id"])
            legal, view = call(f"{game_url}/actions", token), call(game_url, token)
            if legal["actions"] and legal["revision"] == view["revision"]:
                chosen = decide(view["position"], legal["seat"], legal["actions"])
                call(f"{game_url}/actions", token, {"id": chosen["id"], "revision": legal["revision"]})
        for finished in call(f"{api}/me/games?status=finished", token)["games"] if playing else []:
            if finished["id"] in playing:
                playing.remove(finished["id"])
                print(finished["id"], finished["ruleset"], *(seat["score"] for seat in finished["seats"]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
