"""The staff: roles, tokens, and the audit log of their acts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from redis import Redis
from werkzeug.test import TestResponse

from service.usecases.base.context import Caller, Context, Idempotency, digest_of
from service.usecases.games.tokens import Issuer
from service.usecases.keeping import audit_log, operating, sanctions, staff
from tests.usecases.killing import KilledError, killed_before
from tests.web.client import OPERATIONS, Client, Json, body_of, read_pages, refusal_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.players import Person, new_staff_token
from tests.web.table import NewTable
from tests.web.test_callers import BODIES, NDJSON, NO_GAME, USUAL_IDS

OF_STAFF = [name for name, (_, _, described) in OPERATIONS.items() if "x-role" in described]
RANKS = {"player": 0, "moderator": 1, "admin": 2, "operator": 2}


def create(admin: Client, role: str = "moderator", name: str = "Kim", **headers: str) -> Json:
    return body_of(admin.send("POST", "/v1/admin/staff", json={"name": name, "role": role}, headers=headers), 201)


def log(admin: Client) -> list[Json]:
    """Return all entries, oldest first."""
    return list(reversed(body_of(admin.get("/v1/admin/log"))["entries"]))


def acts(admin: Client) -> list[str]:
    return [entry["act"] for entry in log(admin)]


@pytest.mark.parametrize("operation", OF_STAFF)
def test_every_role_may_send_exactly_the_requests_of_its_rank(admin: Client, ana: Person, operation: str) -> None:
    method, template, described = OPERATIONS[operation]
    path = template.format(**USUAL_IDS, game_id=NO_GAME, competition_id=NO_GAME, player=ana.id)
    tokens = {role: new_staff_token(admin, role) for role in ("moderator", "admin")}
    tokens |= {"player": ana.token, "operator": ADMIN_TOKEN}
    needed = described["x-role"]
    refusals = {0: "auth/staff_only", 1: "auth/admin_only"}

    def refusal(token: str) -> str | None:
        answer = admin.with_token(token).send(method, path, json=BODIES.get(operation))
        code = (answer.json or {}).get("code", "")
        return code if code.startswith("auth/") else None

    expected = {role: None if rank >= RANKS[needed] else refusals[rank] for role, rank in RANKS.items()}
    assert expected == {role: refusal(tokens[role]) for role in RANKS}


def test_a_token_of_staff_is_shown_once_and_works_until_the_member_is_deleted(
    admin: Client, anyone: Client, redis_client: Redis
) -> None:
    made = create(admin, "admin")
    own, member = anyone.with_token(made["token"]), made["member"]
    assert ("Kim", "admin") == (member["name"], member["role"])
    assert [member] == body_of(own.get("/v1/admin/staff"))["staff"]
    (stored,) = redis_client.hvals("{b00}:staff")
    assert [False, True] == [secret in str(stored) for secret in (made["token"], digest_of(made["token"]))]
    assert 204 == admin.delete(f"/v1/admin/staff/{member['id']}").status_code
    assert (401, "auth/token_unknown") == refusal_of(own.get("/v1/admin/staff"))
    assert (404, "staff/not_found") == refusal_of(admin.delete(f"/v1/admin/staff/{member['id']}"))


def test_a_token_of_staff_gives_no_access_to_games_and_players(staff_admin: Client, new_game: NewTable) -> None:
    table, own = new_game(visibility="private"), staff_admin
    assert [404, 404, 404, 403] == [
        own.get(table.path).status_code,
        own.get(f"{table.path}/messages").status_code,
        own.post(f"{table.path}/abort").status_code,
        own.get("/v1/me").status_code,
    ]


def test_a_forged_token_of_staff_is_refused(admin: Client) -> None:
    token = new_staff_token(admin, "admin")
    for wrong in (f"{token[:-43]}{'x' * 43}", f"staff.{'A' * 16}.{token[-43:]}"):
        assert (401, "auth/token_unknown") == refusal_of(admin.with_token(wrong).get("/v1/admin/log"))


def test_the_last_admin_cannot_delete_themselves_but_the_operator_can(admin: Client, anyone: Client) -> None:
    made, other = create(admin, "admin"), create(admin, "admin")
    own, path = anyone.with_token(made["token"]), f"/v1/admin/staff/{made['member']['id']}"
    assert 204 == own.delete(f"/v1/admin/staff/{other['member']['id']}").status_code
    assert (409, "staff/last_admin") == refusal_of(own.delete(path))
    assert 204 == admin.delete(path).status_code
    assert ["create_staff", "create_staff", "delete_staff", "delete_staff"] == acts(admin)


def test_a_repeated_creation_returns_the_same_member(admin: Client) -> None:
    key = {"Idempotency_Key": "0123456789-0123456789-a"}
    assert create(admin, **key) == create(admin, **key)
    assert (1, ["create_staff"]) == (len(body_of(admin.get("/v1/admin/staff"))["staff"]), acts(admin))


def test_a_response_is_not_repeated_for_a_token_that_was_revoked(admin: Client) -> None:
    made, key = create(admin, "admin"), {"Idempotency_Key": "0123456789-0123456789-a"}
    own = admin.with_token(made["token"])
    assert create(own, **key) == create(own, **key)
    assert 204 == admin.delete(f"/v1/admin/staff/{made['member']['id']}").status_code
    refusal = own.send("POST", "/v1/admin/staff", json={"name": "Kim", "role": "moderator"}, headers=key)
    assert (401, "auth/token_unknown") == refusal_of(refusal)


def test_a_creation_that_was_killed_after_it_was_stored_can_be_repeated(context: Context, app: Flask) -> None:
    caller = Caller(ADMIN_TOKEN)
    issuer = Issuer(caller, Idempotency("key", "hash"), entity_id="A" * 16)
    first, second = (staff.create(context, caller, "Kim", "admin", issuer) for _ in range(2))
    assert first["token"] == second["token"]
    assert ["create_staff"] == [entry["act"] for entry in audit_log.page(context, caller, None, 10)[0]]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"role": "moderator"}, "/name"),
        ({"name": "", "role": "moderator"}, "/name"),
        ({"name": "Kim"}, "/role"),
        ({"name": "Kim", "role": "operator"}, "/role"),
        ({"name": "Kim", "role": "admin", "token": "x"}, "/token"),
    ],
)
def test_an_invalid_member_is_refused(admin: Client, body: Json, pointer: str) -> None:
    answer = admin.post("/v1/admin/staff", body)
    assert (422, "request/invalid") == refusal_of(answer)
    assert [pointer] == [error["pointer"] for error in (answer.json or {})["errors"]]


# --------------------------------------------------------------------------------------------------------- audit log


def test_the_log_names_actor_act_object_and_time(admin: Client, anyone: Client) -> None:
    made = create(admin, "admin", "Kim")
    other = create(anyone.with_token(made["token"]), "moderator", "Lou")
    first, second = log(admin)
    assert {"id": "operator", "name": None} == first["actor"]
    assert {"id": made["member"]["id"], "name": "Kim"} == second["actor"]
    assert ("create_staff", {"type": "staff", "id": other["member"]["id"]}) == (second["act"], second["object"])
    assert first["at"] <= second["at"]
    admin.delete(f"/v1/admin/staff/{made['member']['id']}")
    assert [first, second] == log(admin)[:2]


def test_the_log_comes_in_pages_and_as_lines(admin: Client, anyone: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_log, "EXPORTED_AT_ONCE", 2)
    for number in range(5):
        create(admin, name=f"Kim {number}")
    pages = read_pages(admin, "/v1/admin/log?limit=2", "entries")
    entries = [entry for page in pages for entry in page]
    assert ([2, 2, 1], entries) == ([len(page) for page in pages], log(admin)[::-1])

    def lines(path: str) -> list[Any]:
        answer = anyone.with_token(new_moderator).get(path, Accept=NDJSON)
        assert NDJSON == answer.mimetype
        return [json.loads(line) for line in answer.text.splitlines()]

    new_moderator = new_staff_token(admin, "moderator")
    assert entries == lines("/v1/admin/log")[1:]
    assert entries[2:] == lines(f"/v1/admin/log?cursor={entries[1]['id']}&limit=1")
    monkeypatch.setattr(audit_log, "FILTERED_AT_ONCE", 2)
    oldest = entries[4]["object"]["id"]
    assert [entries[4]] == lines(f"/v1/admin/log?act=create_staff&contains={oldest.upper()}")
    assert [] == lines("/v1/admin/log?act=ban")
    pages = read_pages(admin, "/v1/admin/log?limit=2&contains=OPERATOR", "entries")
    assert entries == [entry for page in pages for entry in page][1:]
    monkeypatch.setattr(audit_log, "MAX_READS", 1)
    unread = body_of(admin.get(f"/v1/admin/log?contains={oldest}"))
    assert ([], True) == (unread["entries"], unread["next_cursor"] is not None)


@pytest.mark.parametrize("accept", ["application/json", NDJSON])
@pytest.mark.parametrize("cursor", ["x", "1-2", "1-2-3-4", "-1-0-0"])
def test_an_invalid_cursor_of_the_log_is_refused(admin: Client, cursor: str, accept: str) -> None:
    answer = admin.get(f"/v1/admin/log?cursor={cursor}", Accept=accept)
    assert (422, ["/cursor"]) == (answer.status_code, [error["pointer"] for error in (answer.json or {})["errors"]])


def test_nothing_changes_the_log(admin: Client) -> None:
    create(admin)
    (entry,) = log(admin)
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for path in ("/v1/admin/log", f"/v1/admin/log/{entry['id']}"):
            assert admin.send(method, path, json={}).status_code in (404, 405)
    assert [entry] == log(admin)


def test_acts_of_the_operator_are_in_the_log(admin: Client, ana: Person, new_game: NewTable, context: Context) -> None:
    operator, table = Caller(ADMIN_TOKEN), new_game()
    assert 201 == admin.post(f"{table.path}/abort").status_code
    assert 409 == admin.post(f"{table.path}/abort").status_code
    context.queue.beat("worker", "worker-1", 60)
    operating.drain(context, operator, "worker-1")
    operating.resume(context, operator, "worker-1")
    sanctions.act(context, operator, ana.id, "ban")
    for _ in range(2):
        sanctions.act(context, operator, ana.id, "unban")
    task = {"ruleset": "azul", "variant": "grey", "levels": ["random", "greedy"], "deals": 1}
    made: TestResponse = ana.client.post("/v1/tournaments", task)
    assert 204 == admin.delete(f"/v1/tournaments/{body_of(made, 202)['id']}").status_code
    competition = body_of(ana.client.post("/v1/competitions", BODIES["createCompetition"]), 201)["id"]
    for _ in range(2):
        assert 204 == admin.delete(f"/v1/competitions/{competition}").status_code
    assert [
        ("end_game", "game", table.id),
        ("drain_process", "process", "worker-1"),
        ("resume_process", "process", "worker-1"),
        ("ban", "player", ana.id),
        ("unban", "player", ana.id),
        ("cancel_task", "task", body_of(made, 202)["id"]),
        ("cancel_competition", "competition", competition),
    ] == [(entry["act"], entry["object"]["type"], entry["object"]["id"]) for entry in log(admin)]


def test_a_drain_that_is_killed_has_an_entry(admin: Client, context: Context) -> None:
    context.queue.beat("worker", "worker-1", 60)
    with killed_before(context.queue, "drain"), pytest.raises(KilledError):
        operating.drain(context, Caller(ADMIN_TOKEN), "worker-1")
    assert ["drain_process"] == acts(admin)
