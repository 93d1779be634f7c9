"""Leaderboards: ranks, pages and the caller's neighbours; people and programs; periods; ranked players."""

from __future__ import annotations

from typing import Any

import pytest

from service.games import rating
from service.games.state.moments import unix_ms
from service.storage.people.leaderboards import Place
from service.usecases.people import leaderboard_names, rating_games
from tests.usecases.players import everybody_decides
from tests.web.client import Client, body_of, refusal_of
from tests.web.people.test_sanctions import act
from tests.web.players import Person, new_player, seat_players
from tests.web.table import Wait


def place(
    context: Any,
    person: Person,
    points: int,
    who: str = leaderboard_names.PEOPLE,
    period: str = leaderboard_names.QUARTER,
    *,
    is_ranked: bool = False,
) -> None:
    name = leaderboard_names.board("azul", "two", who, period, context.now_ms())
    context.leaderboards.place(name, Place(person.id, points, context.now_ms(), is_ranked), 1_000_000_000)


def places(client: Client, query: str = "") -> list[tuple[int, str, int]]:
    leaderboard = body_of(client.get(f"/v1/leaderboards/azul{query}"))
    return [(one["rank"], one["player"]["name"], one["points"]) for one in leaderboard["places"]]


@pytest.fixture
def seven(anyone: Client, context: Any) -> list[Person]:
    people = [new_player(anyone, f"P{number}") for number in range(7)]
    for number, person in enumerate(people):
        place(context, person, 2000 - 100 * number)
    return people


def test_a_board_is_paged_with_the_best_first(anyone: Client, seven: list[Person]) -> None:
    assert [(1, "P0", 2000), (2, "P1", 1900)] == places(anyone, "?limit=2")
    first = body_of(anyone.get("/v1/leaderboards/azul?limit=4"))
    assert (7, 5) == (first["total"], first["next_first"])
    last = body_of(anyone.get("/v1/leaderboards/azul?limit=4&first=5"))
    assert ([5, 6, 7], None) == ([one["rank"] for one in last["places"]], last["next_first"])
    assert [] == places(anyone, "?first=8")


def test_equal_points_share_a_rank(anyone: Client, seven: list[Person], context: Any) -> None:
    for number in (1, 2, 3):
        place(context, seven[number], 1900)
    assert [1, 2, 2, 2, 5, 6, 7] == [rank for rank, *_ in places(anyone)]
    assert [2, 5] == [rank for rank, *_ in places(anyone, "?first=4&limit=2")]
    assert 2 in [rank for rank, name, _ in places(seven[2].client, "?around=me&limit=1") if name == "P2"]


def test_players_who_have_not_played_for_the_period_are_not_listed(
    anyone: Client, ana: Person, ben: Person, context: Any, wait_for: Wait
) -> None:
    place(context, ana, 1900)
    wait_for(89 * 86_400)
    place(context, ben, 1500)
    assert ["Ana", "Ben"] == [name for _, name, _ in places(anyone)]
    wait_for(2 * 86_400)
    assert [(1, "Ben", 1500)] == places(anyone)
    since = body_of(anyone.get("/v1/leaderboards/azul"))["played_since"]
    assert context.now_ms() - 90 * 86_400_000 == unix_ms(since)


def test_everybody_is_listed_as_provisional_until_enough_players_are_ranked(
    anyone: Client, seven: list[Person], context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating, "MATURE", 2)
    place(context, seven[3], 1700, is_ranked=True)
    shown = body_of(anyone.get("/v1/leaderboards/azul"))["places"]
    assert [True, True, True, False, True, True, True] == [one["provisional"] for one in shown]
    for period in leaderboard_names.PERIODS:
        place(context, seven[5], 1500, is_ranked=True, period=period)
    assert [(1, "P3", 1700), (2, "P5", 1500)] == places(anyone)
    assert [(1, "P5", 1500)] == places(anyone, "?period=week")
    assert [] == places(seven[0].client, "?around=me")
    place(context, seven[5], 1500)
    assert 7 == len(places(anyone))


def test_a_player_finds_their_own_rank(anyone: Client, ana: Person, seven: list[Person]) -> None:
    assert [(3, "P2", 1800), (4, "P3", 1700), (5, "P4", 1600)] == places(seven[3].client, "?around=me&limit=3")
    assert [(1, "P0", 2000), (2, "P1", 1900)] == places(seven[0].client, "?around=me&limit=2")
    assert [] == places(ana.client, "?around=me")
    assert (401, "auth/token_required") == refusal_of(anyone.get("/v1/leaderboards/azul?around=me"))


def test_programs_and_people_have_separate_boards(anyone: Client, ana: Person, context: Any) -> None:
    bot = new_player(anyone, "Bot", bot=True)
    place(context, ana, 1500)
    place(context, bot, 1700, leaderboard_names.BOTS)
    assert [(1, "Ana", 1500)] == places(anyone)
    assert [(1, "Bot", 1700)] == places(anyone, "?of=bots") == places(bot.client, "?around=me")


def test_a_banned_player_leaves_the_boards(admin: Client, ana: Person, ben: Person, context: Any) -> None:
    for person in (ana, ben):
        place(context, person, 1500)
    act(admin, ana, "ban", reason="Cheating.")
    assert [(1, "Ben", 1500)] == places(admin)


def test_a_new_week_starts_an_empty_board(ana: Person, context: Any, wait_for: Wait) -> None:
    place(context, ana, 1500, period=leaderboard_names.WEEK)
    assert [(1, "Ana", 1500)] == places(ana.client, "?period=week")
    wait_for(7 * 86_400)
    assert [] == places(ana.client, "?period=week")


def test_deleted_players_leave_the_board(anyone: Client, seven: list[Person], context: Any) -> None:
    context.players._redis.delete(context.store.keys.player(seven[1].id))  # expired
    assert 204 == seven[0].client.delete("/v1/me").status_code
    assert [(1, "P2", 1800), (2, "P3", 1700)] == places(anyone, "?limit=2")
    assert 5 == body_of(anyone.get("/v1/leaderboards/azul"))["total"]


def test_a_full_board_drops_the_last_player(
    anyone: Client, seven: list[Person], ana: Person, context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.storage.people.leaderboards.MAX_PLACED", 3)
    place(context, ana, 1950)
    assert ["P0", "Ana", "P1"] == [name for _, name, _ in places(anyone)]


def test_a_rated_game_places_players_by_how_certain_and_established_they_are(
    anyone: Client, ana: Person, ben: Person, context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating, "ESTABLISHED_GAMES", 1)
    monkeypatch.setattr(rating, "ESTABLISHED_OPPONENTS", 1)
    for is_certain, expected in ((False, [True] * 2), (True, [False] * 2)):
        if is_certain:
            monkeypatch.setattr(rating, "CERTAIN", rating.SIGMA)
        table = seat_players(ana, ben, clock={"turn_s": 60}, rated=True)
        everybody_decides(context, table.id)
        body_of(ben.client.post(f"{table.path}/resignation"))
        for _ in range(2):
            rating_games.count(context, table.id)
        shown = body_of(anyone.get("/v1/leaderboards/azul"))["places"]
        assert ["Ana", "Ben"] == [one["player"]["name"] for one in shown]
        assert expected == [one["provisional"] for one in shown]
    assert places(anyone) == places(anyone, "?period=week")
    points = {name: points for _, name, points in places(anyone)}
    ratings = body_of(anyone.get(f"/v1/players/{ana.id}/ratings"))["ratings"]
    assert points["Ana"] == ratings[0]["points"] > 1500 > points["Ben"]
    assert ratings[0]["ranked"]
