"""Archived games over HTTP: the same URLs and answers after Redis has lost them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from redis import Redis

from service.app import create_app
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.usecases.base.context import Context
from service.usecases.keeping import archiving
from service.usecases.keeping.duties import BackOff
from service.usecases.people import follow_ups
from service.usecases.work import analyses
from tests.web.client import Client, body_of, refusal_of
from tests.web.players import Person, act, seat_players
from tests.web.table import Table

CLOCK = {"turn_s": 60}
PATHS = (
    *("", "/history", "/history?after=2&limit=2", "/export", "/board.svg", "/board.svg?revision=2", "/board.txt"),
    "/animation.svg",
    *("/history/2", "/rating", "/messages"),
)


@pytest.fixture
def app(valkey: EmbeddedRedis, redis_client: Redis, tmp_path: Path) -> Iterator[Flask]:
    env = {"REDIS_URL": valkey.url, "ARCHIVE_URL": "local", "DATA_DIR": str(tmp_path)}
    made = create_app(Settings.from_environment(env))
    yield made
    made.extensions["context"].hub.close()


def archived_table(context: Context, *people: Person, **changes: Any) -> Table:
    """Create a rated game that is over and archived."""
    table = seat_players(*people, **changes)
    for number in range(4):
        if table.view()["to_decide"] == number % 2:
            act(table, people[number % 2].client)
    body_of(people[1].client.post(f"{table.path}/resignation"))
    follow_ups.run_due(context)
    while not list((context.settings.data_dir / "archive").rglob(f"{table.id}.zst")):
        archiving.run_due(context, BackOff())
    return table


def remove_from_redis(client: Redis, table: Table) -> None:
    client.delete(*(key for key in client.scan_iter() if table.id.encode() in key))


def test_every_url_of_an_archived_game_answers_the_same(
    context: Context, redis_client: Redis, ana: Person, ben: Person
) -> None:
    table = archived_table(context, ana, ben, rated=True, clock=CLOCK)

    def answers() -> list[Any]:
        responses = []
        for path in PATHS:
            answer = ana.client.get(f"{table.path}{path}")
            responses.append(
                (path, answer.status_code, answer.headers.get("ETag"), answer.data if path else answer.json)
            )
        return responses

    before = answers()
    assert {200} == {status for _, status, *_ in before}
    remove_from_redis(redis_client, table)
    context.clear_caches()
    assert [entry[:3] for entry in before] == [entry[:3] for entry in answers()]
    remove_from_redis(redis_client, table)
    context.clear_caches()
    assert before == answers()


def test_a_conditional_request_for_an_archived_game_is_answered_without_a_body(
    context: Context, redis_client: Redis, ana: Person, ben: Person
) -> None:
    table = archived_table(context, ana, ben)
    etag = ana.client.get(table.path).headers["ETag"]
    remove_from_redis(redis_client, table)
    assert 304 == ana.client.get(table.path, **{"If-None-Match": etag}).status_code


def test_an_archived_game_is_reviewed(context: Context, redis_client: Redis, ana: Person, ben: Person) -> None:
    table = archived_table(context, ana, ben)
    before = [(revision, action) for revision, _, action in analyses.decisions(context, table.id)]
    remove_from_redis(redis_client, table)
    made = ana.client.post(f"{table.path}/analyses", {"kind": "review"})
    assert 202 == made.status_code, made.json
    remove_from_redis(redis_client, table)  # while the review waits
    assert 4 >= len(before) > 0
    assert before == [(revision, action) for revision, _, action in analyses.decisions(context, table.id)]


def test_an_unavailable_archive_is_reported_and_redis_is_still_served(
    context: Context, redis_client: Redis, ana: Person, ben: Person
) -> None:
    old, new = archived_table(context, ana, ben), archived_table(context, ana, ben)
    remove_from_redis(redis_client, old)
    folder = context.settings.data_dir / "archive"
    folder.rename(folder.with_name("elsewhere"))
    folder.write_text("a file where the folder should be")
    for path in (old.path, f"{old.path}/history", f"{old.path}/board.svg"):
        answer = ana.client.get(path)
        assert (503, "service/unavailable") == refusal_of(answer)
        assert "archive" == (answer.json or {})["outage"]
        assert int(answer.headers["Retry-After"]) > 0
    assert 200 == ana.client.get(new.path).status_code
    folder.unlink()
    folder.with_name("elsewhere").rename(folder)
    assert 200 == ana.client.get(old.path).status_code


def test_a_players_games_are_paged_through_the_archive(
    context: Context, redis_client: Redis, anyone: Client, ana: Person, ben: Person
) -> None:
    tables = [archived_table(context, ana, ben, visibility="public") for _ in range(3)]
    for table in tables[:2]:
        remove_from_redis(redis_client, table)
    for client, path in ((ana.client, "/v1/me/games"), (anyone, f"/v1/players/{ana.id}/games")):
        seen, query = list[str](), "?limit=1"
        while query:
            page = body_of(client.get(f"{path}{query}"))
            seen += [game["id"] for game in page["games"]]
            query = page["next_cursor"] and f"?limit=1&cursor={page['next_cursor']}"
        assert [table.id for table in reversed(tables)] == seen
    assert (422, "request/invalid") == refusal_of(ana.client.get("/v1/me/games?cursor=archived.x"))


def test_a_deleted_player_is_removed_from_archived_games(
    context: Context, redis_client: Redis, anyone: Client, ana: Person, ben: Person
) -> None:
    table = archived_table(context, ana, ben)
    remove_from_redis(redis_client, table)
    assert [table.id] == [game["id"] for game in body_of(ana.client.get("/v1/me/export"))["games"]]
    assert 204 == ana.client.delete("/v1/me").status_code
    while archiving.run_due(context, BackOff()).done:
        pass
    remove_from_redis(redis_client, table)
    for path in ("", "/history", "/export"):
        text = anyone.get(f"{table.path}{path}").get_data(as_text=True)
        assert ana.id not in text
        assert "Ana" not in text
        assert table.id in text or path == "/history"
