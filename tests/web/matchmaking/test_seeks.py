"""Seeks over HTTP: the lobby, waiting, following, and what is wrong with a request."""

from __future__ import annotations

import itertools
from typing import Any

import orjson

from service.usecases.base.context import Context
from service.usecases.notifications import dispatch
from tests.usecases.waiting import in_vain, woken
from tests.web.client import Client, Json, answered, invalid, refused
from tests.web.players import Person, new_player
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

NDJSON = "application/x-ndjson"
AZUL: Json = {"ruleset": "azul", "variant": "grey"}


def seek(person: Person, **more: Any) -> Json:
    return answered(person.client.post("/v1/seeks", {**AZUL, **more}), 201)


def test_two_strangers_meet_by_seeking_the_same(anyone: Client, ana: Person, ben: Person) -> None:
    clock = {"turn_s": 30, "bank_s": 300}
    first = seek(ana, clock=clock)
    assert ("open", ana.id, 2) == (first["status"], first["player"]["id"], first["seats"])
    assert {"turn_s": 30, "bank_s": 300, "on_timeout": "ai", "level": "greedy"} == first["clock"]
    assert [first] == answered(anyone.get("/v1/seeks"))["seeks"]
    second = seek(ben, clock=clock)
    assert first["id"] == answered(ana.client.get(f"/v1/seeks/{first['id']}"))["id"]
    game = answered(ana.client.get(f"/v1/games/{second['game_id']}"))
    assert {ana.id, ben.id} == {seat["player"] for seat in game["seats"]}
    assert [game["id"]] == [*ana.turns(), *ben.turns()]
    assert [] == answered(anyone.get("/v1/seeks"))["seeks"]


def test_a_long_poll_ends_with_the_game(ana: Person, ben: Person, context: Context) -> None:
    first = seek(ana)
    told = answered(woken(context, lambda: ana.client.get(f"/v1/seeks/{first['id']}?wait=60"), lambda: seek(ben)))
    assert ("paired", None) == (told["status"], told["ends_at"])
    assert told["game_id"]


def test_a_long_poll_that_runs_out_tells_that_one_waits(ana: Person, context: Context) -> None:
    first = seek(ana)
    with in_vain(context) as waits:
        assert "open" == answered(ana.client.get(f"/v1/seeks/{first['id']}?wait=20"))["status"]
    assert [20] == waits


def test_the_lobby_is_filtered_and_anyone_may_take_a_seek(anyone: Client, ana: Person, ben: Person) -> None:
    first = seek(ana, seats=2)
    seek(new_player(anyone, "Cleo"), seats=4)
    for query, wanted in (
        ("", 2),
        ("?seats=4", 1),
        ("?ruleset=azul&variant=grey&seats=2", 1),
        ("?variant=coloured", 0),
    ):
        assert wanted == len(answered(anyone.get(f"/v1/seeks{query}"))["seeks"])
    joined = ben.client.post(f"/v1/seeks/{first['id']}/join")
    assert "paired" == answered(joined, 201)["status"]
    assert joined.headers["Location"].endswith(answered(joined)["id"])


def test_one_who_joins_a_seek_of_three_waits_with_them(anyone: Client, ana: Person, ben: Person) -> None:
    first = seek(ana, seats=3)
    assert "open" == answered(ben.client.post(f"/v1/seeks/{first['id']}/join"), 201)["status"]
    last = new_player(anyone)
    assert "paired" == seek(last, seats=3)["status"]


def test_a_seek_is_its_players_alone(anyone: Client, ana: Person, ben: Person) -> None:
    first = seek(ana, seats=4)
    path = f"/v1/seeks/{first['id']}"
    assert (404, "seek/not_found") == refused(ben.client.get(path))
    assert (404, "seek/not_found") == refused(ben.client.delete(path))
    assert (401, "auth/token_required") == refused(anyone.get(path))
    assert 204 == ana.client.delete(path).status_code
    assert (404, "seek/not_found") == refused(ana.client.get(path))


def lines(answer: Any, count: int) -> list[Json]:
    items = (chunk for chunk in answer.response if chunk.strip())
    return [orjson.loads(item) for item in itertools.islice(items, count)]


def test_a_stream_tells_the_seek_and_the_game(ana: Person, ben: Person) -> None:
    first = seek(ana)
    headers = {"Authorization": f"Bearer {ana.token}", "Accept": NDJSON}
    answer = ana.client.flask.get(f"/v1/seeks/{first['id']}/events", headers=headers)
    (told,) = lines(answer, 1)
    assert (200, NDJSON, "open") == (answer.status_code, answer.mimetype, told["status"])
    game = seek(ben)["game_id"]
    assert [("paired", game)] == [(item["status"], item["game_id"]) for item in lines(answer, 1)]
    answer.close()


def test_a_seek_ends_with_its_stream(anyone: Client, ana: Person) -> None:
    first = seek(ana, keep_s=600)
    headers = {"Authorization": f"Bearer {ana.token}"}
    answer = ana.client.flask.get(f"/v1/seeks/{first['id']}/events", headers=headers)
    assert b"retry" in next(iter(answer.response))
    answer.close()
    assert [] == answered(anyone.get("/v1/seeks"))["seeks"]


def test_a_webhook_is_told_that_the_game_has_begun(ana: Person, ben: Person, context: Any) -> None:
    answered(ana.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    seek(ana, keep_s=86_400)
    game = seek(ben)["game_id"]
    dispatch.drain(context)
    (hook,) = context.webhooks.of(ana.id)
    payloads = [orjson.loads(one.payload) for one in context.webhooks.deliveries(ana.id, hook.id)]
    assert ("game_started", game) in [(one["type"], one["data"]["game"]["id"]) for one in payloads]


FAULTS: Faults = {
    "/variant": ["standard"],
    "/ruleset": ["chess"],
    "/seats": [1, 5, "2"],
    "/clock": [{"turn_s": 0}],
    "/clock/turn_s": [-1],
    "/fill/level": ["god", MISSING],
    "/fill/after_s": [4_000],
    "/keep_s": [29, 86_401],
    "/rated": [1],
    "/rating_range": [-1, 5_001],
}


def test_faults_are_told_with_their_places(ana: Person) -> None:
    for pointer, body in wrong_bodies({**AZUL, "clock": {"turn_s": 30}, "fill": {"level": "club"}}, FAULTS):
        assert [pointer] == invalid(ana.client.post("/v1/seeks", body)), body
    assert ["/clock"] == invalid(ana.client.post("/v1/seeks", {**AZUL, "rated": True}))
