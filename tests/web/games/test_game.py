"""Reading a game: entity tags, waiting, extras."""

from __future__ import annotations

from functools import partial

import pytest
from flask import Flask
from redis import Redis

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.storage.commits import pass_a_millisecond
from tests.usecases.waiting import wait_result, waits_without_news
from tests.web.client import Client, body_of, read_pages, refusal_of
from tests.web.table import NewTable, Table

OPEN = [{"kind": "player"}, {"kind": "open"}]


def test_location_and_etag_of_a_new_game_are_correct(anyone: Client) -> None:
    seats = [{"kind": "player"}, {"kind": "ai", "level": "random"}]
    made = anyone.post("/v1/games", {"ruleset": "azul", "variant": "grey", "seats": seats, "first_seat": None})
    read = anyone.get(made.headers["Location"])
    assert body_of(made, 201)["game"] == body_of(read)
    assert f'"{body_of(read)["revision"]}"' == made.headers["ETag"] == read.headers["ETag"]


def test_a_known_revision_is_answered_with_304(table: Table) -> None:
    tag = table.anyone.get(table.path).headers["ETag"]
    again = table.anyone.get(table.path, If_None_Match=f'"1", W/{tag}')
    assert (304, b"", tag) == (again.status_code, again.data, again.headers["ETag"])


def test_a_private_game_answers_strangers_with_404_even_for_a_known_etag(anyone: Client) -> None:
    seats = [{"kind": "player"}, {"kind": "open"}]
    body = {"ruleset": "azul", "variant": "grey", "seats": seats, "visibility": "private"}
    made = anyone.post("/v1/games", body)
    answer = anyone.get(made.headers["Location"], If_None_Match=made.headers["ETag"])
    assert answer.status_code == 404


def test_an_outdated_etag_is_answered_with_the_game(table: Table) -> None:
    assert table.anyone.get(table.path, If_None_Match='"1"').status_code == 200


def test_a_wait_without_a_change_ends_with_304(app: Flask, table: Table) -> None:
    tag = table.anyone.get(table.path).headers["ETag"]
    with waits_without_news(app.extensions["context"]) as waits:
        assert 304 == table.anyone.get(f"{table.path}?wait=30", If_None_Match=tag).status_code
        assert [30] == waits
        assert 200 == table.anyone.get(f"{table.path}?wait=30").status_code
        assert [30] == waits


def test_a_wait_ends_with_the_next_action(app: Flask, table: Table) -> None:
    revision = table.view()["revision"]
    wait = partial(table.anyone.get, f"{table.path}?wait=60", If_None_Match=f'"{revision}"')
    answer = wait_result(app.extensions["context"], wait, table.act)
    assert revision + 1 == body_of(answer)["revision"]


def test_include_adds_the_legal_actions_in_the_callers_language(table: Table) -> None:
    game = table.anyone.get(f"{table.path}?include=actions", Accept_Language="de, en;q=0.5")
    actions = body_of(table.anyone.get(f"{table.path}/actions", Accept_Language="de"))
    assert actions["actions"] == body_of(game)["actions"]
    assert actions["total"] == body_of(game)["actions_total"]
    assert game.headers["Content-Language"] == "de"
    assert "Accept-Language" in game.headers["Vary"]


def test_a_view_does_not_vary_by_language(table: Table) -> None:
    english, german = (table.anyone.get(table.path, Accept_Language=language) for language in ("en", "de"))
    assert english.data == german.data
    assert "Content-Language" not in english.headers


def test_head_returns_only_headers(table: Table) -> None:
    head, get = table.anyone.send("HEAD", table.path), table.anyone.get(table.path)
    assert b"" == head.data
    assert get.headers["ETag"] == head.headers["ETag"]
    assert get.headers["Content-Length"] == head.headers["Content-Length"]


def test_claiming_the_last_open_seat_starts_the_game(new_game: NewTable) -> None:
    table = new_game(seats=OPEN)
    claimed = body_of(table.anyone.post(f"{table.path}/seats", {"name": "Cleo"}))
    assert (1, "playing") == (claimed["seat"], claimed["game"]["status"])
    assert claimed["game"]["seats"][1]["name"] == "Cleo"


def test_the_host_starts_and_ais_fill_the_open_seats(new_game: NewTable) -> None:
    table = new_game(seats=OPEN)
    started = body_of(table.host.post(f"{table.path}/start"))
    assert ["player", "ai"] == [seat["kind"] for seat in started["game"]["seats"]]


def test_a_resignation_ends_a_game_of_two(table: Table) -> None:
    game = body_of(table.seat(1).post(f"{table.path}/resignation"))["game"]
    assert ("finished", "resignation", "07" * 32) == (game["status"], game["outcome"]["reason"], game["seed"])


def test_listings_page_and_filter(anyone: Client, new_game: NewTable, redis_client: Redis) -> None:
    ids = []
    for _ in range(3):
        pass_a_millisecond(redis_client)
        ids.append(new_game(visibility="public", seats=OPEN).id)
    new_game()
    query = "limit=2&open_seats=true&ruleset=azul&status=open&updated_since=2020-01-01T00:00:00Z"
    first, second = read_pages(anyone, f"/v1/games?{query}", "games")
    assert ids[::-1] == [game["id"] for game in first + second]
    assert {"games": [], "next_cursor": None} == anyone.get("/v1/games?open_seats=false").json
    assert 422 == anyone.get("/v1/games?cursor=nonsense").status_code


def test_rulesets_and_levels_are_listed(anyone: Client) -> None:
    listed = body_of(anyone.get("/v1/rulesets"))
    one = body_of(anyone.get("/v1/rulesets/azul", Accept_Language="de"))
    assert listed["rulesets"][0].items() <= one.items()
    assert one["schemas"]["actions"]["azul.draft"] == "/v1/openapi.json?ruleset=azul#/components/schemas/AzulDraft"
    assert one["schemas"]["action"] == "/v1/openapi.json?ruleset=azul#/components/schemas/Action"
    assert (404, "ruleset/not_found") == refusal_of(anyone.get("/v1/rulesets/chess"))
    levels = body_of(anyone.get("/v1/levels"))
    assert {"random", "greedy"} <= {level["id"] for level in levels["levels"]}
    actual = [(one["ruleset"], one["seats"], one["level"]) for level in levels["levels"] for one in level["strength"]]
    expected = [(ruleset.id, one.seats, one.level) for ruleset in RULESETS.values() for one in ruleset.strength]
    assert sorted(expected) == sorted(actual)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_the_document_contains_every_schema_of_a_ruleset(anyone: Client, ruleset: Ruleset) -> None:
    actual = body_of(anyone.get(f"/v1/rulesets/{ruleset.id}"))["schemas"]
    assert set(ruleset.wire.action_schemas) == set(actual["actions"])
    by_type = [url for name in ("actions", "draws", "effects") for url in actual[name].values()]
    urls = [*by_type, *(actual[name] for name in ("position", "action", "draw", "effect"))]
    documents = {url.partition("#/components/schemas/")[0] for url in urls}
    schemas = {path: (anyone.flask.get(path).json or {})["components"]["schemas"] for path in documents}
    for url in urls:
        path, _, name = url.partition("#/components/schemas/")
        assert name in schemas[path]
