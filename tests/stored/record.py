"""`python -m tests.stored.record NAME`: play games with the present code and store all keys of Redis.

`NAME.json.gz` has every key (see `keys`) and the API's answers: views, histories, exports, tokens, and some requests
with their Idempotency-Key. `test_stored` reads all of it with later code. Only the public API is used, so that
this program survives changes of modules. Lifetimes are ten years, so that no game expires in the file.
"""

from __future__ import annotations

import functools
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from redis import Redis

from service.app import create_app
from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.settings import Settings
from tests import burst, keeping
from tests.stored import keys
from tests.web.client import Client, Json
from tests.workers.bots import failing, first_action, serving
from workers import jobs

FOLDER = Path(__file__).parent
TEN_YEARS_S = str(3650 * 86_400)
SETTINGS = {
    "OUTGOING": "loopback",
    **dict.fromkeys(("GAME_TTL_S", "FINISHED_TTL_S", "PLAYER_TTL_S", "TASK_TTL_S"), TEN_YEARS_S),
}
SEED = "07" * 32
CLOCK = {"turn_s": 86_400, "bank_s": 86_400}
PERSON = {"kind": "player", "name": "Ana"}
GREEDY = {"kind": "ai", "level": "greedy"}
MAX_DECISIONS = 500


class Recorder:
    """Plays over the API, with workers in its own process, and records the answers."""

    def __init__(self, client: Client, work: Callable[[], None]) -> None:
        self.client = client
        self.work = work
        self.games: list[Json] = []
        self.repeated: list[Json] = []
        self.tasks: list[Json] = []
        self.players: list[Json] = []
        self.webhooks: list[Json] = []

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str) -> Any:
        """Return the JSON of a successful answer."""
        given = {} if body is None else {"json": body}
        answer = self.client.with_token(token).send(method, f"/v1{path}", headers=headers, **given)
        assert answer.status_code < 300, answer.data
        return answer.json

    def new_player(self, name: str) -> str:
        """Create a player and return their token."""
        made = self.ask("POST", "/players", {"name": name})
        self.players.append({"token": made["token"], "player": made["player"]})
        return str(made["token"])

    def create(self, about: str, ruleset: str, *seats: Json, side: int = 0, by: str | None = None, **more: Any) -> Json:
        """Create a game: {about, id, tokens by role, seats: tokens by seat}."""
        body = {"ruleset": ruleset, "variant": RULESETS[ruleset].variants[side], "seats": list(seats), **more}
        made = self.ask("POST", "/games", body, by)
        self.work()
        results = {"about": about, "id": made["game"]["id"], "tokens": made["tokens"], "seats": made["tokens"]["seats"]}
        self.games.append(results)
        return results

    def view(self, game: Json) -> Json:
        """Return the game as its host sees it."""
        results: Json = self.ask("GET", f"/games/{game['id']}", token=self.host_of(game))
        return results

    @staticmethod
    def host_of(game: Json) -> str:
        """Return a token that can read the game."""
        return str(game["tokens"]["host"])

    def act(self, game: Json, pick: int = 0, **headers: str) -> Any:
        """Decide for the person whose turn it is, and for the AIs after it. Return the answer."""
        host = self.host_of(game)
        legal = self.ask("GET", f"/games/{game['id']}/actions?limit=50", token=host)
        chosen = legal["actions"][pick % len(legal["actions"])]
        body = {"id": chosen["id"], "revision": legal["revision"]}
        token = game["seats"][str(legal["seat"])]
        answer = self.ask("POST", f"/games/{game['id']}/actions", body, token, **headers)
        if "Idempotency_Key" in headers:
            path = f"/games/{game['id']}/actions"
            self.repeated.append({"path": path, "body": body, "token": token, "headers": headers, "answer": answer})
        self.work()
        return answer

    def play(self, game: Json, decisions: int = MAX_DECISIONS) -> None:
        """Play a number of decisions of people, or all."""
        for number in range(decisions):
            if self.view(game)["status"] != "playing":
                return
            self.act(game, 7 * number)

    def post(self, game: Json, operation: str, body: Json, seat: int) -> Any:
        """Send a request of a seat other than an action."""
        answer = self.ask("POST", f"/games/{game['id']}/{operation}", body, game["seats"][str(seat)])
        self.work()
        return answer

    def agree(self, game: Json, seat: int, *, accept: bool = True) -> Any:
        """Answer the only offer as this seat."""
        (offer,) = self.view(game)["offers"]
        return self.post(game, f"offers/{offer['id']}/answer", {"accept": accept}, seat)

    def final_answers(self) -> Json:
        """Return the final answers of the API."""
        for game in self.games:
            path, host = f"/games/{game['id']}", self.host_of(game)
            game["view"] = self.view(game)
            game["history"] = self.ask("GET", f"{path}/history?limit=500", token=host)
            game["export"] = self.ask("GET", f"{path}/export", token=host)
            game["messages"] = self.ask("GET", f"{path}/messages", token=host)["messages"]
        for task in self.tasks:
            task["answer"] = self.ask("GET", task["path"])
        for hook in self.webhooks:
            hook["answer"] = self.ask("GET", f"/me/webhooks/{hook['id']}", token=hook["token"])
            hook["deliveries"] = self.ask("GET", f"/me/webhooks/{hook['id']}/deliveries", token=hook["token"])
        return {
            "games": self.games,
            "repeated": self.repeated,
            "tasks": self.tasks,
            "players": self.players,
            "webhooks": self.webhooks,
        }


def play_ruleset(recorder: Recorder, ruleset: str) -> None:
    """Play games to the middle and the end, with takebacks, and waiting for an AI."""
    seats = RULESETS[ruleset].seat_counts
    middle = recorder.create(f"{ruleset}: middle", ruleset, *[PERSON] * 2, seed=SEED, visibility="public")
    recorder.play(middle, 15)
    recorder.act(middle, 3, Idempotency_Key=f"{ruleset}-0123456789-abcdefghij")
    recorder.post(middle, "messages", {"text": f"Well played: {ruleset}"}, 1)
    ended = recorder.create(f"{ruleset}: ended", ruleset, *[PERSON] * seats[-1], side=1, visibility="public")
    recorder.play(ended)
    assert recorder.view(ended)["status"] == "finished"
    back = recorder.create(f"{ruleset}: taken back", ruleset, PERSON, GREEDY, side=1)
    recorder.play(back, 9)
    recorder.post(back, "takebacks", {}, 0)
    recorder.play(back, 3)
    recorder.post(back, "takebacks", {}, 0)
    recorder.play(back, 2)
    offered = recorder.create(f"{ruleset}: taken back by consent", ruleset, *[PERSON] * 3, visibility="private")
    recorder.play(offered, 12)
    to_decide = recorder.view(offered)["to_decide"]
    recorder.post(offered, "takebacks", {}, (to_decide - 1) % 3)
    for seat in {0, 1, 2} - {(to_decide - 1) % 3}:
        recorder.agree(offered, seat)
    recorder.play(offered, 2)
    position = recorder.view(middle)["position"]
    begun = recorder.create(f"{ruleset}: from a position", ruleset, *[PERSON] * 2, position=position)
    recorder.play(begun, 3)


def play_among_people(recorder: Recorder) -> None:
    """Play with a clock: a pause, a claim, an abort, a resignation, a rematch, a webhook."""
    ana, ben = recorder.new_player("Ana"), recorder.new_player("Ben")
    hook(recorder, ana)
    clocked = recorder.create("players with a clock", "azul", PERSON, {"kind": "open"}, by=ana, clock=CLOCK)
    recorder.ask("POST", f"/games/{clocked['id']}/seats", token=ben)
    clocked["seats"] = {"0": ana, "1": ben}
    recorder.play(clocked, 5)
    paused = recorder.create("paused", "summer-pavilion", PERSON, PERSON, clock=CLOCK)
    recorder.play(paused, 4)
    recorder.post(paused, "pauses", {"seconds": 7 * 86_400}, 0)
    recorder.agree(paused, 1)
    open_offer = recorder.create("an open offer, one declined", "queens-garden", PERSON, PERSON, help=False)
    recorder.play(open_offer, 4)
    recorder.post(open_offer, "pauses", {"seconds": 600}, 0)
    recorder.agree(open_offer, 1, accept=False)
    recorder.post(open_offer, "takebacks", {}, 0)
    recorder.create("open", "azul", PERSON, {"kind": "open"}, visibility="public", clock=CLOCK)
    aborted = recorder.create("aborted", "azul", PERSON, GREEDY)
    recorder.ask("POST", f"/games/{aborted['id']}/abort", {}, recorder.host_of(aborted))
    resigned = recorder.create("resigned, with a rematch", "azul", PERSON, PERSON, by=ana)
    resigned["seats"]["0"] = ana
    recorder.play(resigned, 4)
    recorder.post(resigned, "resignation", {}, 1)
    recorder.post(resigned, "rematch", {}, 1)
    again = recorder.agree(resigned, 0)["game"]["rematch"]
    recorder.games.append({**resigned, "about": "rematch", "id": again})
    three = recorder.create("resigned, an AI plays on", "queens-garden", PERSON, PERSON, PERSON)
    recorder.play(three, 4)
    recorder.post(three, "resignation", {}, 2)
    given = recorder.create("handed over", "azul", PERSON, PERSON)
    recorder.play(given, 3)
    handed = recorder.post(given, "seats/1/handover", {"name": "Eve"}, 1)
    given["seats"]["1"] = handed["token"]
    recorder.play(given, 2)


def hook(recorder: Recorder, owner: str) -> None:
    """Create a reachable and an unreachable webhook."""
    for answer in (first_action, failing):
        with serving(answer if answer is failing else lambda bot, _: bot.answer(b"thanks")) as (url, _):
            made = recorder.ask("POST", "/me/webhooks", {"url": url}, owner)
            recorder.webhooks.append({"id": made["webhook"]["id"], "token": owner, "secret": made["secret"]})
            recorder.ask("POST", f"/me/webhooks/{made['webhook']['id']}/ping", {}, owner)
            recorder.work()


def play_with_a_bot(recorder: Recorder) -> None:
    """Play with a called seat that answers at first and then fails."""
    with serving(first_action) as (url, _):
        seats = ({"kind": "http", "name": "Bot", "endpoint": {"url": url, "attempts": 5}}, PERSON)
        called = recorder.create("a seat that is called", "azul", *seats, first_seat=1)
        recorder.play(called, 4)
    while recorder.view(called)["to_decide"] == 1:
        recorder.act(called)
    assert recorder.view(called)["seats"][0]["endpoint"]["health"] == "failing"


def ask_in_the_background(recorder: Recorder) -> None:
    """Ask for a tournament, an analysis of a decision, and a review."""
    tournament = {"ruleset": "azul", "variant": "grey", "levels": ["greedy", "random"], "deals": 2, "seed": SEED}
    ended = next(game["id"] for game in recorder.games if game["about"] == "azul: ended")
    middle = next(game["id"] for game in recorder.games if game["about"] == "azul: middle")
    for path, of, body in (
        ("/tournaments", "/tournaments", tournament),
        (f"/games/{middle}/analyses", "/analyses", {"kind": "decision", "seconds": 0.1}),
        (f"/games/{ended}/analyses", "/analyses", {"kind": "review", "seconds": 0.05}),
    ):
        asked = recorder.ask("POST", path, body)
        recorder.tasks.append({"path": f"{of}/{asked['id']}"})
        recorder.work()


def repeat_a_create(recorder: Recorder) -> None:
    """Create and claim with a key. The answers contain tokens."""
    headers = {"Idempotency_Key": "a-key-of-more-than-22-characters"}
    body = {"ruleset": "azul", "variant": "coloured", "seats": [PERSON, {"kind": "open"}], "seed": SEED}
    made = recorder.ask("POST", "/games", body, **headers)
    recorder.repeated.append({"path": "/games", "body": body, "token": None, "headers": headers, "answer": made})
    path = f"/games/{made['game']['id']}/seats"
    claimed = recorder.ask("POST", path, {"name": "Ben"}, **headers)
    recorder.repeated.append(
        {"path": path, "body": {"name": "Ben"}, "token": None, "headers": headers, "answer": claimed}
    )


def record_store(redis: Redis, url: str) -> Json:
    """Return the content of the file."""
    app = create_app(Settings.from_environment({"REDIS_URL": url, **SETTINGS}))
    context = app.extensions["context"]
    jobs.context = functools.cache(lambda: context)

    def work() -> None:
        """Do what keepers, workers and dialers would do now."""
        keeping.wake_due(context)
        keeping.send_webhooks(context)
        queues = [context.queue.turns[0], context.queue.calls, context.queue.hooks, context.queue.background]
        burst.work(queues)

    recorder = Recorder(Client(app.test_client()), work)
    for ruleset in RULESETS:
        play_ruleset(recorder, ruleset)
    play_among_people(recorder)
    play_with_a_bot(recorder)
    ask_in_the_background(recorder)
    repeat_a_create(recorder)
    recorder.work = lambda: None
    recorder.act(recorder.create("an AI is due", "azul", GREEDY, PERSON, first_seat=1))
    answers = recorder.final_answers()
    app.extensions["context"].hub.close()
    return {"recorded_at_ms": time.time_ns() // 1_000_000, "told": answers, "keys": keys.dump(redis)}


def main() -> None:
    """Write the file."""
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedRedis(Path(folder)) as server,
        Redis.from_url(server.socket_url) as redis,
    ):
        content = record_store(redis, server.socket_url)
    file = FOLDER / f"{sys.argv[1]}.json.gz"
    file.write_bytes(keys.pack(content))
    print(f"{file.name}: {len(content['keys'])} keys, {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
