"""Invalid input gets a documented problem document and leaves the game unchanged."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from flask import Flask
from redis import Redis

from service.rulesets.registry import RULESETS
from service.usecases.base import repository
from service.web.http.request_parsing import DEEPEST, USUAL
from tests.web.client import Client, Json, invalid_fields, pointers, refusal_of
from tests.web.players import new_player
from tests.web.table import NewTable, Table
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

PASS = {"type": "pass", "keep": {}}
GAME: Json = {"ruleset": "azul", "variant": "coloured", "seats": [{"kind": "player"}, {"kind": "open"}]}
DRAFT = {"type": "azul.draft", "source": "factory_0", "colour": "blue", "line": 2}


@pytest.fixture
def unchanged_table(table: Table) -> Iterator[Table]:
    """Create a game that must not change during the test."""
    before = table.view()
    yield table
    assert before == table.view()


def test_invalid_json_is_malformed(unchanged_table: Table) -> None:
    for content in (b"", b"{", b'{"id": }', b"\xff\xfe", b'{"id": "\\ud800"}', b"NaN", b"[" * 5000):
        answer = unchanged_table.seat(0).send(
            "POST", f"{unchanged_table.path}/actions", data=content, content_type="application/json"
        )
        assert (400, "request/malformed") == refusal_of(answer), content


def test_another_content_type_is_415(unchanged_table: Table) -> None:
    for media_type in ["text/plain", "application/x-www-form-urlencoded", None]:
        answer = unchanged_table.seat(0).send(
            "POST", f"{unchanged_table.path}/actions", data=b'{"id": "0"}', content_type=media_type
        )
        assert (415, "request/unsupported_media_type") == refusal_of(answer), media_type


def test_an_invalid_action_is_refused_with_its_pointer(unchanged_table: Table) -> None:
    revision = unchanged_table.view()["revision"]
    by_id: Faults = {
        "/id": [0, "", "1e3", "\x00"],
        "/revision": ["3", 2.5, -1, 10**30, True],
        "/colour": ["blue"],
    }
    by_fields: Faults = {
        "/action": [[], None],
        "/action/line": [5, True],
        "/action/colour": ["\x00pink"],
        "/action/count": [2],
        "/action/type": ["pass", ["azul.draft"]],
    }
    cases = [*wrong_bodies({"id": "0", "revision": revision}, by_id)]
    cases += wrong_bodies({"action": DRAFT, "revision": revision}, by_fields)
    for pointer, body in [
        *cases,
        ("", {"revision": revision}),
        ("", {"id": "0", "action": DRAFT, "revision": revision}),
    ]:
        assert [pointer] == invalid_fields(unchanged_table.seat(0).post(f"{unchanged_table.path}/actions", body)), body


def test_the_fields_of_an_action_depend_on_the_ruleset(new_game: NewTable) -> None:
    table = new_game(ruleset="summer-pavilion")
    passing: Faults = {
        "/keep": [MISSING, {"green": 3, "red": 2}, ["green"]],
        "/keep/green": [0],
        "/keep/pink": [1],
        "/discard": [[]],
    }
    placing: Faults = {"/wilds": [-1, 6], "/slot": [0], "/star": ["pink"], "/colour": ["black"]}
    place = {"type": "summer-pavilion.place", "star": "centre", "slot": 1, "colour": "red", "wilds": 0}
    others = [
        ("/source", {"type": "acquire", "source": "factory_9", "colour": "red"}),
        ("/colour", {"type": "summer-pavilion.take_bonus", "colour": None}),
        ("/type", DRAFT),
    ]
    for pointer, action in (*wrong_bodies(PASS, passing), *wrong_bodies(place, placing), *others):
        body = {"action": action, "revision": table.view()["revision"]}
        assert [f"/action{pointer}"] == invalid_fields(table.seat(0).post(f"{table.path}/actions", body)), action


def test_an_action_of_another_ruleset_is_invalid(new_game: NewTable) -> None:
    for ruleset, other in itertools.permutations(RULESETS, 2):
        table, foreign = new_game(ruleset=ruleset), new_game(ruleset=other).actions()[0]
        before = table.view()
        body = {"action": foreign["action"], "revision": before["revision"]}
        answer = table.seat(0).post(f"{table.path}/actions", body)
        assert all(pointer.startswith("/action/") for pointer in invalid_fields(answer)), (ruleset, other)
        assert before == table.view(), (ruleset, other)


def test_an_unknown_id_of_an_action_is_illegal(new_game: NewTable) -> None:
    for ruleset in RULESETS:
        table = new_game(ruleset=ruleset)
        path, revision = f"{table.path}/actions", table.view()["revision"]
        for action_id in ["1788", "99999", str(10**18), str(2**63 - 1)]:
            answer = table.seat(0).post(path, {"id": action_id, "revision": revision})
            assert (409, "game/illegal_action") == refusal_of(answer), (ruleset, action_id)
            assert (answer.json or {})["reason"] in RULESETS[ruleset].reasons, (ruleset, action_id)
        assert ["/id"] == invalid_fields(table.seat(0).post(path, {"id": str(2**63), "revision": revision})), ruleset


def test_an_illegal_action_has_a_reason_of_its_ruleset(new_game: NewTable) -> None:
    table = new_game(ruleset="summer-pavilion")
    body = {"action": PASS, "revision": table.view()["revision"]}
    answer = table.seat(0).post(f"{table.path}/actions", body)
    assert (409, "game/illegal_action", "not_playing") == (*refusal_of(answer), (answer.json or {})["reason"])


INVALID_GAMES: Faults = {
    "/ruleset": ["chess"],
    "/variant": ["purple"],
    "/seats": [[{"kind": "player"}], [{"kind": "player"}] * 5],
    "/seats/1/kind": ["cat"],
    "/seats/0/name": ["x" * 41, "a\x00b", "a\u202eb", " ", ""],
    "/first_seat": [2, 4, 0.0],
    "/seed": ["ab", "07" * 32 + "\n", "00" * 32],
    "/visibility": ["secret"],
    "/clock": [{}],
}


def test_an_invalid_game_is_not_created(anyone: Client, redis_client: Redis) -> None:
    with_ai = {**GAME, "seats": [{"kind": "player"}, {"kind": "ai", "level": "greedy"}]}
    levels: Faults = {"/seats/1/level": [MISSING, "x"], "/seats/0/level": ["greedy"]}
    for pointer, body in (*wrong_bodies(GAME, INVALID_GAMES), *wrong_bodies(with_ai, levels)):
        assert [pointer] == invalid_fields(anyone.post("/v1/games", body)), body
    assert [] == list(redis_client.scan_iter("*game*"))


def test_a_body_must_be_an_object(anyone: Client) -> None:
    for content in ("[]", '"x"', "7", "null", "[{}]"):
        answer = anyone.send("POST", "/v1/games", data=content, content_type="application/json")
        assert [""] == invalid_fields(answer), content


@pytest.mark.parametrize(("excess", "status"), [(0, 201), (1, 413)])
def test_a_body_has_a_limited_number_of_bytes(anyone: Client, excess: int, status: int) -> None:
    body = b'{"name": "Ana"}'.ljust(USUAL.bytes + excess)
    assert status == anyone.send("POST", "/v1/players", data=body, content_type="application/json").status_code


@pytest.mark.parametrize(("excess", "expected"), [(0, "Not a valid string."), (1, "must have at most 1000 items")])
def test_a_list_has_a_limited_number_of_items(anyone: Client, excess: int, expected: str) -> None:
    answer = anyone.post("/v1/players", {"name": [0] * (USUAL.longest + excess)})
    assert [expected] == [error["detail"] for error in (answer.json or {})["errors"]]


@pytest.mark.parametrize(("excess", "expected"), [(0, ["/name"]), (1, [""])])
def test_a_body_has_a_limited_depth(anyone: Client, excess: int, expected: list[str]) -> None:
    name: Any = []
    for _ in range(DEEPEST - 2 + excess):
        name = [name]
    assert expected == pointers(anyone.post("/v1/players", {"name": name}))


def test_a_chunked_body_has_a_limited_size(unchanged_table: Table) -> None:
    environ = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": ""}
    answer = unchanged_table.seat(0).send(
        "POST",
        f"{unchanged_table.path}/actions",
        input_stream=io.BytesIO(b" " * 10_000_000),
        content_type="application/json",
        environ_overrides=environ,
    )
    assert (413, "request/too_large") == refusal_of(answer)


def test_only_the_token_of_the_seat_can_decide(unchanged_table: Table) -> None:
    body = {"id": unchanged_table.actions()[0]["id"], "revision": unchanged_table.view()["revision"]}
    path = f"{unchanged_table.path}/actions"
    assert "Bearer" in unchanged_table.anyone.post(path, body).headers["WWW-Authenticate"]
    assert (401, "auth/token_required") == refusal_of(
        unchanged_table.anyone.post(path, body, Authorization="Basic eDp5")
    )
    other = unchanged_table.seat(1).post(path, body)
    assert (409, "game/not_your_turn", 0) == (*refusal_of(other), (other.json or {})["to_decide"])
    assert (401, "auth/token_required") == refusal_of(unchanged_table.anyone.post(f"{path}/preview", body))


def test_a_token_in_the_query_is_refused(unchanged_table: Table) -> None:
    path = f"{unchanged_table.path}/actions?token={unchanged_table.tokens['seats']['0']}"
    assert 422 == unchanged_table.anyone.post(path, {"id": "0", "revision": 1}).status_code


def test_the_revision_must_be_current(unchanged_table: Table) -> None:
    body = {"id": unchanged_table.actions()[0]["id"]}
    revision, path = unchanged_table.view()["revision"], f"{unchanged_table.path}/actions"
    for stale in (
        unchanged_table.seat(0).post(path, {**body, "revision": revision - 1}),
        unchanged_table.seat(0).post(path, body, If_Match=f'"{revision + 1}"'),
        unchanged_table.seat(0).post(path, body, If_Match='"abc"'),
        unchanged_table.seat(0).post(path, body, If_Match=f'W/"{revision}"'),
        unchanged_table.seat(0).post(path, body, If_Match=f'"1", W/"{revision}", "0{revision}"'),
    ):
        assert (412, "game/stale_revision", revision) == (*refusal_of(stale), (stale.json or {})["revision"])
        assert unchanged_table.path == (stale.json or {})["href"]
    for bad in ("17", "*, *", '"1" "2"', '"', ""):
        assert (400, "request/bad_etag") == refusal_of(unchanged_table.seat(0).post(path, body, If_Match=bad))


def test_an_illegal_action_has_a_reason_in_the_callers_language(unchanged_table: Table) -> None:
    empty = next(k for k, tiles in enumerate(unchanged_table.view()["position"]["factories"]) if "blue" not in tiles)
    action = {**DRAFT, "source": f"factory_{empty}"}
    body = {"action": action, "revision": unchanged_table.view()["revision"]}
    english = unchanged_table.seat(0).post(f"{unchanged_table.path}/actions", body)
    german = unchanged_table.seat(0).post(f"{unchanged_table.path}/actions", body, Accept_Language="de")
    assert (409, "game/illegal_action") == refusal_of(english)
    actual, translated = english.json or {}, german.json or {}
    assert actual["reason"] == translated["reason"] == "colour_not_in_source"
    assert actual["detail"] != translated["detail"]
    assert actual["title"] != translated["title"]
    assert ("en", "de") == (english.headers["Content-Language"], german.headers["Content-Language"])


def test_before_the_start_no_action_is_legal(new_game: NewTable) -> None:
    table = new_game(seats=GAME["seats"])
    assert {"actions": [], "seat": None} == {
        name: (table.anyone.get(f"{table.path}/actions").json or {})[name] for name in ("actions", "seat")
    }


def test_unknown_ids_are_404(anyone: Client, table: Table) -> None:
    for game_id in ("AAAAAAAAAAAAAAAA", "x", "a:log", "%00", "%ff", "{b00}", "x" * 300, f"{table.id}:log"):
        for answer in (
            anyone.get(f"/v1/games/{game_id}"),
            anyone.get(f"/v1/games/{game_id}/actions"),
            anyone.get(f"/v1/games/{game_id}/history"),
            anyone.get(f"/v1/games/{game_id}/history/1"),
            anyone.get(f"/v1/games/{game_id}/events"),
            anyone.with_token("x").post(f"/v1/games/{game_id}/actions", {"id": "0", "revision": 1}),
            anyone.post(f"/v1/games/{game_id}/seats", {}),
            anyone.with_token("x").post(f"/v1/games/{game_id}/abort", {}),
        ):
            assert (404, "game/not_found") == refusal_of(answer), game_id


def test_unknown_paths_and_methods_are_refused(table: Table) -> None:
    answer = table.anyone.delete(f"{table.path}/actions")
    assert (405, "request/method_not_allowed") == refusal_of(answer)
    assert {"GET", "POST"} <= set(answer.headers["Allow"].split(", "))
    for path in ("/v1/nothing", "/v1/games/", f"{table.path}/history/-1"):
        assert (404, "request/not_found") == refusal_of(table.anyone.get(path))


def test_an_internal_error_reveals_only_a_request_id(app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "load", lambda *_: 1 // 0)
    answer = table.anyone.get(f"{table.path}/actions")
    assert 500 == answer.status_code
    assert {"type", "title", "status", "code", "request_id"} == set(answer.json or {})
    assert (answer.json or {})["request_id"] == answer.headers["X-Request-Id"]


def test_a_problem_links_to_its_explanation(anyone: Client) -> None:
    answer = anyone.get("/v1/games/x")
    assert "/docs#game/not_found" == orjson.loads(answer.data)["type"]


def test_invalid_requests_about_seats_are_refused_with_their_pointers(unchanged_table: Table) -> None:
    requests: list[tuple[Client, str, Json, Faults]] = [
        (unchanged_table.seat(0), "seats", {}, {"/seat": [4, 3, -1, "0", True], "/player": ["x"]}),
        (unchanged_table.seat(0), "seats", {}, {"/token": ["", "x" * 101, 7]}),
        (unchanged_table.seat(0), "seats/0/handover", {}, {"/player": ["x"], "/name": ["x" * 41], "/seat": [0]}),
        (unchanged_table.host, "tokens", {"role": "host"}, {"/role": [MISSING, "seat:0", "admin", None], "/seat": [0]}),
    ]
    for client, path, valid, faults in requests:
        for pointer, body in wrong_bodies(valid, faults):
            assert [pointer] == invalid_fields(client.post(f"{unchanged_table.path}/{path}", body)), (path, body)
    player = new_player(unchanged_table.anyone)
    assert ["/name"] == invalid_fields(player.client.post("/v1/me/token", {"name": "x"}))
    assert [""] == invalid_fields(player.client.post("/v1/me/token", []))
