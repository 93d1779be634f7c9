"""Competitions over HTTP: announcements, the list, waits, streams, and invalid requests."""

from __future__ import annotations

import itertools
from functools import partial
from operator import itemgetter
from typing import Any

import orjson

from service.usecases.base.context import Context
from service.usecases.keeping import duties
from service.usecases.notifications import dispatch
from tests.usecases.waiting import wait_result, waits_without_news
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.players import Person, new_player
from tests.web.wrong_bodies import Faults, wrong_bodies

NDJSON = "application/x-ndjson"
OPEN: Json = {
    "name": "Open",
    "format": "swiss",
    "ruleset": "azul",
    "variant": "grey",
    "clock": {"turn_s": 30, "bank_s": 60},
    "rounds": 1,
}


def announce(person: Person, **more: Any) -> Json:
    return body_of(person.client.post("/v1/competitions", {**OPEN, **more}), 201)


def join(person: Person, competition: str, **body: Any) -> Json:
    return body_of(person.client.post(f"/v1/competitions/{competition}/join", body), 200)


def test_a_competition_runs_from_its_announcement_to_its_end(
    anyone: Client, ana: Person, ben: Person, context: Context
) -> None:
    body_of(ben.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    made = announce(ana, by_invitation=True)
    path = f"/v1/competitions/{made['id']}"
    assert ("coming", "swiss", 2, []) == itemgetter("status", "format", "seats", "standings")(made)
    assert "lose" == made["clock"]["on_timeout"]
    assert made["invitation"] == body_of(ana.client.get(path))["invitation"]
    assert body_of(anyone.get(path))["invitation"] is None
    for person in (ana, ben):
        join(person, made["id"], invitation=made["invitation"])
    body_of(ana.client.post(f"{path}/start"), 200)
    duties.run_due(context, duties.BackOff())
    running = body_of(anyone.get(path))
    (game,) = running["current_games"]
    assert ("running", 1) == (running["status"], running["round"])
    assert {ana.id, ben.id} == {one["player"] for one in game["players"]}
    assert [game["game_id"]] == [*ana.turns(), *ben.turns()]
    dispatch.drain(context)
    (hook,) = context.webhooks.get_all(ben.id)
    event_types = [orjson.loads(one.payload)["type"] for one in context.webhooks.deliveries(ben.id, hook.id)]
    assert "game_started" in event_types
    body_of(ben.client.post(f"/v1/games/{game['game_id']}/resignation"), 201)
    for _ in range(2):
        duties.run_due(context, duties.BackOff())
    final_view = body_of(anyone.get(path))
    assert "over" == final_view["status"]
    assert [(ana.id, 1), (ben.id, 0)] == [*map(itemgetter("player", "score"), final_view["standings"])]
    assert [final_view["id"]] == [
        one["id"] for one in body_of(anyone.get("/v1/competitions?status=over"))["competitions"]
    ]
    assert 1 == len(body_of(anyone.get(f"{path}/games?round=1"))["games"])
    assert [] == body_of(anyone.get(f"{path}/games?round=2"))["games"]


def test_entity_tags_and_long_polls_detect_changes(anyone: Client, ana: Person, ben: Person, context: Context) -> None:
    made = announce(ana)
    path = f"/v1/competitions/{made['id']}"
    first = anyone.get(path)
    tag = first.headers["ETag"]
    assert f'"{body_of(first)["version"]}"' == tag
    assert 304 == anyone.get(path, If_None_Match=tag).status_code
    version = body_of(first)["version"]
    ask = partial(anyone.get, f"{path}?after={version}&wait=60")
    with waits_without_news(context) as waits:
        assert 204 == ask().status_code
    assert [60] == waits
    assert 1 == body_of(wait_result(context, ask, lambda: join(ben, made["id"])))["players"]


def test_a_stream_sends_every_change_until_the_end(anyone: Client, ana: Person, ben: Person) -> None:
    made = announce(ana)
    path = f"/v1/competitions/{made['id']}"
    answer = anyone.get(f"{path}/events", Accept=NDJSON)
    parts = (part for part in answer.iter_encoded() if part.strip())
    assert 0 == orjson.loads(next(parts))["players"]
    join(ben, made["id"])
    assert 1 == orjson.loads(next(parts))["players"]
    assert 204 == ana.client.delete(path).status_code
    assert "cancelled" == orjson.loads(next(parts))["status"]
    assert [] == list(itertools.islice(parts, 1))


def test_the_list_comes_in_pages(anyone: Client, ana: Person) -> None:
    ids = {announce(ana)["id"] for _ in range(3)}
    first = anyone.get("/v1/competitions?limit=2")
    assert "first=2" in first.headers["Link"]
    rest = anyone.get("/v1/competitions?limit=2&first=2")
    assert "Link" not in rest.headers
    assert ids == {one["id"] for one in (body_of(first)["competitions"] + body_of(rest)["competitions"])}
    assert ids == {one["id"] for one in body_of(ana.client.get("/v1/me/competitions"))["hosted"]}


def test_a_repeated_announcement_creates_one_competition(ana: Person) -> None:
    key = "0123456789-0123456789"
    first, again = (ana.client.post("/v1/competitions", OPEN, Idempotency_Key=key) for _ in range(2))
    assert body_of(first, 201)["id"] == body_of(again, 201)["id"]
    assert first.headers["Location"] == f"/v1/competitions/{body_of(first)['id']}"


def test_a_host_removes_players_by_handle_or_id(anyone: Client, ana: Person, ben: Person) -> None:
    made = announce(ana)
    join(ben, made["id"])
    path = f"/v1/competitions/{made['id']}/players/{ben.id}"
    assert 204 == ana.client.delete(path).status_code
    assert (403, "competition/removed") == refusal_of(ben.client.post(f"/v1/competitions/{made['id']}/join"))
    assert (403, "auth/host_only") == refusal_of(new_player(anyone).client.delete(path))


FAULTS: Faults = {
    "/variant": ["standard"],
    "/format": ["knockout"],
    "/clock": [None],
    "/clock/turn_s": [601],
    "/rounds": [16],
    "/minutes": [5],
    "/name": ["\u202e"],
    "/most_players": [257],
    "/starts_at": ["tomorrow", "2001-01-01T00:00:00Z"],
    "/open_to": ["cats"],
    "/visibility": ["private"],
    "/secret": [1],
}


def test_an_invalid_announcement_is_refused_with_its_pointer(ana: Person) -> None:
    for pointer, body in wrong_bodies(OPEN, FAULTS):
        assert [pointer] == invalid_fields(ana.client.post("/v1/competitions", body)), body
    arena = {**OPEN, "format": "arena", "pause_s": 5, "rounds": None}
    assert ["/pause_s"] == invalid_fields(ana.client.post("/v1/competitions", arena))
