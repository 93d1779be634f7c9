"""The operator: sees all games, reads them, ends them; and is nobody unless a token was set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from service.usecases.base.context import Context
from tests.web.client import Client, Json, answered, pages, refused
from tests.web.conftest import ADMIN_TOKEN
from tests.web.table import Table


def listed(admin: Client, query: str = "") -> Json:
    return answered(admin.get(f"/v1/admin/games{query}"))


def test_the_operator_sees_games_that_nobody_else_does(admin: Client, new_game: Callable[..., Table]) -> None:
    tables = [new_game(visibility=visibility) for visibility in ("public", "unlisted", "private")]
    assert {table.id for table in tables} == {game["id"] for game in listed(admin)["games"]}
    assert [tables[0].id] == [game["id"] for game in answered(admin.get("/v1/games"))["games"]]


def test_all_games_come_in_pages(admin: Client, new_game: Callable[..., Table]) -> None:
    tables = {new_game(visibility="private").id for _ in range(5)}
    listed = pages(admin, "/v1/admin/games?limit=2", "games")
    assert ([2, 2, 1], tables) == ([len(page) for page in listed], {game["id"] for page in listed for game in page})


def test_the_filters_are_those_of_the_listing(admin: Client, new_game: Callable[..., Table]) -> None:
    table = new_game(visibility="private")
    other = new_game(ruleset="summer-pavilion", seats=[{"kind": "player"}, {"kind": "open"}])
    for query, wanted in {
        "ruleset=azul": {table.id},
        "status=open": {other.id},
        "open_seats=true": {other.id},
        "variant=coloured": {table.id, other.id},
        "updated_since=2100-01-01T00:00:00Z": set(),
    }.items():
        assert (query, wanted) == (query, {game["id"] for game in listed(admin, f"?{query}")["games"]})


def test_the_operator_reads_a_private_game_and_what_is_said_there(
    admin: Client, new_game: Callable[..., Table]
) -> None:
    table = new_game(visibility="private")
    answered(table.seat(0).post(f"{table.path}/messages", {"text": "hello"}))
    for path in ("", "/actions", "/history", "/history/1"):
        assert answered(admin.get(f"{table.path}{path}")) == answered(table.host.get(f"{table.path}{path}"))
    assert 1 == len(answered(admin.get(f"{table.path}/messages"))["messages"])
    assert None is answered(admin.get(table.path))["seed"]


def test_the_operator_ends_a_game_when_the_host_may_no_more(admin: Client, new_game: Callable[..., Table]) -> None:
    table = new_game(visibility="private")
    table.act()
    table.act()
    assert (409, "game/too_late_to_abort") == refused(table.host.post(f"{table.path}/abort"))
    assert "aborted" == answered(admin.post(f"{table.path}/abort"), 201)["game"]["status"]
    assert (409, "game/over") == refused(admin.post(f"{table.path}/abort"))


@pytest.mark.parametrize("what", ["analyses", "tournaments"])
def test_the_operator_ends_what_anybody_has_asked_for(admin: Client, table: Table, what: str) -> None:
    position = {"position": table.view()["position"]}
    tournament = {"ruleset": "azul", "variant": "grey", "levels": ["random", "greedy"], "deals": 1}
    task = answered(table.seat(0).post(f"/v1/{what}", position if what == "analyses" else tournament), 202)
    assert 204 == admin.delete(f"/v1/{what}/{task['id']}").status_code


def test_without_the_setting_nobody_is_the_operator(
    anyone: Client, context: Context, new_game: Callable[..., Table]
) -> None:
    context.settings = replace(context.settings, admin_token="")
    table = new_game(visibility="private")
    assert (401, "auth/token_required") == refused(anyone.get("/v1/admin/games"))
    for token in (ADMIN_TOKEN, "x", table.tokens["host"]):
        assert (403, "auth/admin_only") == refused(anyone.with_token(token).get("/v1/admin/games"))
    assert 404 == anyone.with_token(ADMIN_TOKEN).get(table.path).status_code


def test_only_the_whole_token_is_the_operators(admin: Client) -> None:
    for wrong in (ADMIN_TOKEN[:-1], f"{ADMIN_TOKEN}a", ADMIN_TOKEN.upper(), "é" * 40):
        header = f"Bearer {wrong}".encode().decode("latin-1")
        refusal = admin.with_token(None).get("/v1/admin/games", Authorization=header)
        assert (403, "auth/admin_only") == refused(refusal)
