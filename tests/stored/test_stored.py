"""Data stored by earlier versions is read, played on, exported and rebased: see `record`."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from redis import Redis

from service.app import create_app
from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.usecases.base.context import Context
from tests import burst, keeping
from tests.sampling import one_in
from tests.stored import keys
from tests.stored.record import FOLDER, SETTINGS
from tests.web.client import Client, Json
from tests.web.game_records import import_record
from workers import jobs

VERSIONS = sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))
MAX_DECISIONS = 500


@functools.cache
def content(version: str) -> Json:
    """Return what a version has stored."""
    return keys.unpack((FOLDER / f"{version}.json.gz").read_bytes())


GAMES = [(version, game["about"]) for version in VERSIONS for game in content(version)["told"]["games"]]
every_version = pytest.mark.parametrize("version", VERSIONS)
some_games = pytest.mark.parametrize(("version", "about"), one_in(20, GAMES))


class Later:
    """The present service shortly after the recording, with workers in the test's process."""

    def __init__(self, client: Client, context: Context, now_ms: int) -> None:
        self.client, self.context, self.now_ms = client, context, now_ms

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str) -> Any:
        """Return the JSON of a successful answer."""
        arguments = {} if body is None else {"json": body}
        answer = self.client.with_token(token).send(method, f"/v1{path}", headers=headers, **arguments)
        assert answer.status_code < 300, answer.data
        return answer.json

    def work(self) -> None:
        """Do the work of keepers, workers and dialers until nothing is due."""
        queue = self.context.queue
        queues = [queue.turns[0], queue.calls, queue.hooks, queue.background]
        for _ in range(MAX_DECISIONS):
            if any(one.count for one in queues):  # starting an idle worker takes longer than a decision
                burst.work(queues)
            self.now_ms += 61_000  # the longest pause between calls of a bot
            if not keeping.wake_due(self.context) + keeping.send_webhooks(self.context):
                return

    def view(self, game: Json) -> Json:
        """Return the game as its host sees it."""
        results: Json = self.ask("GET", f"/games/{game['id']}", token=game["tokens"]["host"])
        return results

    def play(self, game: Json, decisions: int = MAX_DECISIONS) -> Json:
        """Play a number of decisions, or all. Return the view."""
        path, host = f"/games/{game['id']}", game["tokens"]["host"]
        self.work()
        for number in range(decisions):
            if self.view(game)["status"] != "playing":
                break
            legal = self.ask("GET", f"{path}/actions", token=host)
            chosen = legal["actions"][7 * number % len(legal["actions"])]
            body = {"id": chosen["id"], "revision": legal["revision"]}
            self.ask("POST", f"{path}/actions", body, game["seats"][str(legal["seat"])])
            self.work()
        return self.view(game)


@pytest.fixture(scope="module")
def app(valkey: EmbeddedRedis) -> Iterator[Flask]:
    """Run the present service."""
    app = create_app(Settings.from_environment({"REDIS_URL": valkey.socket_url, **SETTINGS}))
    yield app
    app.extensions["context"].hub.close()


@pytest.fixture
def service(app: Flask, redis_client: Redis, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Later]:
    """Return a function that loads the data of a version into the present service."""
    context: Context = app.extensions["context"]

    def load(version: str) -> Later:
        keys.load(redis_client, content(version)["keys"])
        later = Later(Client(app.test_client()), context, content(version)["recorded_at_ms"])
        monkeypatch.setattr(context, "now_ms", lambda: later.now_ms)
        monkeypatch.setattr(jobs, "context", lambda: context)
        return later

    return load


def recorded_game(version: str, about: str) -> Json:
    """Return a recorded game of a file."""
    return next(dict(game) for game in content(version)["told"]["games"] if game["about"] == about)


def lacking(recorded: Any, present: Any, at: str = "") -> list[str]:
    """Return where the present answer differs from the recorded one.

    Members may have been added, types of actions, draws and effects have the ruleset's prefix. Sentences may differ.
    """
    if isinstance(recorded, dict) and isinstance(present, dict):
        return [
            fault
            for name, value in recorded.items()
            for fault in (lacking(value, present[name], f"{at}/{name}") if name in present else [f"{at}/{name}"])
        ]
    if isinstance(recorded, list) and isinstance(present, list) and len(recorded) == len(present):
        pairs = enumerate(zip(recorded, present, strict=True))
        return [fault for number, pair in pairs for fault in lacking(*pair, f"{at}/{number}")]
    full = at.endswith("/type") and str(present).rpartition(".")[2] == recorded
    reworded = re.search(r"/(events|actions|decisions|line)/.*text$", at) and isinstance(present, str) and present
    return [] if full or reworded or recorded == present else [at]


@every_version
def test_every_game_reads_as_recorded(service: Callable[[str], Later], version: str) -> None:
    later = service(version)
    for game in content(version)["told"]["games"]:
        assert_reads_as_recorded(later, game)


def assert_reads_as_recorded(later: Later, game: Json) -> None:
    path, host = f"/games/{game['id']}", game["tokens"]["host"]
    answers = {
        "view": later.view(game),
        "history": later.ask("GET", f"{path}/history?limit=500", token=host),
        "export": later.ask("GET", f"{path}/export", token=host),
        "messages": later.ask("GET", f"{path}/messages", token=host)["messages"],
    }
    for name, answer in answers.items():
        assert not lacking(game[name], answer), (game["about"], name)
    last = game["view"]["revision"]
    assert not lacking(game["view"], later.ask("GET", f"{path}/history/{last}", token=host)), game["about"]
    assert last // 2 + 1 == later.ask("GET", f"{path}/history/{last // 2 + 1}", token=host)["revision"]
    board = later.client.with_token(host).send("GET", f"/v1{path}/board.svg?revision={last}")
    assert board.status_code == 200


@some_games
def test_a_game_is_played_to_its_end(service: Callable[[str], Later], version: str, about: str) -> None:
    """The tokens still work, a pause expires, and a missing bot is replaced."""
    later, game = service(version), recorded_game(version, about)
    if game["view"]["status"] == "open":
        later.ask("POST", f"/games/{game['id']}/start", {}, game["tokens"]["host"])
    if game["view"]["paused_until"] is not None:
        later.now_ms += 7 * 86_400_000
    before = later.ask("GET", f"/games/{game['id']}/history?limit=500", token=game["tokens"]["host"])["events"]
    ended = later.play(game)
    assert ended["status"] in ("finished", "aborted")
    exported = later.ask("GET", f"/games/{game['id']}/export", token=game["tokens"]["host"])
    assert before == exported["events"][: len(before)]
    assert ended["status"] == import_record(later.client, exported).view()["status"]


@every_version
def test_the_last_action_is_marked_in_a_picture(service: Callable[[str], Later], version: str) -> None:
    """Two marks: the source of the tiles and their destination."""
    game = next(game for game in content(version)["told"]["games"] if game["view"]["ruleset"] == "azul")
    drafted = next(event for event in game["history"]["events"] if event["kind"] == "action")
    client = service(version).client.with_token(game["tokens"]["host"])
    board = client.send("GET", f"/v1/games/{game['id']}/board.svg?revision={drafted['revision']}")
    assert 2 == board.data.count(b'class="az-last"')


@every_version
def test_every_recorded_export_is_imported(service: Callable[[str], Later], version: str) -> None:
    client = service(version).client
    for game in content(version)["told"]["games"]:
        record = game["export"]
        if record["events"][-1]["kind"] in ("created", "join"):
            continue  # exports of games before their start could never be imported
        again = import_record(client, record).view()
        assert record["variant"] == again["variant"], game["about"]
        if record["seed"] is not None:
            assert record["outcome"] is None or "finished" == again["status"], game["about"]


@some_games
def test_a_game_is_rebased_by_newer_rules(
    service: Callable[[str], Later], version: str, about: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    later, game = service(version), recorded_game(version, about)
    ruleset = RULESETS[game["view"]["ruleset"]]
    newer = replace(ruleset, version=ruleset.version + 1)
    newer.__dict__["rules_hash"] = "the hash of the newer sources"
    monkeypatch.setitem(RULESETS, ruleset.id, newer)
    if game["view"]["paused_until"] is not None:
        later.now_ms += 7 * 86_400_000
    assert not lacking(game["view"], later.view(game))
    after = later.play(game, 4)
    assert after["revision"] >= game["view"]["revision"]
    if game["view"]["status"] == "playing":
        assert ruleset.version + 1 == after["ruleset_version"]
        assert later.play(game)["status"] == "finished"


@every_version
def test_repeated_requests_get_the_recorded_answer(service: Callable[[str], Later], version: str) -> None:
    later = service(version)
    for request in content(version)["told"]["repeated"]:
        answer = later.ask("POST", request["path"], request["body"], request["token"], **request["headers"])
        assert not lacking(request["answer"], answer), request["path"]


@every_version
def test_tasks_players_and_webhooks_read_as_recorded(service: Callable[[str], Later], version: str) -> None:
    later, answers = service(version), content(version)["told"]
    for task in answers["tasks"]:
        assert not lacking(task["answer"], later.ask("GET", task["path"]))
    for player in answers["players"]:
        assert not lacking(player["player"], later.ask("GET", "/me", token=player["token"]))
        assert later.ask("GET", "/me/games", token=player["token"])["games"]
    for hook in answers["webhooks"]:
        path = f"/me/webhooks/{hook['id']}"
        assert not lacking(hook["answer"], later.ask("GET", path, token=hook["token"]))
        assert not lacking(hook["deliveries"], later.ask("GET", f"{path}/deliveries", token=hook["token"]))


@every_version
def test_the_listing_contains_the_public_games(service: Callable[[str], Later], version: str) -> None:
    ids = {game["id"] for game in service(version).ask("GET", "/games")["games"]}
    assert ids == {game["id"] for game in content(version)["told"]["games"] if game["view"]["visibility"] == "public"}
