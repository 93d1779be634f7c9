"""Seeks over HTTP: the lobby, waits, streams, and invalid requests."""

from __future__ import annotations

import itertools
from typing import Any

import orjson

from service.usecases.base.context import Context
from service.usecases.notifications import dispatch
from tests.usecases.waiting import wait_result, waits_without_news
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.players import Person, new_player
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

NDJSON = "application/x-ndjson"
AZUL: Json = {"ruleset": "azul", "variant": "grey"}


def seek(person: Person, **more: Any) -> Json:
    return body_of(person.client.post("/v1/seeks", {**AZUL, **more}), 201)


def test_two_equal_seeks_are_paired(anyone: Client, ana: Person, ben: Person) -> None:
    clock = {"turn_s": 30, "bank_s": 300}
    first = seek(ana, clock=clock)
    assert ("open", ana.id, 2) == (first["status"], first["player"]["id"], first["seats"])
    assert {"turn_s": 30, "bank_s": 300, "on_timeout": "ai", "level": "greedy"} == first["clock"]
    assert [first] == body_of(anyone.get("/v1/seeks"))["seeks"]
    second = seek(ben, clock=clock)
    assert first["id"] == body_of(ana.client.get(f"/v1/seeks/{first['id']}"))["id"]
    game = body_of(ana.client.get(f"/v1/games/{second['game_id']}"))
    assert {ana.id, ben.id} == {seat["player"] for seat in game["seats"]}
    assert [game["id"]] == [*ana.turns(), *ben.turns()]
    assert [] == body_of(anyone.get("/v1/seeks"))["seeks"]


def test_a_long_poll_ends_with_the_game(ana: Person, ben: Person, context: Context) -> None:
    first = seek(ana)
    shown = body_of(wait_result(context, lambda: ana.client.get(f"/v1/seeks/{first['id']}?wait=60"), lambda: seek(ben)))
    assert ("paired", None) == (shown["status"], shown["ends_at"])
    assert shown["game_id"]


def test_a_long_poll_without_a_partner_returns_the_open_seek(ana: Person, context: Context) -> None:
    first = seek(ana)
    with waits_without_news(context) as waits:
        assert "open" == body_of(ana.client.get(f"/v1/seeks/{first['id']}?wait=20"))["status"]
    assert [20] == waits


def test_the_lobby_is_filtered_and_anyone_can_join(anyone: Client, ana: Person, ben: Person) -> None:
    first = seek(ana, seats=2)
    seek(new_player(anyone, "Cleo"), seats=4)
    for query, count in (
        ("", 2),
        ("?seats=4", 1),
        ("?ruleset=azul&variant=grey&seats=2", 1),
        ("?variant=coloured", 0),
    ):
        assert count == len(body_of(anyone.get(f"/v1/seeks{query}"))["seeks"])
    joined = ben.client.post(f"/v1/seeks/{first['id']}/join")
    assert "paired" == body_of(joined, 201)["status"]
    assert joined.headers["Location"].endswith(body_of(joined)["id"])


def test_a_player_who_joins_a_seek_of_three_waits(anyone: Client, ana: Person, ben: Person) -> None:
    first = seek(ana, seats=3)
    assert "open" == body_of(ben.client.post(f"/v1/seeks/{first['id']}/join"), 201)["status"]
    last = new_player(anyone)
    assert "paired" == seek(last, seats=3)["status"]


def test_only_its_player_reads_and_deletes_a_seek(anyone: Client, ana: Person, ben: Person) -> None:
    first = seek(ana, seats=4)
    path = f"/v1/seeks/{first['id']}"
    assert (404, "seek/not_found") == refusal_of(ben.client.get(path))
    assert (404, "seek/not_found") == refusal_of(ben.client.delete(path))
    assert (401, "auth/token_required") == refusal_of(anyone.get(path))
    assert 204 == ana.client.delete(path).status_code
    assert (404, "seek/not_found") == refusal_of(ana.client.get(path))


def lines(answer: Any, count: int) -> list[Json]:
    items = (chunk for chunk in answer.response if chunk.strip())
    return [orjson.loads(item) for item in itertools.islice(items, count)]


def test_a_stream_sends_the_seek_and_the_game(ana: Person, ben: Person) -> None:
    first = seek(ana)
    headers = {"Authorization": f"Bearer {ana.token}", "Accept": NDJSON}
    answer = ana.client.flask.get(f"/v1/seeks/{first['id']}/events", headers=headers)
    (shown,) = lines(answer, 1)
    assert (200, NDJSON, "open") == (answer.status_code, answer.mimetype, shown["status"])
    game = seek(ben)["game_id"]
    assert [("paired", game)] == [(item["status"], item["game_id"]) for item in lines(answer, 1)]
    answer.close()


def test_a_seek_ends_with_its_stream(anyone: Client, ana: Person) -> None:
    first = seek(ana, keep_s=600)
    headers = {"Authorization": f"Bearer {ana.token}"}
    answer = ana.client.flask.get(f"/v1/seeks/{first['id']}/events", headers=headers)
    assert b"retry" in next(iter(answer.response))
    answer.close()
    assert [] == body_of(anyone.get("/v1/seeks"))["seeks"]


def test_a_webhook_receives_the_start_of_the_game(ana: Person, ben: Person, context: Any) -> None:
    body_of(ana.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    seek(ana, keep_s=86_400)
    game = seek(ben)["game_id"]
    dispatch.drain(context)
    (hook,) = context.webhooks.get_all(ana.id)
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


def test_an_invalid_seek_is_refused_with_its_pointer(ana: Person) -> None:
    for pointer, body in wrong_bodies({**AZUL, "clock": {"turn_s": 30}, "fill": {"level": "club"}}, FAULTS):
        assert [pointer] == invalid_fields(ana.client.post("/v1/seeks", body)), body
    assert ["/clock"] == invalid_fields(ana.client.post("/v1/seeks", {**AZUL, "rated": True}))
