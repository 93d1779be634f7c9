"""Competitions over HTTP: announcing, the list, waiting, following, and what is wrong with a request."""

from __future__ import annotations

import itertools
from functools import partial
from operator import itemgetter
from typing import Any

import orjson

from service.usecases.base.context import Context
from service.usecases.keeping import duties
from service.usecases.notifications import dispatch
from tests.usecases.waiting import in_vain, woken
from tests.web.client import Client, Json, answered, invalid, refused
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
    return answered(person.client.post("/v1/competitions", {**OPEN, **more}), 201)


def join(person: Person, competition: str, **body: Any) -> Json:
    return answered(person.client.post(f"/v1/competitions/{competition}/join", body), 200)


def test_a_competition_from_its_announcement_to_its_end(
    anyone: Client, ana: Person, ben: Person, context: Context
) -> None:
    answered(ben.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    made = announce(ana, by_invitation=True)
    path = f"/v1/competitions/{made['id']}"
    assert ("coming", "swiss", 2, []) == itemgetter("status", "format", "seats", "standings")(made)
    assert "lose" == made["clock"]["on_timeout"]
    assert made["invitation"] == answered(ana.client.get(path))["invitation"]
    assert answered(anyone.get(path))["invitation"] is None
    for person in (ana, ben):
        join(person, made["id"], invitation=made["invitation"])
    answered(ana.client.post(f"{path}/start"), 200)
    duties.look(context, duties.BackOff())
    running = answered(anyone.get(path))
    (game,) = running["current_games"]
    assert ("running", 1) == (running["status"], running["round"])
    assert {ana.id, ben.id} == {one["player"] for one in game["players"]}
    assert [game["game_id"]] == [*ana.turns(), *ben.turns()]
    dispatch.drain(context)
    (hook,) = context.webhooks.of(ben.id)
    told = [orjson.loads(one.payload)["type"] for one in context.webhooks.deliveries(ben.id, hook.id)]
    assert "game_started" in told
    answered(ben.client.post(f"/v1/games/{game['game_id']}/resignation"), 201)
    for _ in range(2):
        duties.look(context, duties.BackOff())
    over = answered(anyone.get(path))
    assert "over" == over["status"]
    assert [(ana.id, 1), (ben.id, 0)] == [*map(itemgetter("player", "score"), over["standings"])]
    assert [over["id"]] == [one["id"] for one in answered(anyone.get("/v1/competitions?status=over"))["competitions"]]
    assert 1 == len(answered(anyone.get(f"{path}/games?round=1"))["games"])
    assert [] == answered(anyone.get(f"{path}/games?round=2"))["games"]


def test_an_entity_tag_and_a_long_poll_tell_what_is_new(
    anyone: Client, ana: Person, ben: Person, context: Context
) -> None:
    made = announce(ana)
    path = f"/v1/competitions/{made['id']}"
    first = anyone.get(path)
    tag = first.headers["ETag"]
    assert f'"{answered(first)["version"]}"' == tag
    assert 304 == anyone.get(path, If_None_Match=tag).status_code
    version = answered(first)["version"]
    ask = partial(anyone.get, f"{path}?after={version}&wait=60")
    with in_vain(context) as waits:
        assert 204 == ask().status_code
    assert [60] == waits
    assert 1 == answered(woken(context, ask, lambda: join(ben, made["id"])))["players"]


def test_a_stream_tells_every_change_until_it_is_over(anyone: Client, ana: Person, ben: Person) -> None:
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
    assert ids == {one["id"] for one in (answered(first)["competitions"] + answered(rest)["competitions"])}
    assert ids == {one["id"] for one in answered(ana.client.get("/v1/me/competitions"))["hosted"]}


def test_a_repeated_announcement_is_one(ana: Person) -> None:
    key = "0123456789-0123456789"
    first, again = (ana.client.post("/v1/competitions", OPEN, Idempotency_Key=key) for _ in range(2))
    assert answered(first, 201)["id"] == answered(again, 201)["id"]
    assert first.headers["Location"] == f"/v1/competitions/{answered(first)['id']}"


def test_a_host_removes_by_handle_or_id(anyone: Client, ana: Person, ben: Person) -> None:
    made = announce(ana)
    join(ben, made["id"])
    path = f"/v1/competitions/{made['id']}/players/{ben.id}"
    assert 204 == ana.client.delete(path).status_code
    assert (403, "competition/removed") == refused(ben.client.post(f"/v1/competitions/{made['id']}/join"))
    assert (403, "auth/host_only") == refused(new_player(anyone).client.delete(path))


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


def test_what_is_wrong_with_an_announcement_is_told_by_pointer(ana: Person) -> None:
    for pointer, body in wrong_bodies(OPEN, FAULTS):
        assert [pointer] == invalid(ana.client.post("/v1/competitions", body)), body
    arena = {**OPEN, "format": "arena", "pause_s": 5, "rounds": None}
    assert ["/pause_s"] == invalid(ana.client.post("/v1/competitions", arena))
