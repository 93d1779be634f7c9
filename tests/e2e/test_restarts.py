"""A service that starts with what another has left: a backup put back elsewhere, and a stop in order."""

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
from tests.patience import HANG_S, until

ALONE = {"WORKERS": "1", "WEB_WORKERS": "1"}


def revisions(stack: Stack, games: list[dict[str, Any]]) -> list[int]:
    """As the games are now."""
    return [stack.get(f"/games/{created['game']['id']}").json()["revision"] for created in games]


class Backup(NamedTuple):
    """What was played on while a backup was made: games, their logs at the end, and revisions before and after."""

    games: list[dict[str, Any]]
    logs: list[list[dict[str, Any]]]
    before: list[int]
    after: list[int]
    path: Path


@pytest.fixture(scope="module")
def made(stack: Stack) -> Backup:
    """A backup of a service on which people and AIs play."""
    seats = [{"kind": "player"}, {"kind": "ai", "level": "greedy"}]
    games = [stack.create(ruleset=one.id, variant=one.variants[0], seats=seats) for one in RULESETS.values()]
    players = [threading.Thread(target=play_to_the_end, args=(stack, created, random.Random(7))) for created in games]
    for player in players:
        player.start()
    until(lambda: all(revision > 20 for revision in revisions(stack, games)), "games are under way")
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
def other(made: Backup, folder: Path) -> Iterator[Stack]:
    """Another service, which begins with the backup."""
    restore(folder / "var", made.path)
    with Stack(folder, **ALONE) as running:
        yield running


def test_games_go_on_from_where_they_were_when_a_backup_was_made(made: Backup, other: Stack) -> None:
    for created, log, least, most in zip(made.games, made.logs, made.before, made.after, strict=True):
        view = other.get(f"/games/{created['game']['id']}").json()
        kept = whole_log(other, view["id"])
        assert log[:least] == kept[:least]
        assert all(event["seat"] != 0 for event in kept[most:])  # since then only the AI has gone on
        assert "finished" == play_to_the_end(other, {**created, "game": view}, random.Random(8))["status"]


def test_a_service_that_is_stopped_sends_those_home_who_follow_or_wait_and_goes_on_where_it_was(
    other: Stack, folder: Path
) -> None:
    game = other.create(ruleset="azul", variant="grey", seats=[{"kind": "ai", "level": "planner"}] * 2)["game"]
    open_game = other.create(ruleset="azul", variant="grey", seats=[{"kind": "player"}, {"kind": "open"}])["game"]
    token = bearer(other.new_player())
    wanted = {"ruleset": "azul", "variant": "grey", "keep_s": 600}
    seek = requests.post(f"{other.api}/seeks", json=wanted, headers=token, timeout=HANG_S).json()
    cup = {"name": "Open", "format": "swiss", "ruleset": "azul", "variant": "grey", "clock": {"turn_s": 60}}
    cup = requests.post(f"{other.api}/competitions", json=cup, headers=token, timeout=HANG_S).json()
    paths = [f"/games/{game['id']}/events", f"/seeks/{seek['id']}/events", "/me/challenges/events"]
    paths.append(f"/competitions/{cup['id']}/events")
    lines = {"Accept": "application/x-ndjson", **token}
    waiting = HTTPConnection("127.0.0.1", other.port, timeout=HANG_S)
    waiting.request(
        "GET", f"/v1/games/{open_game['id']}?wait=60", headers={"If-None-Match": f'"{open_game["revision"]}"'}
    )
    streams = [requests.get(f"{other.api}{path}", headers=lines, stream=True, timeout=HANG_S) for path in paths]
    with ThreadPoolExecutor(len(streams)) as pool:
        read = [pool.submit(b"".join, stream.iter_content(None)) for stream in streams]
        until(lambda: other.get(f"/games/{game['id']}").json()["revision"] > 10, "the AIs play")
        log = whole_log(other, game["id"])
        assert 0 == other.stop()
        assert all(each.result() for each in read)  # raises if a stream was cut off
    assert 304 == waiting.getresponse().status
    with Stack(folder, **ALONE) as stack:
        assert log == whole_log(stack, game["id"])[: len(log)]
        assert "open" == stack.get(f"/seeks/{seek['id']}", headers=token).json()["status"]
        game = stack.get(f"/games/{game['id']}").json()
        while game["status"] == "playing":
            game = stack.next_view(game)
        assert "finished" == game["status"]
