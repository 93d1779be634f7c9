"""Long records, which a background worker reads in."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import pytest
import redis
from flask import Flask

from service.games.state.bounds import MAX_EVENTS
from service.storage.work.queue import BACKGROUND
from service.usecases.work import background, imports
from tests.rulesets.golden import games
from tests.stored import keys
from tests.usecases.waiting import woken
from tests.web import limited
from tests.web.client import Client, Json, answered, invalid, refused
from tests.web.limited import Serve
from tests.web.players import Person
from tests.web.recorded import AT, exported, long_record, plain, read_in
from tests.web.table import Table

KEY = "4c1f2a77-9a53-4f4e-8f0e-6a4b9a1d2c33"


def started(client: Client, record: Json, **headers: str) -> Json:
    """The answer to who asks for the import of a long record."""
    answer = client.post("/v1/games/import", record, **headers)
    described = answered(answer, 202)
    assert f"/v1/imports/{described['id']}" == answer.headers["Location"]
    return described


def look(client: Client, task: Json, query: str = "", **headers: str) -> Json:
    return answered(client.get(f"/v1/imports/{task['id']}{query}", **headers))


@pytest.mark.parametrize("ruleset", sorted({ruleset.id for _, ruleset, *_ in games()}))
def test_a_long_record_becomes_a_game_whose_tokens_were_told_at_once(
    app: Flask, anyone: Client, work: Callable[[], None], ruleset: str
) -> None:
    record = long_record(ruleset)
    task = started(anyone, record)
    assert ("waiting", None, None) == (task["status"], task["game_id"], task["refusal"])
    done = woken(app.extensions["context"], lambda: look(anyone, task, "?after=1&wait=60"), work)
    assert ("done", None) == (done["status"], done["refusal"])
    table = Table(done["game_id"], task["tokens"], anyone)
    assert (ruleset, "finished") == (table.view()["ruleset"], table.view()["status"])
    assert len(record["events"]) + 1 == table.view()["revision"]
    assert plain(record["events"]) == plain(exported(table)["events"][:-1])
    assert 201 == table.seat(0).post(f"{table.path}/rematch").status_code


def test_a_record_is_short_up_to_its_hundredth_event(anyone: Client) -> None:
    record = long_record()
    for count, status in ((imports.SHORT, 201), (imports.SHORT + 1, 202)):
        answer = anyone.post("/v1/games/import", {**record, "events": record["events"][:count]})
        assert status == answer.status_code


def test_the_first_event_that_cannot_be_is_told_by_the_task(anyone: Client) -> None:
    record = long_record()
    record["events"][110]["revision"] = 7
    task = started(anyone, record)
    read_in(anyone, task["id"])
    english, german = (look(anyone, task, Accept_Language=language) for language in ("en", "de"))
    assert ("failed", None) == (english["status"], english["game_id"])
    refusal = english["refusal"]
    assert ("record/illegal_event", 111) == (refusal["code"], refusal["event"])
    assert "The revision must be 111." == refusal["detail"]
    assert refusal["title"] != german["refusal"]["title"]
    assert [] == answered(anyone.get("/v1/games"))["games"]


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"variant": "purple"}, "/variant"),
        ({"ruleset_version": 99}, "/ruleset_version"),
        ({"seed": "11" * 32, "seed_commitment": "22" * 32}, "/seed"),
        ({"events": [{"kind": "created", "revision": 1, "at": AT}] * (MAX_EVENTS + 1)}, "/events"),
    ],
)
def test_what_is_agreed_in_a_long_record_is_looked_at_at_once(anyone: Client, changed: Json, pointer: str) -> None:
    assert pointer in invalid(anyone.post("/v1/games/import", {**long_record(), **changed}))


def test_the_same_key_brings_the_same_task_and_tokens_before_and_after_it_is_done(anyone: Client) -> None:
    record = long_record()
    first, again = (started(anyone, record, Idempotency_Key=KEY) for _ in range(2))
    assert first == again
    read_in(anyone, first["id"])
    later = started(anyone, record, Idempotency_Key=KEY)
    assert (first["id"], first["tokens"], "done") == (later["id"], later["tokens"], later["status"])
    table = Table(later["game_id"], later["tokens"], anyone)
    assert 201 == table.seat(0).post(f"{table.path}/rematch").status_code
    other = anyone.post("/v1/games/import", {**record, "id": "another"}, Idempotency_Key=KEY)
    assert (422, "idempotency/mismatch") == refused(other)


def test_the_same_key_many_times_at_once_brings_one_task_and_one_game(
    app: Flask, work: Callable[[], None], redis_client: redis.Redis
) -> None:
    record = long_record()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: started(Client(app.test_client()), record, Idempotency_Key=KEY), range(8)))
    assert 1 == len({(one["id"], one["tokens"]["host"]) for one in answers})
    work()
    done = look(Client(app.test_client()), answers[0])
    assert "done" == done["status"]
    assert 1 == len(list(redis_client.scan_iter("*task:*")))


def test_who_was_killed_before_work_was_asked_for_is_made_good_by_a_repeated_request(
    anyone: Client, app: Flask, work: Callable[[], None], redis_client: redis.Redis
) -> None:
    task = started(anyone, long_record(), Idempotency_Key=KEY)
    app.extensions["context"].backlogs[BACKGROUND].drop([f"import {task['id']} 0"])
    work()
    assert "waiting" == look(anyone, task)["status"]
    assert task == started(anyone, long_record(), Idempotency_Key=KEY)
    work()
    assert "done" == look(anyone, task)["status"]


def test_a_worker_that_was_killed_before_its_report_leaves_one_game(anyone: Client, app: Flask) -> None:
    task, context = started(anyone, long_record()), app.extensions["context"]
    with mock.patch.object(context.tasks, "report", side_effect=SystemExit), pytest.raises(SystemExit):
        read_in(anyone, task["id"])
    read_in(anyone, task["id"])
    done = look(anyone, task)
    assert "done" == done["status"]
    assert long_record()["id"] == exported(Table(done["game_id"], task["tokens"], anyone))["events"][-1]["source"]


def test_nothing_that_is_stored_of_an_import_opens_its_game(anyone: Client, redis_client: redis.Redis) -> None:
    task = started(anyone, long_record(), Idempotency_Key=KEY)
    read_in(anyone, task["id"])
    named = task["tokens"]
    kept = str(keys.dump(redis_client))
    every = (named["host"], named["invite"], named["watch"], *named["seats"].values())
    assert [] == [one for one in every if one in kept]
    assert KEY not in kept


@pytest.mark.parametrize("spoilt", [False, True])
def test_a_record_is_kept_no_longer_than_it_is_needed(anyone: Client, app: Flask, *, spoilt: bool) -> None:
    record = long_record()
    if spoilt:
        record["events"][110]["revision"] = 7
    task, tasks = started(anyone, record), app.extensions["context"].tasks
    assert len(tasks.get(background.IMPORT, task["id"]).request) > 10_000
    read_in(anyone, task["id"])
    assert b"{}" == tasks.get(background.IMPORT, task["id"]).request


def test_a_player_who_imports_is_the_host(anyone: Client, ana: Person) -> None:
    task = started(ana.client, long_record())
    read_in(anyone, task["id"])
    path = f"/v1/games/{look(ana.client, task)['game_id']}"
    assert 201 == ana.client.post(f"{path}/tokens", {"role": "invite"}).status_code


def test_who_has_too_much_waiting_is_refused_and_may_send_the_same_again(serve: Serve) -> None:
    client, record = serve(LIMIT_BACKGROUND="1"), long_record()
    cost = imports.COST_S * len(record["events"])
    while cost <= 1 - client.flask.application.extensions["context"].backlogs[BACKGROUND].queued_s(limited.LOCAL):
        waiting = started(client, record)
    answer = client.post("/v1/games/import", record, Idempotency_Key=KEY)
    assert (429, "limit/background") == refused(answer)
    assert int(answer.headers["Retry-After"]) >= 1
    client.flask.application.extensions["context"].backlogs[BACKGROUND].drop([f"import {waiting['id']} 0"])
    started(client, record, Idempotency_Key=KEY)


def test_games_that_are_imported_count_among_those_that_a_caller_has_created(serve: Serve) -> None:
    client, record = serve(LIMIT_OPEN_GAMES="1"), long_record()
    unfinished = {**record, "events": record["events"][:-1]}
    first, second = started(client, unfinished), started(client, unfinished)
    for task in (first, second):
        read_in(client, task["id"])
    assert "done" == look(client, first)["status"]
    assert "limit/open_games" == look(client, second)["refusal"]["code"]
