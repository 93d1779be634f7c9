"""One stored record of a newer version, or a damaged one: it is alone affected, and never answered as a 500.

Each case makes two objects, changes the record of the first, and reads lists and both objects.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest
from redis import Redis

from service.storage.base.packing import pack, unpack, unpack_all
from tests.web.client import Client, body_of
from tests.web.players import Person, new_player
from tests.web.test_callers import BODIES

CLOCK = {"turn_s": 600, "bank_s": 600}
GAME = {"ruleset": "azul", "variant": "grey"}
DAMAGED, NEWER = (503, "service/damaged"), (503, "service/newer_version")

CHANGES: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "more members": lambda members: orjson.dumps({**members, "later": {"a": 1}}),
    "newer": lambda members: orjson.dumps({**members, "later": 1, "version": 2}),
    "empty": lambda _: b"",
    "cut": lambda members: orjson.dumps(members)[:-9],
    "a list": lambda _: b"[]",
    "fewer members": lambda _: b"{}",
    "bytes": lambda _: b"\xff\x00",
    "a frame of another dictionary": lambda _: bytes.fromhex("28b52ffd23ffffff7f0110000061"),
}
EXPECTED = {"more members": (200, None), "newer": NEWER}
EXPECTED_OF_A_GAME = {**EXPECTED, "a frame of another dictionary": NEWER}
EXPECTED_OF_PROGRESS = {  # the settings have the version, and there may be no progress yet
    "newer": (200, None),
    "empty": (200, None),
    "a frame of another dictionary": NEWER,
}
every_change = pytest.mark.parametrize("change", CHANGES)


def spoil(redis: Redis, pattern: str, field: str | None, change: str) -> None:
    """Change a stored object. `field`: of a hash; None for a string."""
    (key,) = redis.scan_iter(pattern)
    stored: Any = redis.get(key) if field is None else redis.hget(key, field)
    content = CHANGES[change](orjson.loads(unpack(stored)))
    if field is None:
        redis.set(key, content, keepttl=True)
    else:
        redis.hset(key, field, content)


def result(client: Client, path: str, method: str = "GET", **options: Any) -> tuple[int, str | None]:
    """Return status and code of the answer."""
    answer = client.send(method, path, **options)
    body = answer.json if answer.is_json or answer.content_type == "application/problem+json" else None
    return answer.status_code, body.get("code") if isinstance(body, dict) else None


@every_change
def test_one_seek(anyone: Client, redis_client: Redis, ana: Person, ben: Person, change: str) -> None:
    seeks = [
        body_of(one.client.post("/v1/seeks", {**GAME, "clock": {"turn_s": 300 + number}}), 201)["id"]
        for number, one in enumerate((ana, ben))
    ]
    spoil(redis_client, "{b??}:seeks", seeks[0], change)
    listed = {one["id"] for one in body_of(anyone.get("/v1/seeks"))["seeks"]}
    assert ({*seeks} if change == "more members" else {seeks[1]}) == listed
    assert EXPECTED.get(change, DAMAGED) == result(ana.client, f"/v1/seeks/{seeks[0]}")
    assert (200, None) == result(ben.client, f"/v1/seeks/{seeks[1]}")
    assert 201 == new_player(anyone).client.post("/v1/seeks", {**GAME, "clock": CLOCK}).status_code


@every_change
def test_one_challenge(anyone: Client, redis_client: Redis, ana: Person, ben: Person, change: str) -> None:
    path = f"/v1/players/{ben.id}/challenges"
    first = body_of(ana.client.post(path, {**GAME, "clock": CLOCK}), 201)["id"]
    second = body_of(new_player(anyone).client.post(path, {**GAME, "clock": CLOCK}), 201)["id"]
    spoil(redis_client, f"*:challenge:{first}", None, change)
    received = {one["id"] for one in body_of(ben.client.get("/v1/me/challenges"))["received"]}
    assert ({first, second} if change == "more members" else {second}) == received
    assert 201 == ben.client.post(f"/v1/challenges/{second}/accept").status_code


@pytest.mark.parametrize("members", [{"later": 1}, {"mixed": None, "caller": None}])
def test_a_challenge_of_another_version_is_accepted(
    redis_client: Redis, ana: Person, ben: Person, members: dict[str, Any]
) -> None:
    """A later version stored one more member, or an earlier one fewer."""
    made = body_of(ana.client.post(f"/v1/players/{ben.id}/challenges", {**GAME, "clock": CLOCK}), 201)["id"]
    (key,) = redis_client.scan_iter(f"*:challenge:{made}")
    stored: Any = redis_client.get(key)
    changed = {**orjson.loads(stored), **members}
    redis_client.set(
        key, orjson.dumps({name: part for name, part in changed.items() if part is not None}), keepttl=True
    )
    assert "accepted" == body_of(ben.client.post(f"/v1/challenges/{made}/accept"), 201)["status"]


@every_change
def test_one_competition(anyone: Client, redis_client: Redis, ana: Person, change: str) -> None:
    first, second = (
        body_of(ana.client.post("/v1/competitions", {**BODIES["createCompetition"], "name": name}), 201)["id"]
        for name in ("One", "Two")
    )
    spoil(redis_client, f"*:competition:{first}", "plan", change)
    listed = {one["id"] for one in body_of(anyone.get("/v1/competitions"))["competitions"]}
    assert ({first, second} if change == "more members" else {second}) == listed
    assert EXPECTED.get(change, DAMAGED) == result(anyone, f"/v1/competitions/{first}")
    assert (200, None) == result(anyone, f"/v1/competitions/{second}")


@every_change
def test_one_webhook(redis_client: Redis, ana: Person, change: str) -> None:
    first, second = (
        body_of(ana.client.post("/v1/me/webhooks", {"url": f"https://games.example/{name}"}), 201)["webhook"]["id"]
        for name in ("one", "two")
    )
    spoil(redis_client, "*:webhooks:*", first, change)
    listed = {one["id"] for one in body_of(ana.client.get("/v1/me/webhooks"))["webhooks"]}
    assert ({first, second} if change == "more members" else {second}) == listed
    changed = result(ana.client, f"/v1/me/webhooks/{first}", "PATCH", json={"enabled": False})
    assert EXPECTED.get(change, DAMAGED) == changed
    assert (200, None) == result(ana.client, f"/v1/me/webhooks/{second}", "PATCH", json={"enabled": False})


@every_change
@pytest.mark.parametrize(("kind", "field"), [("analyses", "asked"), ("analyses", "found"), ("tournaments", "asked")])
def test_one_task(
    anyone: Client, redis_client: Redis, new_game: Callable[..., Any], kind: str, field: str, change: str
) -> None:
    body = BODIES["createTournament"] if kind == "tournaments" else {"position": new_game().view()["position"]}
    first, second = (f"/v1/{kind}/{body_of(anyone.post(f'/v1/{kind}', body), 202)['id']}" for _ in range(2))
    key = f"*:task:{first.rpartition('/')[2]}"
    redis_client.hset(next(redis_client.scan_iter(key)), "found", orjson.dumps({"progress": 0.5, "result": None}))
    spoil(redis_client, key, field, change)
    expected = {**EXPECTED, **(EXPECTED_OF_PROGRESS if field == "found" else {})}.get(change, DAMAGED)
    assert expected == result(anyone, first)
    assert (200, None) == result(anyone, second)


@pytest.mark.parametrize("field", ["version", "expires", "kind", "status", "owner"])
def test_one_field_of_a_task(anyone: Client, redis_client: Redis, field: str) -> None:
    path = f"/v1/tournaments/{body_of(anyone.post('/v1/tournaments', BODIES['createTournament']), 202)['id']}"
    redis_client.hset(next(redis_client.scan_iter(f"*:task:{path.rpartition('/')[2]}")), field, b"\xff")
    assert ((404, "task/not_found") if field == "kind" else DAMAGED) == result(anyone, path)


@every_change
@pytest.mark.parametrize("field", ["meta", "state", "view"])
def test_one_game(anyone: Client, redis_client: Redis, new_game: Callable[..., Any], field: str, change: str) -> None:
    first, second = (new_game(visibility="public") for _ in range(2))
    action = {"id": first.actions(1)[0]["id"], "revision": first.view()["revision"]}
    spoil(redis_client, f"*:game:{first.id}", field, change)
    decided = first.seat(0).send("POST", f"{first.path}/actions", json=action)
    read = [result(anyone, f"{first.path}{part}") for part in ("", "/actions", "/history", "/export", "/board.svg")]
    assert {status for status, _ in read} <= {200, 503}
    listed = {one["id"] for one in body_of(anyone.get("/v1/games"))["games"]}
    assert second.id in listed
    if field != "view":
        expected = EXPECTED_OF_A_GAME.get(change, DAMAGED)
        assert expected[0] == (200 if decided.status_code == 201 else decided.status_code)
        assert expected == read[1]
    assert 201 == second.act().status_code


@pytest.mark.parametrize(
    ("entry", "expected"),
    [(b'{"kind":"later","at":1}', NEWER), (b'{"kind":"start","at":1,"version":2}', NEWER), (b"{", DAMAGED)],
)
def test_one_event(redis_client: Redis, new_game: Callable[..., Any], entry: bytes, expected: tuple[int, str]) -> None:
    table, other = new_game(), new_game()
    (key,) = redis_client.scan_iter(f"*:game:{table.id}")
    tail: Any = redis_client.hget(key, "tail")
    *before, _ = b"\n".join(unpack_all(tail)).splitlines()
    redis_client.hset(key, "tail", pack(b"\n".join([*before, entry, b""])))
    for part in ("/history", "/export"):
        assert expected == result(table.host, f"{table.path}{part}")
        assert (200, None) == result(other.host, f"{other.path}{part}")
