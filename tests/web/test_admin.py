"""The operator: sees, reads and ends all games, and exists only if a token was set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.usecases.base.context import Context
from tests.web.client import Client, Json, body_of, read_pages, refusal_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.players import Person, logged_acts, new_player
from tests.web.table import NewTable, Table
from tests.web.test_callers import BODIES


def listed_games(admin: Client, query: str = "") -> Json:
    return body_of(admin.get(f"/v1/admin/games{query}"))


def test_the_operator_lists_unlisted_and_private_games(admin: Client, new_game: NewTable) -> None:
    tables = [new_game(visibility=visibility) for visibility in ("public", "unlisted", "private")]
    assert {table.id for table in tables} == {game["id"] for game in listed_games(admin)["games"]}
    assert [tables[0].id] == [game["id"] for game in body_of(admin.get("/v1/games"))["games"]]


def test_all_games_come_in_pages(admin: Client, new_game: NewTable) -> None:
    tables = {new_game(visibility="private").id for _ in range(5)}
    listed_games = read_pages(admin, "/v1/admin/games?limit=2", "games")
    assert ([2, 2, 1], tables) == (
        [len(page) for page in listed_games],
        {game["id"] for page in listed_games for game in page},
    )


def test_all_games_can_be_filtered_like_the_public_listing(admin: Client, new_game: NewTable) -> None:
    table = new_game(visibility="private")
    other = new_game(ruleset="summer-pavilion", seats=[{"kind": "player"}, {"kind": "open"}])
    for query, wanted in {
        "ruleset=azul": {table.id},
        "status=open": {other.id},
        "open_seats=true": {other.id},
        "variant=coloured": {table.id, other.id},
        "updated_since=2100-01-01T00:00:00Z": set(),
    }.items():
        assert (query, wanted) == (query, {game["id"] for game in listed_games(admin, f"?{query}")["games"]})


def test_the_operator_reads_private_games_and_their_chat(admin: Client, new_game: NewTable) -> None:
    table = new_game(visibility="private")
    body_of(table.seat(0).post(f"{table.path}/messages", {"text": "hello"}))
    for path in ("", "/actions", "/history", "/history/1"):
        assert body_of(admin.get(f"{table.path}{path}")) == body_of(table.host.get(f"{table.path}{path}"))
    assert 1 == len(body_of(admin.get(f"{table.path}/messages"))["messages"])
    assert None is body_of(admin.get(table.path))["seed"]


def test_the_operator_ends_a_game_that_the_host_cannot(admin: Client, new_game: NewTable) -> None:
    table = new_game(visibility="private")
    table.act()
    table.act()
    assert (409, "game/too_late_to_abort") == refusal_of(table.host.post(f"{table.path}/abort"))
    assert "aborted" == body_of(admin.post(f"{table.path}/abort"), 201)["game"]["status"]
    assert (409, "game/over") == refusal_of(admin.post(f"{table.path}/abort"))


def test_an_admin_filters_private_games_and_ends_one_once(staff_admin: Client, new_game: NewTable) -> None:
    table, _ = new_game(visibility="private"), new_game()
    assert [table.id] == [game["id"] for game in listed_games(staff_admin, "?visibility=private")["games"]]
    path = f"/v1/admin/games/{table.id}/end"
    assert 204 == staff_admin.post(path, {"reason": "Insults in the names."}).status_code
    assert ("aborted", None) == (table.view()["status"], table.view()["outcome"])
    assert (409, "game/over") == refusal_of(staff_admin.post(path))
    assert (404, "game/not_found") == refusal_of(staff_admin.post("/v1/admin/games/AAAAAAAAAAAAAAAA/end"))
    assert [("end_game", table.id, "Insults in the names.")] == logged_acts(staff_admin)


def test_an_admin_sees_unlisted_competitions_and_cancels_one(staff_admin: Client, ana: Person) -> None:
    body = {**BODIES["createCompetition"], "visibility": "unlisted"}
    competition = body_of(ana.client.post("/v1/competitions", body), 201)["id"]
    path = f"/v1/admin/competitions/{competition}?reason=Spam"
    assert [competition] == [one["id"] for one in body_of(staff_admin.get("/v1/admin/competitions"))["competitions"]]
    assert [204, 204] == [staff_admin.delete(path).status_code for _ in range(2)]
    assert [] == body_of(staff_admin.get("/v1/admin/competitions"))["competitions"]
    assert [("cancel_competition", competition, "Spam")] == logged_acts(staff_admin)


def test_an_admin_sees_all_bots_with_their_endpoints(admin: Client, anyone: Client) -> None:
    robot, endpoint = new_player(anyone, "Rook", bot=True), {"url": "https://bot.example/azul"}
    body_of(robot.client.put("/v1/me/bot", {"rulesets": ["azul"], "endpoint": endpoint}))
    (bot,) = body_of(admin.get("/v1/admin/bots"))["bots"]
    profile = body_of(anyone.get(f"/v1/players/{robot.id}"))
    assert (profile, endpoint["url"], None) == (bot["player"], bot["url"], bot["failed_at"])
    assert (False, None) == (bot["disabled"], bot["owner"])


@pytest.mark.parametrize("what", ["analyses", "tournaments"])
def test_the_operator_ends_any_task(admin: Client, table: Table, what: str) -> None:
    position = {"position": table.view()["position"]}
    tournament = {"ruleset": "azul", "variant": "grey", "levels": ["random", "greedy"], "deals": 1}
    task = body_of(table.seat(0).post(f"/v1/{what}", position if what == "analyses" else tournament), 202)
    assert 204 == admin.delete(f"/v1/{what}/{task['id']}").status_code


def test_without_the_setting_every_operator_token_is_refused(
    anyone: Client, context: Context, new_game: NewTable
) -> None:
    context.settings = replace(context.settings, admin_token="")
    table = new_game(visibility="private")
    assert (401, "auth/token_required") == refusal_of(anyone.get("/v1/admin/games"))
    for token in (ADMIN_TOKEN, "x", table.tokens["host"]):
        assert (403, "auth/staff_only") == refusal_of(anyone.with_token(token).get("/v1/admin/games"))
    assert 404 == anyone.with_token(ADMIN_TOKEN).get(table.path).status_code


def test_only_the_exact_operator_token_is_accepted(admin: Client) -> None:
    for wrong in (ADMIN_TOKEN[:-1], f"{ADMIN_TOKEN}a", ADMIN_TOKEN.upper(), "é" * 40):
        header = f"Bearer {wrong}".encode().decode("latin-1")
        refusal = admin.with_token(None).get("/v1/admin/games", Authorization=header)
        assert (403, "auth/staff_only") == refusal_of(refusal)
