"""Bad input: each is answered by a documented problem document, and the game is as it was."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest
import redis
from flask import Flask

from service.rulesets.registry import RULESETS
from tests.web.client import Client, Json
from tests.web.table import Table

GAME: Json = {"ruleset": "azul", "variant": "coloured", "seats": [{"kind": "player"}, {"kind": "open"}]}
DRAFT = {"type": "azul.draft", "source": "factory_0", "colour": "blue", "line": 2}


@pytest.fixture
def untouched(table: Table) -> Iterator[Table]:
    """A game that must be as it was when the test ends."""
    before = table.view()
    yield table
    assert before == table.view()


def code(answer: Any) -> str:
    assert answer.mimetype == "application/problem+json"
    return str(answer.json["code"])


def pointers(answer: Any) -> list[str]:
    return [fault["pointer"] for fault in answer.json["errors"]]


NO_JSON: list[Any] = [b"", b"{", b'{"id": }', b"\xff\xfe", b'{"id": "\\ud800"}', b"NaN", b"[" * 5000]


def test_what_is_not_json_is_malformed(untouched: Table) -> None:
    for content in NO_JSON:
        answer = untouched.seat(0).send(
            "POST", f"{untouched.path}/actions", data=content, content_type="application/json"
        )
        assert (400, "request/malformed") == (answer.status_code, code(answer)), content


def test_another_content_type_is_415(untouched: Table) -> None:
    for media_type in ["text/plain", "application/x-www-form-urlencoded", None]:
        answer = untouched.seat(0).send(
            "POST", f"{untouched.path}/actions", data=b'{"id": "0"}', content_type=media_type
        )
        assert (415, "request/unsupported_media_type") == (answer.status_code, code(answer)), media_type


ACTION_FAULTS: list[Any] = [
    ({"id": "0", "colour": "blue"}, "/colour"),
    ({"id": 0}, "/id"),
    ({"id": ""}, "/id"),
    ({"id": "1e3"}, "/id"),
    ({"id": "\x00"}, "/id"),
    ({}, ""),
    ({"id": "0", "action": DRAFT}, ""),
    ({"action": {**DRAFT, "line": 5}}, "/action/line"),
    ({"action": {**DRAFT, "line": True}}, "/action/line"),
    ({"action": {**DRAFT, "colour": "\x00pink"}}, "/action/colour"),
    ({"action": {**DRAFT, "count": 2}}, "/action/count"),
    ({"action": {"type": "pass"}}, "/action/type"),
    ({"action": {"type": ["azul.draft"]}}, "/action/type"),
    ({"action": []}, "/action"),
    ({"action": None}, "/action"),
    ({"id": "0", "revision": "3"}, "/revision"),
    ({"id": "0", "revision": 2.5}, "/revision"),
    ({"id": "0", "revision": -1}, "/revision"),
    ({"id": "0", "revision": 10**30}, "/revision"),
    ({"id": "0", "revision": True}, "/revision"),
]


def test_a_fault_in_an_action_is_told_with_its_pointer(untouched: Table) -> None:
    for body, pointer in ACTION_FAULTS:
        given = body if "revision" in body else {**body, "revision": untouched.view()["revision"]}
        answer = untouched.seat(0).send(
            "POST", f"{untouched.path}/actions", data=_json(given), content_type="application/json"
        )
        assert (422, "request/invalid", [pointer]) == (answer.status_code, code(answer), pointers(answer)), body


PASS = {"type": "pass", "keep": {}}
PLACE = {"type": "summer-pavilion.place", "star": "centre", "slot": 1, "colour": "red", "wilds": 0}


RULED_FAULTS: list[Any] = [
    ({**PASS, "discard": []}, "/action/discard"),
    ({"type": "pass"}, "/action/keep"),
    ({**PASS, "keep": {"green": 3, "red": 2}}, "/action/keep"),
    ({**PASS, "keep": {"green": 0}}, "/action/keep/green"),
    ({**PASS, "keep": {"pink": 1}}, "/action/keep/pink"),
    ({**PASS, "keep": ["green"]}, "/action/keep"),
    ({**PLACE, "wilds": -1}, "/action/wilds"),
    ({**PLACE, "wilds": 6}, "/action/wilds"),
    ({**PLACE, "slot": 0}, "/action/slot"),
    ({**PLACE, "star": "pink"}, "/action/star"),
    ({**PLACE, "colour": "black"}, "/action/colour"),
    ({"type": "acquire", "source": "factory_9", "colour": "red"}, "/action/source"),
    ({"type": "summer-pavilion.take_bonus", "colour": None}, "/action/colour"),
    (DRAFT, "/action/type"),
]


def test_a_fault_in_an_action_is_judged_by_the_rules_of_the_game(new_game: Callable[..., Table]) -> None:
    for action, pointer in RULED_FAULTS:
        table = new_game(ruleset="summer-pavilion")
        answer = table.seat(0).post(f"{table.path}/actions", {"action": action, "revision": table.view()["revision"]})
        assert (422, "request/invalid", [pointer]) == (answer.status_code, code(answer), pointers(answer)), action


def test_an_action_of_another_ruleset_is_none_here(new_game: Callable[..., Table]) -> None:
    for ruleset, other in list(itertools.permutations(RULESETS, 2)):
        table, foreign = new_game(ruleset=ruleset), new_game(ruleset=other).actions()[0]
        before = table.view()
        body = {"action": foreign["action"], "revision": before["revision"]}
        answer = table.seat(0).post(f"{table.path}/actions", body)
        assert (422, "request/invalid") == (answer.status_code, code(answer)), (ruleset, other)
        assert [] == [pointer for pointer in pointers(answer) if not pointer.startswith("/action/")], (ruleset, other)
        assert before == table.view(), (ruleset, other)


def test_any_number_is_the_id_of_an_action_that_may_be_none(new_game: Callable[..., Table]) -> None:
    for ruleset in RULESETS:
        for action_id in ["1788", "99999", str(10**18), str(2**63 - 1)]:
            table = new_game(ruleset=ruleset)
            body = {"id": action_id, "revision": table.view()["revision"]}
            answer = table.seat(0).post(f"{table.path}/actions", body)
            assert (409, "game/illegal_action") == (answer.status_code, code(answer)), (ruleset, action_id)
            assert (answer.json or {})["reason"] in RULESETS[ruleset].reasons, (ruleset, action_id)
            beyond = table.seat(0).post(f"{table.path}/actions", {**body, "id": str(2**63)})
            assert (422, ["/id"]) == (beyond.status_code, pointers(beyond)), (ruleset, action_id)


def test_an_illegal_action_is_told_in_the_words_of_its_ruleset(new_game: Callable[..., Table]) -> None:
    table = new_game(ruleset="summer-pavilion")
    body = {"action": PASS, "revision": table.view()["revision"]}
    answer = table.seat(0).post(f"{table.path}/actions", body)
    assert (409, "game/illegal_action", "not_playing") == (
        answer.status_code,
        code(answer),
        (answer.json or {})["reason"],
    )


def _json(body: Any) -> bytes:
    return json.dumps(body).encode()


NO_GAMES: list[Any] = [
    ({"ruleset": "chess"}, "/ruleset"),
    ({"variant": "purple"}, "/variant"),
    ({"seats": [{"kind": "player"}]}, "/seats"),
    ({"seats": [{"kind": "player"}] * 5}, "/seats"),
    ({"seats": [{"kind": "player"}, {"kind": "cat"}]}, "/seats/1/kind"),
    ({"seats": [{"kind": "player"}, {"kind": "ai"}]}, "/seats/1/level"),
    ({"seats": [{"kind": "player"}, {"kind": "ai", "level": "x"}]}, "/seats/1/level"),
    ({"seats": [{"kind": "player", "level": "greedy"}, {"kind": "open"}]}, "/seats/0/level"),
    ({"seats": [{"kind": "player", "name": "x" * 41}, {"kind": "open"}]}, "/seats/0/name"),
    ({"seats": [{"kind": "player", "name": "a\x00b"}, {"kind": "open"}]}, "/seats/0/name"),
    ({"seats": [{"kind": "player", "name": "a\u202eb"}, {"kind": "open"}]}, "/seats/0/name"),
    ({"seats": [{"kind": "player", "name": " "}, {"kind": "open"}]}, "/seats/0/name"),
    ({"seats": [{"kind": "player", "name": ""}, {"kind": "open"}]}, "/seats/0/name"),
    ({"first_seat": 2}, "/first_seat"),
    ({"first_seat": 4}, "/first_seat"),
    ({"first_seat": 0.0}, "/first_seat"),
    ({"seed": "ab"}, "/seed"),
    ({"seed": "07" * 32 + "\n"}, "/seed"),
    ({"seed": "00" * 32}, "/seed"),
    ({"visibility": "secret"}, "/visibility"),
    ({"clock": {}}, "/clock"),
]


def test_a_game_that_cannot_be_is_not_created(anyone: Client, redis_client: redis.Redis) -> None:
    for changes, pointer in NO_GAMES:
        answer = anyone.post("/v1/games", {**GAME, **changes})
        assert (422, [pointer]) == (answer.status_code, pointers(answer)), (changes, pointer)
        assert [] == list(redis_client.scan_iter("*game*")), (changes, pointer)


X: list[Any] = [[], "x", 7, None, [GAME]]


def test_a_body_that_is_no_object_is_invalid(anyone: Client) -> None:
    for body in X:
        answer = anyone.send("POST", "/v1/games", data=_json(body), content_type="application/json")
        assert (422, [""]) == (answer.status_code, pointers(answer)), body


def test_deep_and_long_bodies_are_invalid(anyone: Client) -> None:
    deep: Any = 0
    for _ in range(200):
        deep = [deep]
    assert 422 == anyone.post("/v1/games", {**GAME, "seats": deep}).status_code
    assert 422 == anyone.post("/v1/games", {**GAME, "seats": [0] * 20_000}).status_code


def test_a_chunked_body_is_bounded_too(untouched: Table) -> None:
    environ = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": ""}
    answer = untouched.seat(0).send(
        "POST",
        f"{untouched.path}/actions",
        input_stream=io.BytesIO(b" " * 10_000_000),
        content_type="application/json",
        environ_overrides=environ,
    )
    assert (413, "request/too_large") == (answer.status_code, code(answer))


def test_only_the_seats_own_token_decides(untouched: Table) -> None:
    body = {"id": untouched.actions()[0]["id"], "revision": untouched.view()["revision"]}
    path = f"{untouched.path}/actions"
    assert "Bearer" in untouched.anyone.post(path, body).headers["WWW-Authenticate"]
    assert "auth/token_required" == code(untouched.anyone.post(path, body, Authorization="Basic eDp5"))
    other = untouched.seat(1).post(path, body)
    assert (409, "game/not_your_turn", 0) == (other.status_code, code(other), (other.json or {})["to_decide"])
    assert "auth/token_required" == code(untouched.anyone.post(f"{path}?dry_run=true", body))


def test_a_token_in_the_query_is_no_token(untouched: Table) -> None:
    path = f"{untouched.path}/actions?token={untouched.tokens['seats']['0']}"
    assert 422 == untouched.anyone.post(path, {"id": "0", "revision": 1}).status_code


def test_the_revision_must_be_the_present_one(untouched: Table) -> None:
    body = {"id": untouched.actions()[0]["id"]}
    revision, path = untouched.view()["revision"], f"{untouched.path}/actions"
    for stale in (
        untouched.seat(0).post(path, {**body, "revision": revision - 1}),
        untouched.seat(0).post(path, body, If_Match=f'"{revision + 1}"'),
        untouched.seat(0).post(path, body, If_Match='"abc"'),
    ):
        assert (412, "game/stale_revision", revision) == (
            stale.status_code,
            code(stale),
            (stale.json or {})["revision"],
        )
        assert untouched.path == (stale.json or {})["href"]
    for bad in ("17", "*", '"1", "2"', '"'):
        assert "request/bad_etag" == code(untouched.seat(0).post(path, body, If_Match=bad))


def test_an_illegal_action_is_told_with_its_reason_in_the_callers_language(untouched: Table) -> None:
    empty = next(k for k, tiles in enumerate(untouched.view()["position"]["factories"]) if "blue" not in tiles)
    action = {**DRAFT, "source": f"factory_{empty}"}
    body = {"action": action, "revision": untouched.view()["revision"]}
    english = untouched.seat(0).post(f"{untouched.path}/actions", body)
    german = untouched.seat(0).post(f"{untouched.path}/actions", body, Accept_Language="de")
    assert (409, "game/illegal_action") == (english.status_code, code(english))
    actual, erzaehlt = english.json or {}, german.json or {}
    assert actual["reason"] == erzaehlt["reason"] == "colour_not_in_source"
    assert actual["detail"] != erzaehlt["detail"]
    assert actual["title"] != erzaehlt["title"]
    assert ("en", "de") == (english.headers["Content-Language"], german.headers["Content-Language"])


def test_before_the_start_no_action_is_legal(new_game: Callable[..., Table]) -> None:
    table = new_game(seats=GAME["seats"])
    assert {"actions": [], "seat": None} == {
        name: (table.anyone.get(f"{table.path}/actions").json or {})[name] for name in ("actions", "seat")
    }


UNKNOWN_IDS: list[Any] = ["AAAAAAAAAAAAAAAA", "x", "a:log", "%00", "%ff", "{b00}", "x" * 300]


def test_unknown_ids_are_404(anyone: Client) -> None:
    for game_id in UNKNOWN_IDS:
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
            assert (404, "game/not_found") == (answer.status_code, code(answer)), game_id


def test_a_key_of_the_store_is_not_a_game(table: Table) -> None:
    assert "game/not_found" == code(table.anyone.get(f"/v1/games/{table.id}:log"))


QUERY_FAULTS: list[Any] = [
    "wait=61",
    "wait=-1",
    "wait=x",
    "include=seed",
    "nonsense=1",
    "wait=1&wait=2",
    "wait=",
    "%00=1",
]


def test_faults_in_a_query_are_told(untouched: Table) -> None:
    for query in QUERY_FAULTS:
        answer = untouched.anyone.get(f"{untouched.path}?{query}")
        assert (422, "query") == (answer.status_code, (answer.json or {})["errors"][0]["in"]), query


def test_unknown_paths_and_methods_are_told(table: Table) -> None:
    assert "request/not_found" == code(table.anyone.get("/v1/nothing"))
    answer = table.anyone.send("DELETE", f"{table.path}/actions")
    assert (405, "request/method_not_allowed") == (answer.status_code, code(answer))
    assert {"GET", "POST"} <= set(answer.headers["Allow"].split(", "))
    assert "request/not_found" == code(table.anyone.get("/v1/games/"))
    assert "request/not_found" == code(table.anyone.get(f"{table.path}/history/-1"))


def test_a_fault_of_ours_tells_nothing_but_a_request_id(app: Flask, table: Table, redis_client: redis.Redis) -> None:
    key = next(iter(redis_client.scan_iter(f"*:{table.id}")))
    redis_client.hset(key, "meta", b"no JSON")
    answer = table.anyone.get(f"{table.path}/actions")
    assert 500 == answer.status_code
    assert {"type", "title", "status", "code", "request_id"} == set(answer.json or {})
    assert (answer.json or {})["request_id"] == answer.headers["X-Request-Id"]


def test_json_of_a_problem_names_its_explanation(anyone: Client) -> None:
    answer = anyone.get("/v1/games/x")
    assert "/docs#game/not_found" == orjson.loads(answer.data)["type"]


NO_CHANGES: list[tuple[str, Any, str]] = [
    ("/v1/me/token", {"name": "x"}, "/name"),
    ("/v1/me/token", [], ""),
    ("{game}/seats", {"seat": 4}, "/seat"),
    ("{game}/seats", {"seat": 3}, "/seat"),
    ("{game}/seats", {"seat": -1}, "/seat"),
    ("{game}/seats", {"seat": "0"}, "/seat"),
    ("{game}/seats", {"seat": True}, "/seat"),
    ("{game}/seats", {"player": "x"}, "/player"),
    ("{game}/seats", {"token": ""}, "/token"),
    ("{game}/seats", {"token": "x" * 101}, "/token"),
    ("{game}/seats", {"token": 7}, "/token"),
    ("{game}/seats/0/handover", {"player": "x"}, "/player"),
    ("{game}/seats/0/handover", {"name": "x" * 41}, "/name"),
    ("{game}/seats/0/handover", {"seat": 0}, "/seat"),
    ("{game}/tokens", {}, "/role"),
    ("{game}/tokens", {"role": "seat:0"}, "/role"),
    ("{game}/tokens", {"role": "admin"}, "/role"),
    ("{game}/tokens", {"role": None}, "/role"),
    ("{game}/tokens", {"role": "host", "seat": 0}, "/seat"),
]


def test_a_fault_in_what_is_asked_of_seats_is_told(untouched: Table) -> None:
    player = (untouched.anyone.post("/v1/players").json or {})["token"]
    for path, body, pointer in NO_CHANGES:
        client = (
            untouched.host
            if "tokens" in path
            else untouched.seat(0)
            if "{" in path
            else untouched.anyone.with_token(player)
        )
        answer = client.post(path.format(game=untouched.path), body)
        assert (422, "request/invalid", [pointer]) == (answer.status_code, code(answer), pointers(answer)), (path, body)
