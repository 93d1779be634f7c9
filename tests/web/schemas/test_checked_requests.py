"""Faults of a body over HTTP: those of single members and contradictions between members, reported together."""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.registry import RULESETS
from tests.outgoing.push_service import Device
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.game_records import export_table
from tests.web.games.test_positions import reached_position
from tests.web.players import Person
from tests.web.table import Table

AZUL: Json = {"ruleset": "azul", "variant": "grey"}
WRONG: Json = {"ruleset": "azul", "variant": "no"}
OPEN, PLAYER, AI = {"kind": "open"}, {"kind": "player"}, {"kind": "ai", "level": "greedy"}
URL = "https://bot.example/"
PAST, FAR = "2000-01-01T00:00:00Z", "2200-01-01T00:00:00Z"
LINE = reached_position("azul", "grey").notation
VIEW = RULESETS["azul"].view(RULESETS["azul"].read_notation(LINE))
KEYS = Device().keys
ROUND = {"name": "Open", "format": "swiss", "clock": {"turn_s": 30}}


def http(url: str = URL, **endpoint: Any) -> Json:
    return {"kind": "http", "endpoint": {"url": url, **endpoint}}


GAMES: list[tuple[Json, set[str]]] = [
    ({**WRONG, "seats": [PLAYER, {**AI, "level": "no"}]}, {"/variant", "/seats/1/level"}),
    (
        {**AZUL, "seats": [{"kind": "no"}] * 2, "first_seat": 3, "clock": {}},
        {"/seats/0/kind", "/seats/1/kind", "/first_seat", "/clock"},
    ),
    ({**AZUL, "seats": [PLAYER, PLAYER], "first_seat": 3, "clock": {}, "x": 1}, {"/first_seat", "/clock", "/x"}),
    ({**AZUL, "seats": [None, {"kind": "ai"}, PLAYER, 5]}, {"/seats/0", "/seats/1/level", "/seats/3"}),
    ({**AZUL, "seats": [PLAYER] * 5, "clock": {"turn_s": 0, "bank_s": -1}}, {"/seats", "/clock/bank_s"}),
    ({**AZUL, "seats": [{**http(), "kind": "player"}, {"kind": "http"}]}, {"/seats/0/endpoint", "/seats/1/endpoint"}),
    (
        {**WRONG, "seats": [http("x", attempts=0), {**PLAYER, "level": "greedy"}], "clock": {"turn_s": "no"}},
        {"/variant", "/seats/0/endpoint/url", "/seats/0/endpoint/attempts", "/seats/1/level", "/clock/turn_s"},
    ),
    ({**AZUL, "seats": [OPEN, AI], "rated": True, "visibility": "no"}, {"/seats", "/clock", "/visibility"}),
    (
        {**AZUL, "seats": [None, PLAYER, PLAYER, http()], "rated": True, "seed": "00" * 32, "clock": {}},
        {"/seats/0", "/seats/2/kind", "/seats/3/kind", "/seed", "/clock"},
    ),
    (
        {**AZUL, "seats": [PLAYER, {"kind": "ai"}, OPEN], "position": {**VIEW, "phase": "no"}, "rated": 1},
        {"/seats/1/level", "/position/phase", "/rated"},
    ),
    (
        {**WRONG, "seats": [PLAYER] * 3, "position": VIEW, "first_seat": 0, "help": 1},
        {"/variant", "/position/variant", "/position/seats", "/first_seat", "/help"},
    ),
    (
        {**WRONG, "seats": [PLAYER] * 3, "position_notation": LINE, "rated": True},
        {
            "/variant",
            "/position/variant",
            "/position/seats",
            "/position_notation",
            "/clock",
            "/seats/1/kind",
            "/seats/2/kind",
        },
    ),
    ({**WRONG, "seats": [PLAYER] * 2, "position_notation": "azul no"}, {"/variant", "/position_notation"}),
    (
        {**WRONG, "seats": [PLAYER] * 2, "position_notation": LINE, "position": {}},
        {"/variant", "/position_notation", "/position/ruleset"},
    ),
]
POSITIONS: list[tuple[Json, set[str]]] = [
    ({"form": "no"}, {"/position", "/form"}),
    ({"position_notation": None, "limit": 0}, {"/position", "/limit"}),
    ({"position_notation": "azul no", "limit": 0}, {"/position_notation", "/limit"}),
    ({"position_notation": 5, "id": "0", "notation": "3b4"}, {"/position_notation", ""}),
    ({"position": {**VIEW, "round": -1}, "notation": "zz"}, {"/position/round", "/notation"}),
    ({"position": VIEW, "id": "x", "form": "no"}, {"/id", "/form"}),
    (
        {"position_notation": LINE, "action": {"type": "azul.draft"}, "first": -1},
        {"/first", *(f"/action/{name}" for name in ("source", "colour", "line"))},
    ),
]
BODIES: dict[str, list[tuple[Json, set[str]]]] = {
    "games": GAMES,
    "positions": POSITIONS,
    "analyses": [
        ({"level": "master", "seconds": 1, "best": 0}, {"/seconds", "/position", "/best"}),
        ({"level": "no", "position": {"ruleset": "no"}}, {"/level", "/position/ruleset"}),
    ],
    "seeks": [
        ({**WRONG, "fill": {"level": "no"}}, {"/variant", "/fill/level"}),
        ({**WRONG, "rated": True, "seats": 9, "keep_s": 1}, {"/variant", "/clock", "/seats", "/keep_s"}),
        ({**AZUL, "clock": {"bank_s": 0, "level": "no"}, "mixed": 1}, {"/clock", "/clock/level", "/mixed"}),
    ],
    "tournaments": [
        ({**WRONG, "deals": 1, "levels": ["no", "random"]}, {"/variant", "/levels/0"}),
        ({**WRONG, "deals": 0, "levels": ["greedy", "no", "greedy"]}, {"/variant", "/deals", "/levels", "/levels/1"}),
        ({**AZUL, "deals": 1_500, "levels": ["greedy", "random"], "seed": "x"}, {"/deals", "/seed"}),
        ({**AZUL, "deals": 1, "levels": [], "seats": 9}, {"/levels", "/seats"}),
        (
            {
                **AZUL,
                "deals": 1,
                "levels": ["no"],
                "endpoints": [None, {"name": "x", "url": "x"}, {"name": "x", "url": URL}],
            },
            {"/levels/0", "/endpoints", "/endpoints/0", "/endpoints/1/url"},
        ),
    ],
    "competitions": [
        ({**WRONG, **ROUND, "minutes": 5, "starts_at": PAST}, {"/variant", "/minutes", "/starts_at"}),
        (
            {**AZUL, **ROUND, "format": "arena", "rounds": 5, "pause_s": 1, "starts_at": FAR, "open_to": "no"},
            {"/rounds", "/pause_s", "/starts_at", "/open_to"},
        ),
        (
            {**AZUL, **ROUND, "clock": {"turn_s": 601, "bank_s": 7_201, "level": "no"}, "rounds": 99},
            {"/clock/turn_s", "/clock/bank_s", "/clock/level", "/rounds"},
        ),
        ({**AZUL, **ROUND, "clock": {}, "format": "no", "minutes": 5}, {"/clock", "/format"}),
    ],
    "me/webhooks": [({"url": "http://bot.example", "events": [], "secret": "x"}, {"/url", "/events", "/secret"})],
    "me/devices": [
        (
            {"subscription": {"endpoint": "https://push.example:22/", "keys": {**KEYS, "auth": "x"}}, "language": "fr"},
            {"/subscription/endpoint", "/subscription/keys/auth", "/language"},
        )
    ],
    "sign-ins": [({"provider": "apple", "redirect_uri": "/back"}, {"/provider", "/redirect_uri"})],
    "sign-ins/x/token": [({"create": 1}, {"/secret", "/create", "/id_token"})],
}
BOTS: list[tuple[Json, set[str]]] = [
    ({"seats": [9], "turn_s": {"least": 9, "most": 8}, "rated": "no"}, {"/seats/0", "/turn_s/least", "/rated"}),
    ({"rulesets": [], "bank_s": {"least": 1, "most": 0}, "arena": 1}, {"/rulesets", "/bank_s/least", "/arena"}),
    ({"turn_s": {"most": 0}, "bank_s": {"most": 0}, "unclocked": False, "x": 1}, {"/turn_s/most", "/x"}),
    ({"arena": True, "rated": "never", "seats": []}, {"/arena", "/seats"}),
    ({"arena": True, "opponents": "people", "games_at_once": 0}, {"/arena", "/games_at_once"}),
    ({"arena": True, "seats": [3], "endpoint": {"url": "x"}}, {"/arena", "/endpoint/url"}),
]


@pytest.mark.parametrize(("path", "number"), [(path, number) for path in BODIES for number in range(len(BODIES[path]))])
def test_all_faults_of_a_body_are_reported_at_once(anyone: Client, path: str, number: int) -> None:
    body, faults = BODIES[path][number]
    assert sorted(faults) == sorted(invalid_fields(anyone.post(f"/v1/{path}", body)))


@pytest.mark.parametrize(("body", "faults"), BOTS)
def test_all_faults_of_a_bot_are_reported_at_once(anyone: Client, body: Json, faults: set[str]) -> None:
    answer = anyone.put("/v1/me/bot", {"rulesets": ["azul"], **body})
    assert sorted(faults) == sorted(invalid_fields(answer))


def test_all_faults_of_a_record_are_reported_at_once(table: Table) -> None:
    record = export_table(table)
    seats = [{**record["seats"][0], "level": "greedy"}, {"kind": "no"}]
    wrong = {"variant": "no", "ruleset_version": 99, "first_seat": 3, "seats": seats, "clock": {}, "seed": "11" * 32}
    expected = {"/variant", "/ruleset_version", "/first_seat", "/seats/0/level", "/seats/1/kind", "/clock", "/seed"}
    assert expected == {*invalid_fields(table.anyone.post("/v1/games/import", {**record, **wrong}))}


def test_all_faults_of_requests_about_a_game_are_reported_at_once(ana: Person, table: Table) -> None:
    path = f"{table.path}/analyses"
    for body, faults in (
        ({"kind": "review", "revision": 4, "level": "master", "seconds": 1}, {"/revision", "/seconds"}),
        ({"kind": "review", "candidate": {"id": "1"}, "best": 0}, {"/candidate", "/best"}),
        ({"kind": "decision", "again": True, "best": 0}, {"/again", "/best"}),
    ):
        assert faults == {*invalid_fields(table.anyone.post(path, body))}
    result = ana.client.put(f"/v1/competitions/x/games/{table.id}/result", {"result": "win", "x": 1})
    assert {"/seat", "/x"} == {*invalid_fields(result)}


def test_all_faults_of_a_query_are_reported_at_once(anyone: Client, table: Table) -> None:
    legal = table.anyone.get(f"{table.path}/actions?form=choices&cursor=1&limit=0&colour=pink")
    assert {"/form", "/cursor", "/limit", "/colour"} == {*invalid_fields(legal)}
    board = anyone.get("/v1/leaderboards/azul?around=me&first=2&limit=0")
    assert {"/first", "/limit"} == {*invalid_fields(board)}


def test_notation_that_is_the_only_fault_has_its_place(anyone: Client) -> None:
    game = {**AZUL, "seats": [PLAYER] * 2, "first_seat": None}
    for path, body in (("positions", {}), ("analyses", {}), ("games", game)):
        answer = anyone.post(f"/v1/{path}", {**body, "position_notation": LINE.replace("grey", "blue")})
        assert (422, "notation/unreadable", 1) == (*refusal_of(answer), (answer.json or {})["line"]), path
    answer = anyone.post("/v1/positions", {"position": VIEW, "notation": "zz"})
    assert (422, "notation/unreadable", 1) == (*refusal_of(answer), (answer.json or {})["column"])


@pytest.mark.parametrize("before", ["", "  ", "\r\n\t", "\u00a0"])
def test_white_space_around_notation_is_ignored(anyone: Client, table: Table, before: str) -> None:
    view = body_of(anyone.post("/v1/positions", {"position_notation": f"{before}{LINE}\n "}))
    assert VIEW == view["position"]
    action, revision = table.actions(1)[0]["notation"], table.view()["revision"]
    body = {"notation": f"{before}{action} \r\n", "revision": revision}
    tried = table.seat(table.view()["to_decide"]).post(f"{table.path}/actions/preview", body)
    assert action == body_of(tried)["events"][0]["notation"]
    wrong = anyone.post("/v1/positions", {"position_notation": f"{before}{LINE.replace('grey', 'blue')}\n"}).json or {}
    lines = before.count("\n")
    assert (1 + lines, 6 + len(before.rpartition("\n")[2]), "blue") == (wrong["line"], wrong["column"], wrong["token"])
