"""A service that starts with the data of another: a restored backup, and an orderly stop."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests

from service.operate.redis.backups import backup, restore
from service.rulesets.registry import RULESETS
from tests.e2e.stack import Stack, bearer
from tests.e2e.test_games import play_to_the_end, whole_log
from tests.patience import HANG_S, wait_until

ALONE = {"WORKERS": "1", "WEB_WORKERS": "1"}


def revisions(stack: Stack, games: list[dict[str, Any]]) -> list[int]:
    """Return the current revisions of the games."""
    return [stack.get(f"/games/{created['game']['id']}").json()["revision"] for created in games]


class Backup(NamedTuple):
    """Games during a backup: their final logs, and revisions before and after it."""

    games: list[dict[str, Any]]
    logs: list[list[dict[str, Any]]]
    before: list[int]
    after: list[int]
    path: Path


@pytest.fixture(scope="module")
def games_backup(stack: Stack) -> Backup:
    """Back up a service on which people and AIs play."""
    seats = [{"kind": "player"}, {"kind": "ai", "level": "greedy"}]
    games = [stack.create(ruleset=one.id, variant=one.variants[0], seats=seats) for one in RULESETS.values()]
    players = [threading.Thread(target=play_to_the_end, args=(stack, created, random.Random(7))) for created in games]
    for player in players:
        player.start()
    wait_until(lambda: all(revision > 20 for revision in revisions(stack, games)), "games are under way")
    before = revisions(stack, games)
    path = backup(stack.data_dir)
    after = revisions(stack, games)
    for player in players:
        player.join()
    return Backup(games, [whole_log(stack, created["game"]["id"]) for created in games], before, after, path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("other")


@pytest.fixture(scope="module")
def restored_stack(games_backup: Backup, folder: Path) -> Iterator[Stack]:
    """Run another service from the backup."""
    restore(folder / "var", games_backup.path)
    with Stack(folder, **ALONE) as running:
        yield running


def test_games_continue_from_a_backup(games_backup: Backup, restored_stack: Stack) -> None:
    for created, log, revision_before, revision_after in zip(
        games_backup.games, games_backup.logs, games_backup.before, games_backup.after, strict=True
    ):
        view = restored_stack.get(f"/games/{created['game']['id']}").json()
        restored_log = whole_log(restored_stack, view["id"])
        assert log[:revision_before] == restored_log[:revision_before]
        assert all(event["seat"] != 0 for event in restored_log[revision_after:])  # afterwards only the AI has moved
        assert "finished" == play_to_the_end(restored_stack, {**created, "game": view}, random.Random(8))["status"]


def test_a_stop_ends_streams_and_waits_and_games_continue_after_the_start(restored_stack: Stack, folder: Path) -> None:
    game = restored_stack.create(ruleset="azul", variant="grey", seats=[{"kind": "ai", "level": "planner"}] * 2)["game"]
    open_game = restored_stack.create(ruleset="azul", variant="grey", seats=[{"kind": "player"}, {"kind": "open"}])[
        "game"
    ]
    token = bearer(restored_stack.new_player())
    seek_body = {"ruleset": "azul", "variant": "grey", "keep_s": 600}
    seek = requests.post(f"{restored_stack.api}/seeks", json=seek_body, headers=token, timeout=HANG_S).json()
    cup = {"name": "Open", "format": "swiss", "ruleset": "azul", "variant": "grey", "clock": {"turn_s": 60}}
    cup = requests.post(f"{restored_stack.api}/competitions", json=cup, headers=token, timeout=HANG_S).json()
    paths = [f"/games/{game['id']}/events", f"/seeks/{seek['id']}/events"]
    paths += [f"/competitions/{cup['id']}/events", "/me/events", "/me/challenges/events"]
    lines = {"Accept": "application/x-ndjson", **token}
    waiting = HTTPConnection("127.0.0.1", restored_stack.port, timeout=HANG_S)
    waiting.request(
        "GET", f"/v1/games/{open_game['id']}?wait=60", headers={"If-None-Match": f'"{open_game["revision"]}"'}
    )
    streams = [
        requests.get(f"{restored_stack.api}{path}", headers=lines, stream=True, timeout=HANG_S) for path in paths
    ]
    with ThreadPoolExecutor(len(streams)) as pool:
        read = [pool.submit(b"".join, stream.iter_content(None)) for stream in streams]
        wait_until(lambda: restored_stack.get(f"/games/{game['id']}").json()["revision"] > 10, "the AIs play")
        log = whole_log(restored_stack, game["id"])
        assert 0 == restored_stack.stop()
        assert all(each.result() for each in read)  # raises if a stream was cut off
    assert 304 == waiting.getresponse().status
    with Stack(folder, **ALONE) as stack:
        assert log == whole_log(stack, game["id"])[: len(log)]
        assert "open" == stack.get(f"/seeks/{seek['id']}", headers=token).json()["status"]
        game = stack.get(f"/games/{game['id']}").json()
        while game["status"] == "playing":
            game = stack.next_view(game)
        assert "finished" == game["status"]
