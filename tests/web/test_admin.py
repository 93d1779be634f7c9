"""The operator: sees all games, reads them, ends them; and is nobody unless a token was set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from service.usecases.base.context import Context
from tests.web.client import Client, Json
from tests.web.conftest import Table
from tests.web.players import answered, app, built, context, pointers, refused

__all__ = ["app", "built", "context"]  # fixtures
TOKEN = "of-the-operator-" + "a" * 32


@pytest.fixture
def admin(context: Context, anyone: Client) -> Client:
    """The operator's client, of a service that has one."""
    context.settings = replace(context.settings, admin_token=TOKEN)
    return anyone.with_token(TOKEN)


def listed(admin: Client, query: str = "") -> Json:
    return answered(admin.get(f"/v1/admin/games{query}"))


def test_the_operator_sees_games_that_nobody_else_does(admin: Client, new_game: Callable[..., Table]) -> None:
    tables = [new_game(visibility=visibility) for visibility in ("public", "unlisted", "private")]
    assert {table.id for table in tables} == {game["id"] for game in listed(admin)["games"]}
    assert [tables[0].id] == [game["id"] for game in answered(admin.get("/v1/games"))["games"]]


def test_all_games_come_in_pages(admin: Client, new_game: Callable[..., Table]) -> None:
    tables = {new_game(visibility="private").id for _ in range(5)}
    actual: list[str] = []
    query = "?limit=2"
    while query:
        answer = admin.get(f"/v1/admin/games{query}")
        page = answered(answer)
        assert (page["next_cursor"] is None) == ("Link" not in answer.headers)
        actual += [game["id"] for game in page["games"]]
        query = f"?limit=2&cursor={page['next_cursor']}" if page["next_cursor"] else ""
    assert (5, tables) == (len(actual), set(actual))


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


def test_the_operator_decides_for_nobody(admin: Client, table: Table) -> None:
    before = table.view()
    body = {"id": table.actions(1)[0]["id"], "revision": before["revision"]}
    assert (403, "auth/wrong_seat") == refused(admin.post(f"{table.path}/actions", body))
    assert (403, "auth/wrong_seat") == refused(admin.post(f"{table.path}/pauses"))
    assert (403, "auth/wrong_seat") == refused(admin.post(f"{table.path}/messages", {"text": "x"}))
    assert (403, "auth/host_only") == refused(admin.post(f"{table.path}/tokens", {"role": "host"}))
    assert before == table.view()


def test_without_the_setting_nobody_is_the_operator(anyone: Client, new_game: Callable[..., Table]) -> None:
    table = new_game(visibility="private")
    assert (401, "auth/token_required") == refused(anyone.get("/v1/admin/games"))
    for token in (TOKEN, "x", table.tokens["host"]):
        assert (403, "auth/admin_only") == refused(anyone.with_token(token).get("/v1/admin/games"))
    assert 404 == anyone.with_token(TOKEN).get(table.path).status_code


def test_only_the_whole_token_is_the_operators(admin: Client) -> None:
    for wrong in (TOKEN[:-1], f"{TOKEN}a", TOKEN.upper(), "é" * 40):
        header = f"Bearer {wrong}".encode().decode("latin-1")
        refusal = admin.with_token(None).get("/v1/admin/games", Authorization=header)
        assert (403, "auth/admin_only") == refused(refusal)


def test_faults_in_the_query_are_told(admin: Client) -> None:
    wrong = ["limit=0", "limit=101", "limit=x", "cursor=x", "cursor=", "ruleset=chess", "status=x", "open_seats=1"]
    for query in (*wrong, "updated_since=yesterday", "visibility=private"):
        refusal = admin.get(f"/v1/admin/games?{query}")
        assert (422, "request/invalid", query) == (*refused(refusal), query)
        assert [f"/{query.partition('=')[0]}"] == pointers(refusal)
