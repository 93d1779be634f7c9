"""Leaderboards: who stands where, by pages and around oneself; people and programs, ever and this week."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.games import rating
from service.usecases.people import leaderboard_names, rating_games
from tests.web.client import Client, answered, refused
from tests.web.players import Person, new_player, seated


def place(
    context: Any, person: Person, points: int, who: str = leaderboard_names.PEOPLE, period: str = leaderboard_names.EVER
) -> None:
    name = leaderboard_names.board("azul", "two", who, period, context.now_ms())
    context.leaderboards.place([name], person.id, points, 1000)


def places(client: Client, query: str = "") -> list[tuple[int, str, int]]:
    found = answered(client.get(f"/v1/leaderboards/azul{query}"))
    return [(one["rank"], one["player"]["name"], one["points"]) for one in found["places"]]


@pytest.fixture
def seven(anyone: Client, context: Any) -> list[Person]:
    people = [new_player(anyone, f"P{number}") for number in range(7)]
    for number, person in enumerate(people):
        place(context, person, 2000 - 100 * number)
    return people


def test_a_board_is_told_by_pages_best_first(anyone: Client, seven: list[Person]) -> None:
    assert [(1, "P0", 2000), (2, "P1", 1900)] == places(anyone, "?limit=2")
    first = answered(anyone.get("/v1/leaderboards/azul?limit=4"))
    assert (7, 5) == (first["total"], first["next_first"])
    last = answered(anyone.get("/v1/leaderboards/azul?limit=4&first=5"))
    assert ([5, 6, 7], None) == ([one["rank"] for one in last["places"]], last["next_first"])
    assert [] == places(anyone, "?first=8")


def test_a_player_finds_themselves(anyone: Client, ana: Person, seven: list[Person]) -> None:
    assert [(3, "P2", 1800), (4, "P3", 1700), (5, "P4", 1600)] == places(seven[3].client, "?around=me&limit=3")
    assert [(1, "P0", 2000), (2, "P1", 1900)] == places(seven[0].client, "?around=me&limit=2")
    assert [] == places(ana.client, "?around=me")
    assert (401, "auth/token_required") == refused(anyone.get("/v1/leaderboards/azul?around=me"))


def test_programs_and_people_have_boards_of_their_own(anyone: Client, ana: Person, context: Any) -> None:
    made = answered(anyone.post("/v1/players", {"name": "Bot", "bot": True}), 201)
    bot = Person(made["player"]["id"], anyone.with_token(made["token"]))
    place(context, ana, 1500)
    place(context, bot, 1700, leaderboard_names.BOTS)
    assert [(1, "Ana", 1500)] == places(anyone)
    assert [(1, "Bot", 1700)] == places(anyone, "?of=bots") == places(bot.client, "?around=me")


def test_the_week_begins_anew(ana: Person, context: Any, wait_for: Callable[[float], None]) -> None:
    place(context, ana, 1500, period=leaderboard_names.WEEK)
    assert [(1, "Ana", 1500)] == places(ana.client, "?period=week")
    wait_for(7 * 86_400)
    assert [] == places(ana.client, "?period=week")


def test_who_is_gone_is_taken_off_and_the_others_move_up(anyone: Client, seven: list[Person], context: Any) -> None:
    context.players._redis.delete(context.store.keys.player(seven[1].id))  # expired
    assert 204 == seven[0].client.delete("/v1/me").status_code
    assert [(1, "P2", 1800), (2, "P3", 1700)] == places(anyone, "?limit=2")
    assert 5 == answered(anyone.get("/v1/leaderboards/azul"))["total"]


def test_a_board_holds_so_many_and_drops_the_last(
    anyone: Client, seven: list[Person], ana: Person, context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.storage.people.leaderboards.MAX_PLACED", 3)
    place(context, ana, 1950)
    assert ["P0", "Ana", "P1"] == [name for _, name, _ in places(anyone)]


def test_a_rated_game_places_its_players_once_their_rating_is_certain(
    anyone: Client, ana: Person, ben: Person, context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for is_certain in (False, True):
        if is_certain:
            monkeypatch.setattr(rating, "CERTAIN", rating.SIGMA)
        table = seated(ana, ben, clock={"turn_s": 60}, rated=True)
        answered(ben.client.post(f"{table.path}/resignation"))
        for _ in range(2):
            rating_games.count(context, table.id)
        names = [name for _, name, _ in places(anyone)]
        assert (["Ana", "Ben"] if is_certain else []) == names
    assert places(anyone) == places(anyone, "?period=week")
    points = {name: points for _, name, points in places(anyone)}
    told = answered(anyone.get(f"/v1/players/{ana.id}/ratings"))["ratings"]
    assert points["Ana"] == told[0]["points"] > 1500 > points["Ben"]
