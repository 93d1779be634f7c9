"""Two real keepers at a real valkey run a Swiss of four HTTP players to its end."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from flask import Flask

from service.app import app_of
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.usecases.base.context import Context
from tests.patience import wait_until
from tests.web.client import Client, Json
from tests.workers.processes import Processes

WANTED: Json = {
    "name": "Open",
    "format": "swiss",
    "ruleset": "azul",
    "variant": "grey",
    "rounds": 2,
    "pause_s": 0,
    "clock": {"turn_s": 3},
}


@pytest.fixture
def app(context: Context, valkey: EmbeddedRedis) -> Iterator[Flask]:
    """Yield the application of these dependencies."""
    yield app_of(Settings.from_environment({"REDIS_URL": valkey.url}), context)
    context.hub.close()


def new_players(anyone: Client, count: int) -> dict[str, Client]:
    """Create players and return their clients by player id."""
    created = [anyone.post("/v1/players", {}).json or {} for _ in range(count)]
    return {player["player"]["id"]: anyone.with_token(player["token"]) for player in created}


def play(game: Json, people: dict[str, Client], number: int) -> None:
    """Let the first seat decide. In every second game the other resigns, otherwise it loses on time."""
    first, second = (people[player["player"]] for player in game["players"])
    path = f"/v1/games/{game['game_id']}"
    legal = first.get(f"{path}/actions?limit=1").json or {}
    if "actions" in legal:  # its time is not up
        first.post(f"{path}/actions", {"id": legal["actions"][0]["id"], "revision": legal["revision"]})
    if number % 2 == 0:
        second.post(f"{path}/resignation")


def test_four_players_play_a_swiss_to_its_end_by_two_keepers(app: Flask, processes: Processes) -> None:
    anyone = Client(app.test_client())
    people = new_players(anyone, 4)
    host = new_players(anyone, 1).popitem()[1]
    path = f"/v1/competitions/{(host.post('/v1/competitions', WANTED).json or {})['id']}"
    for client in people.values():
        assert 200 == client.post(f"{path}/join").status_code
    for _ in range(2):
        processes.start("workers.keeper")
    assert 200 == host.post(f"{path}/start").status_code
    seen, numbers = set[str](), itertools.count()

    def played_to_the_end() -> Json | None:
        """Play what can be played; the competition once it is over."""
        shown = anyone.get(path).json or {}
        for game in shown["current_games"]:
            game_id = game["game_id"]
            if game_id is not None and game_id not in seen and anyone.get(f"/v1/games/{game_id}").status_code == 200:
                seen.add(game_id)
                play(game, people, next(numbers))
        return shown if shown["status"] == "over" else None

    shown = wait_until(played_to_the_end, processes.output)
    games = (anyone.get(f"{path}/games").json or {})["games"]
    met = [frozenset(one["player"] for one in game["players"]) for game in games]
    assert len(met) == len(set(met))
    assert {1, 2} == {game["round"] for game in games}
    assert sum(row["score"] for row in shown["standings"]) == len(games)
    assert {"entered", "withdrawn"} >= {row["status"] for row in shown["standings"]}
    played = {game["game_id"] for game in games if game["game_id"] is not None}
    assert played == {
        game["id"] for client in people.values() for game in (client.get("/v1/me/games").json or {})["games"]
    }
