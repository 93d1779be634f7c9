"""Acts of moderators on players and messages: their effects, their end, and their reversal."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from service.games.state.moments import rfc3339
from service.usecases.base.context import Caller, Context
from service.usecases.keeping import sanctions
from service.usecases.people import follow_ups, players
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.killing import KilledError, before_call, killed_before
from tests.web.client import Client, Json, body_of, refusal_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.limited_service import Serve
from tests.web.players import Person, logged_acts, new_staff_token, seat_players
from tests.web.table import Wait

HOUR_MS = 3_600_000
RATED = {"ruleset": "azul", "variant": "grey", "seats": [{"kind": "player"}, {"kind": "open"}], "rated": True}
RATED["clock"] = {"turn_s": 60}


def act(moderator: Client, person: Person, kind: str, **members: Any) -> Json:
    return body_of(moderator.post(f"/v1/admin/players/{person.id}/acts", {"act": kind, **members}), 201)


def in_an_hour(context: Context) -> str:
    return rfc3339(context.now_ms() + HOUR_MS)


def standing(person: Person) -> Json:
    return dict(body_of(person.client.get("/v1/me"))["standing"])


def test_a_warning_is_shown_to_the_player_until_it_is_withdrawn(ana: Person, moderator: Client) -> None:
    assert {None} == {*standing(ana).values()}
    act(moderator, ana, "warn", reason="Be kind.")
    assert "Be kind." == standing(ana)["warning"]["reason"]
    assert standing(ana) == body_of(ana.client.get("/v1/me/export"))["standing"]
    assert None is act(moderator, ana, "withdraw_warning")["standing"]["warning"]
    assert None is standing(ana)["warning"]
    assert [("warn", ana.id, "Be kind."), ("withdraw_warning", ana.id, None)] == logged_acts(moderator)


@pytest.mark.parametrize("end", ["time", "unmute"])
def test_a_muted_player_plays_but_does_not_write(
    ana: Person, ben: Person, moderator: Client, context: Context, wait_for: Wait, end: str
) -> None:
    table, until = seat_players(ana, ben), in_an_hour(context)
    assert act(moderator, ana, "mute", until=until, reason="Rude.")["standing"] == standing(ana)
    assert (until, "Rude.") == (standing(ana)["muted_until"], standing(ana)["muted_reason"])
    for client in (ana.client, table.host):
        refusal = client.post(f"{table.path}/messages", {"text": "hello"})
        assert ((403, "player/muted"), until) == (refusal_of(refusal), (refusal.json or {})["until"])
    body_of(ben.client.post(f"{table.path}/messages", {"text": "hello"}), 201)
    action = {"id": table.actions(1)[0]["id"], "revision": table.view()["revision"]}
    body_of(ana.client.post(f"{table.path}/actions", action), 201)
    if end == "time":
        wait_for(3_601)
    else:
        act(moderator, ana, "unmute")
    assert (None, None) == (standing(ana)["muted_until"], standing(ana)["muted_reason"])
    body_of(ana.client.post(f"{table.path}/messages", {"text": "hello"}), 201)


@pytest.mark.parametrize("end", ["time", "readmit_to_rated"])
def test_an_excluded_player_gets_no_rated_games(
    ana: Person, ben: Person, moderator: Client, context: Context, wait_for: Wait, end: str
) -> None:
    waiting, until = body_of(ben.client.post("/v1/games", RATED), 201), in_an_hour(context)
    act(moderator, ana, "exclude_from_rated", until=until, reason="Left games.")
    assert (until, "Left games.") == (standing(ana)["unrated_until"], standing(ana)["unrated_reason"])
    seek = {"ruleset": "azul", "variant": "grey", "rated": True, "clock": {"turn_s": 60}}
    join = f"/v1/games/{waiting['game']['id']}/seats"
    invite = {"token": waiting["tokens"]["invite"]}
    for path, body in (("/v1/games", RATED), ("/v1/seeks", seek), (join, invite)):
        refusal = ana.client.post(path, body)
        assert ((429, "limit/excluded"), until) == (refusal_of(refusal), (refusal.json or {})["until"])
        assert 3_500 < int(refusal.headers["Retry-After"]) <= 3_600
    body_of(ana.client.post("/v1/games", {**RATED, "rated": False}), 201)
    if end == "time":
        wait_for(3_601)
    else:
        act(moderator, ana, "readmit_to_rated")
    assert (None, None) == (standing(ana)["unrated_until"], standing(ana)["unrated_reason"])
    body_of(ana.client.post("/v1/games", RATED), 201)


def test_names_and_handles_are_taken_away(ana: Person, ben: Person, moderator: Client) -> None:
    body_of(ana.client.send("PATCH", "/v1/me", json={"name": "Rude"}))
    body_of(ana.client.put("/v1/me/handle", {"handle": "rude-1"}))
    assert None is act(moderator, ana, "remove_name", reason="Rude.")["player"]["name"]
    assert None is act(moderator, ana, "remove_handle")["player"]["handle"]
    assert (404, "player/not_found") == refusal_of(ana.client.get("/v1/players/rude-1"))
    assert (409, "player/handle_too_soon") == refusal_of(ana.client.put("/v1/me/handle", {"handle": "rude-2"}))
    body_of(ben.client.put("/v1/me/handle", {"handle": "rude-1"}))
    for kind in ("remove_name", "remove_handle"):
        act(moderator, ana, kind)
    assert [("remove_name", ana.id, "Rude."), ("remove_handle", ana.id, None)] == logged_acts(moderator)


def test_a_banned_player_reads_reason_and_end(ana: Person, moderator: Client, context: Context) -> None:
    until = in_an_hour(context)
    for members, end in (({"until": until}, until), ({}, None)):
        assert ("Cheating.", end) == (
            (ban := act(moderator, ana, "ban", reason="Cheating.", **members)["ban"])["reason"],
            ban["until"],
        )
        refusal = ana.client.get("/v1/me")
        problem = refusal.json or {}
        assert ((403, "auth/banned"), "Cheating.", end) == (
            refusal_of(refusal),
            problem["reason"],
            problem.get("until"),
        )
        assert (401, "auth/token_unknown") == refusal_of(ana.client.get("/v1/me/tokens"))
    assert (401, "auth/token_unknown") == refusal_of(ana.client.with_token(f"{ana.id}.{'x' * 43}").get("/v1/me"))
    assert None is act(moderator, ana, "unban")["ban"]
    body_of(ana.client.get("/v1/me"))


def test_a_banned_player_reads_the_contact_for_appeals(ana: Person, context: Context, serve: Serve) -> None:
    sanctions.act(context, Caller(ADMIN_TOKEN), ana.id, "ban", None, "Cheating.")
    assert "contact" not in (ana.client.get("/v1/me").json or {})
    anyone = serve(CONTACT="https://games.example/appeals")
    assert "https://games.example/appeals" == (anyone.with_token(ana.token).get("/v1/me").json or {})["contact"]


@pytest.mark.parametrize("killed", [None, "execute_now"])
def test_a_timed_ban_ends_by_itself(
    ana: Person, moderator: Client, context: Context, wait_for: Wait, killed: str | None
) -> None:
    until_ms, caller = context.now_ms() + HOUR_MS, Caller(ADMIN_TOKEN)
    if killed is None:
        sanctions.act(context, caller, ana.id, "ban", until_ms, "A break.")
    else:
        with killed_before(follow_ups, killed), pytest.raises(KilledError):
            sanctions.act(context, caller, ana.id, "ban", until_ms, "A break.")
    wait_for(600)
    follow_ups.run_due(context)
    assert 403 == ana.client.get("/v1/me").status_code
    wait_for(3_001)
    follow_ups.run_due(context)
    body_of(ana.client.get("/v1/me"))
    stored = context.moderation.standing(ana.id)
    assert (None, None) == (stored.banned_until, stored.ban_reason)
    wait_for(60)
    assert 0 == follow_ups.run_due(context).done


@pytest.mark.parametrize("between", ["unban", "longer", "for good"])
def test_the_end_of_a_replaced_ban_does_not_end_the_new_one(
    ana: Person, context: Context, wait_for: Wait, between: str
) -> None:
    caller, until_ms = Caller(ADMIN_TOKEN), context.now_ms() + HOUR_MS
    sanctions.act(context, caller, ana.id, "ban", until_ms, "first")
    wait_for(1)
    if between == "unban":
        sanctions.act(context, caller, ana.id, "unban")
        wait_for(1)
    later = None if between == "for good" else until_ms + HOUR_MS
    sanctions.act(context, caller, ana.id, "ban", later, "second")
    wait_for(3_600)
    follow_ups.run_due(context)
    refusal = ana.client.get("/v1/me")
    assert ((403, "auth/banned"), "second") == (refusal_of(refusal), (refusal.json or {})["reason"])


def test_a_deleted_message_disappears_and_a_notice_arrives(ana: Person, ben: Person, moderator: Client) -> None:
    table = seat_players(ana, ben)
    path = f"{table.path}/messages"
    for text in ("one", "two", "three"):
        body_of(ana.client.post(path, {"text": text}), 201)
    removal = f"/v1/admin/games/{table.id}/messages/2"
    assert 204 == moderator.delete(f"{removal}?reason=Rude.").status_code
    messages = body_of(ben.client.get(path))["messages"]
    assert [(1, "one", None), (3, "three", None), (4, sanctions.NOTICE, 2)] == [
        (message["number"], message["text"], message["deletes"]) for message in messages
    ]
    assert [4] == [message["number"] for message in body_of(ben.client.get(f"{path}?after=3&wait=5"))["messages"]]
    for number in (0, 2, 9, 10**30):
        refusal = moderator.delete(f"/v1/admin/games/{table.id}/messages/{number}")
        assert (404, "message/not_found") == refusal_of(refusal)
    assert [("delete_message", table.id, "Rude.")] == logged_acts(moderator)
    assert 204 == ana.client.delete("/v1/me").status_code
    assert [4] == [message["number"] for message in body_of(ben.client.get(path))["messages"]]


def test_the_same_act_of_two_moderators_is_one_entry(
    ana: Person, admin: Client, moderator: Client, context: Context
) -> None:
    until = in_an_hour(context)
    for client in (admin, moderator):
        act(client, ana, "mute", until=until)
    for client in (admin, moderator):
        act(client, ana, "unmute")
    assert ["mute", "unmute"] == [name for name, _, _ in logged_acts(moderator)]


def test_a_moderator_who_was_revoked_cannot_act(ana: Person, admin: Client) -> None:
    token = new_staff_token(admin, "moderator")
    admin.delete(f"/v1/admin/staff/{token.split('.')[1]}")
    refusal = admin.with_token(token).post(f"/v1/admin/players/{ana.id}/acts", {"act": "unban"})
    assert (401, "auth/token_unknown") == refusal_of(refusal)


@pytest.mark.parametrize("kind", sanctions.ACTS)
def test_an_act_on_a_player_who_is_deleted_at_the_same_time_is_refused(
    ana: Person, context: Context, moderator: Client, kind: str
) -> None:
    body_of(ana.client.send("PATCH", "/v1/me", json={"name": "Ana"}))
    body_of(ana.client.put("/v1/me/handle", {"handle": "ana-1"}))
    for prepared in ("warn", "mute", "exclude_from_rated"):
        sanctions.act(context, Caller(ADMIN_TOKEN), ana.id, prepared, context.now_ms() + HOUR_MS, "a reason")
    before, delete = logged_acts(moderator), partial(players.delete, context, Caller(ana.token))
    if kind == "unban":
        sanctions.act(context, Caller(ADMIN_TOKEN), ana.id, "unban")
    with before_call(context.players, "change", delete), raises_error("player/not_found"):
        sanctions.act(context, Caller(ADMIN_TOKEN), ana.id, kind, context.now_ms() + HOUR_MS, "a reason")
    assert before == logged_acts(moderator)
    assert None is context.players.get(ana.id)


def test_a_handle_that_changes_at_the_same_time_is_taken_away_too(ana: Person, context: Context) -> None:
    body_of(ana.client.put("/v1/me/handle", {"handle": "rude-1"}))
    with before_call(context.players, "change", lambda: body_of(ana.client.put("/v1/me/handle", {"handle": "rude-2"}))):
        shown = sanctions.act(context, Caller(ADMIN_TOKEN), ana.id, "remove_handle")
    assert None is shown["player"]["handle"]
    assert [None, None] == context.handles.owners(["rude1", "rude2"])


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"act": "mute"}, ["/until"]),
        ({"act": "exclude_from_rated"}, ["/until"]),
        ({"act": "mute", "until": "2020-01-01T00:00:00Z"}, ["/until"]),
        ({"act": "ban", "until": "tomorrow", "reason": "x"}, ["/until"]),
        ({"act": "unmute", "until": "2100-01-01T00:00:00Z"}, ["/until"]),
        ({"act": "ban"}, ["/reason"]),
        ({"act": "warn"}, ["/reason"]),
        ({"act": "warn", "reason": ""}, ["/reason"]),
        ({"act": "kick"}, ["/act"]),
        ({}, ["/act"]),
    ],
)
def test_an_invalid_act_is_refused(ana: Person, moderator: Client, body: Json, pointers: list[str]) -> None:
    answer = moderator.post(f"/v1/admin/players/{ana.id}/acts", body)
    assert (422, "request/invalid") == refusal_of(answer)
    assert pointers == sorted(error["pointer"] for error in (answer.json or {})["errors"])
    assert [] == logged_acts(moderator)
