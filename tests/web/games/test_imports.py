"""Long records, which a background worker imports."""

from __future__ import annotations

from unittest import mock

import pytest
from flask import Flask
from redis import Redis

from service.games.state.bounds import MAX_EVENTS
from service.storage.work.queue import BACKGROUND
from service.usecases.base.context import Caller
from service.usecases.work import background, imports
from tests.rulesets.golden import games
from tests.stored import keys
from tests.threads import run_at_once
from tests.usecases.waiting import wait_result
from tests.web import limited_service
from tests.web.client import Client, Json, body_of, check_replayed, invalid_fields, refusal_of
from tests.web.game_records import AT, export_table, long_record, plain_events, process_import
from tests.web.limited_service import NEW_GAME, Serve
from tests.web.players import Person
from tests.web.table import Table, Work

KEY = "4c1f2a77-9a53-4f4e-8f0e-6a4b9a1d2c33"


def start_import(client: Client, record: Json, **headers: str) -> Json:
    """Ask for the import of a long record and return the task."""
    answer = client.post("/v1/games/import", record, **headers)
    task = body_of(answer, 202)
    assert f"/v1/imports/{task['id']}" == answer.headers["Location"]
    return task


def read_task(client: Client, task: Json, query: str = "", **headers: str) -> Json:
    return body_of(client.get(f"/v1/imports/{task['id']}{query}", **headers))


@pytest.mark.parametrize("ruleset", sorted({ruleset.id for _, ruleset, *_ in games()}))
def test_a_long_record_becomes_a_game_with_the_tokens_of_its_task(
    app: Flask, anyone: Client, work: Work, ruleset: str
) -> None:
    record = long_record(ruleset)
    task = start_import(anyone, record)
    assert ("waiting", None, None) == (task["status"], task["game_id"], task["refusal"])
    done = wait_result(app.extensions["context"], lambda: read_task(anyone, task, "?after=1&wait=60"), work)
    assert ("done", None) == (done["status"], done["refusal"])
    table = Table(done["game_id"], task["tokens"], anyone)
    assert (ruleset, "finished") == (table.view()["ruleset"], table.view()["status"])
    assert len(record["events"]) + 1 == table.view()["revision"]
    assert plain_events(record["events"]) == plain_events(export_table(table)["events"][:-1])
    assert 201 == table.seat(0).post(f"{table.path}/rematch").status_code


def test_a_record_is_short_up_to_its_hundredth_event(anyone: Client) -> None:
    record = long_record()
    for count, status in ((imports.SHORT, 201), (imports.SHORT + 1, 202)):
        answer = anyone.post("/v1/games/import", {**record, "events": record["events"][:count]})
        assert status == answer.status_code


def test_a_task_names_the_first_illegal_event(anyone: Client) -> None:
    record = long_record()
    record["events"][110]["revision"] = 7
    task = start_import(anyone, record)
    process_import(anyone, task["id"])
    english, german = (read_task(anyone, task, Accept_Language=language) for language in ("en", "de"))
    assert ("failed", None) == (english["status"], english["game_id"])
    refusal = english["refusal"]
    assert ("record/illegal_event", 111) == (refusal["code"], refusal["event"])
    assert "The revision must be 111." == refusal["detail"]
    assert refusal["title"] != german["refusal"]["title"]
    assert [] == body_of(anyone.get("/v1/games"))["games"]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"variant": "purple"}, "/variant"),
        ({"ruleset_version": 99}, "/ruleset_version"),
        ({"seed": "11" * 32, "seed_commitment": "22" * 32}, "/seed"),
        ({"events": [{"kind": "created", "revision": 1, "at": AT}] * (MAX_EVENTS + 1)}, "/events"),
    ],
)
def test_the_head_of_a_long_record_is_checked_at_once(anyone: Client, changes: Json, pointer: str) -> None:
    assert pointer in invalid_fields(anyone.post("/v1/games/import", {**long_record(), **changes}))


def test_a_repeated_key_returns_the_same_task_and_tokens(anyone: Client) -> None:
    record = long_record()
    sent, again = (anyone.post("/v1/games/import", record, Idempotency_Key=KEY) for _ in range(2))
    first = check_replayed(sent, again, 202)
    process_import(anyone, first["id"])
    finished_task = start_import(anyone, record, Idempotency_Key=KEY)
    assert (first["id"], first["tokens"], "done") == (
        finished_task["id"],
        finished_task["tokens"],
        finished_task["status"],
    )
    table = Table(finished_task["game_id"], finished_task["tokens"], anyone)
    assert 201 == table.seat(0).post(f"{table.path}/rematch").status_code
    other = anyone.post("/v1/games/import", {**record, "id": "another"}, Idempotency_Key=KEY)
    assert (422, "idempotency/mismatch") == refusal_of(other)


def test_simultaneous_imports_with_one_key_create_one_game(app: Flask, work: Work, redis_client: Redis) -> None:
    record = long_record()
    clients = [Client(app.test_client()) for _ in range(8)]
    answers = run_at_once(lambda client: start_import(client, record, Idempotency_Key=KEY), clients)
    assert 1 == len({(one["id"], one["tokens"]["host"]) for one in answers})
    work()
    done = read_task(Client(app.test_client()), answers[0])
    assert "done" == done["status"]
    assert 1 == len(list(redis_client.scan_iter("*task:*")))


def test_a_repeated_request_queues_work_that_a_kill_lost(
    anyone: Client, app: Flask, work: Work, redis_client: Redis
) -> None:
    task = start_import(anyone, long_record(), Idempotency_Key=KEY)
    app.extensions["context"].backlogs[BACKGROUND].drop([f"import {task['id']} 0"])
    work()
    assert "waiting" == read_task(anyone, task)["status"]
    assert task == start_import(anyone, long_record(), Idempotency_Key=KEY)
    work()
    assert "done" == read_task(anyone, task)["status"]


def test_a_worker_killed_before_its_report_creates_one_game(anyone: Client, app: Flask) -> None:
    task, context = start_import(anyone, long_record()), app.extensions["context"]
    with mock.patch.object(context.tasks, "report", side_effect=SystemExit), pytest.raises(SystemExit):
        process_import(anyone, task["id"])
    process_import(anyone, task["id"])
    done = read_task(anyone, task)
    assert "done" == done["status"]
    assert long_record()["id"] == export_table(Table(done["game_id"], task["tokens"], anyone))["events"][-1]["source"]


def test_the_stored_import_contains_no_token(anyone: Client, redis_client: Redis) -> None:
    task = start_import(anyone, long_record(), Idempotency_Key=KEY)
    process_import(anyone, task["id"])
    task_tokens = task["tokens"]
    stored = str(keys.dump(redis_client))
    tokens = (task_tokens["host"], task_tokens["invite"], task_tokens["watch"], *task_tokens["seats"].values())
    assert [] == [one for one in tokens if one in stored]
    assert KEY not in stored


@pytest.mark.parametrize("has_error", [False, True])
def test_the_record_is_deleted_after_the_import(anyone: Client, app: Flask, *, has_error: bool) -> None:
    record = long_record()
    if has_error:
        record["events"][110]["revision"] = 7
    task, tasks = start_import(anyone, record), app.extensions["context"].tasks
    assert len(tasks.get(background.IMPORT, task["id"]).request) > 10_000
    process_import(anyone, task["id"])
    assert b"{}" == tasks.get(background.IMPORT, task["id"]).request


def test_a_player_who_imports_is_the_host(anyone: Client, ana: Person) -> None:
    task = start_import(ana.client, long_record())
    process_import(anyone, task["id"])
    path = f"/v1/games/{read_task(ana.client, task)['game_id']}"
    assert 201 == ana.client.post(f"{path}/tokens", {"role": "invite"}).status_code


def test_an_import_beyond_the_limit_is_refused_and_can_be_repeated(serve: Serve) -> None:
    client, record = serve(LIMIT_BACKGROUND="1"), long_record()
    cost = imports.COST_S * len(record["events"])
    payer = f"caller:{Caller(origin=limited_service.LOCAL).share}"
    while cost <= 1 - client.flask.application.extensions["context"].backlogs[BACKGROUND].queued_s(payer):
        waiting = start_import(client, record)
    answer = client.post("/v1/games/import", record, Idempotency_Key=KEY)
    assert (429, "limit/background") == refusal_of(answer)
    assert int(answer.headers["Retry-After"]) >= 1
    client.flask.application.extensions["context"].backlogs[BACKGROUND].drop([f"import {waiting['id']} 0"])
    start_import(client, record, Idempotency_Key=KEY)


def test_imported_games_count_as_created(serve: Serve) -> None:
    client, record = serve(LIMIT_OPEN_GAMES="1"), long_record()
    unfinished = {**record, "events": record["events"][:-1]}
    task = start_import(client, unfinished)
    assert (429, "limit/open_games") == refusal_of(client.post("/v1/games/import", unfinished))
    process_import(client, task["id"])
    assert "done" == read_task(client, task)["status"]
    assert (429, "limit/open_games") == refusal_of(client.post("/v1/games/import", unfinished))
    assert (429, "limit/open_games") == refusal_of(client.post("/v1/games", NEW_GAME))
