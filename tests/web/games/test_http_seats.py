"""Seats of kind http over HTTP: their terms, their view, and refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from service.usecases.base.context import Context
from service.usecases.games import endpoints
from tests.web.client import Client, Json, body_of, faults, invalid_fields, refusal_of
from tests.web.table import EVERY_VARIANT, NewTable, Table
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

URL = "https://bot.example/move?key=hush"
SECRET = "whsec_" + "A" * 32
GAME: Json = {"ruleset": "azul", "variant": "coloured", "first_seat": 0}
TERMS = {"timeout_s": 5, "attempts": 3, "on_failure": "ai"}
HEALTHY = {"health": "ok", "failures": 0, "failure": None, "rule": None, "retry_at": None}


def bot(**changes: Any) -> Json:
    return {"kind": "http", "name": "Bot", "endpoint": {"url": URL, **changes}}


def create_with(anyone: Client, *seats: Json, **headers: str) -> Any:
    return anyone.post("/v1/games", {**GAME, "seats": [*seats, {"kind": "player"}]}, **headers)


def test_a_view_shows_the_health_of_an_endpoint_and_not_its_url(anyone: Client, context: Context) -> None:
    made = body_of(create_with(anyone, bot(secret=SECRET)), 201)
    seat = made["game"]["seats"][0]
    assert ("http", "Bot", "greedy") == (seat["kind"], seat["name"], seat["level"])
    assert {**HEALTHY, **TERMS} == seat["endpoint"]
    assert ({"0": SECRET}, None) == (made["tokens"]["secrets"], made["game"]["seats"][1]["endpoint"])
    table = Table(made["game"]["id"], made["tokens"], anyone)
    for path in ("", "/history", "/export", "/actions"):
        actual = table.host.get(table.path + path).data
        assert [] == [secret for secret in (b"bot.example", b"hush", b"whsec") if secret in actual]


def test_a_view_shows_the_terms_of_an_endpoint(anyone: Client, context: Context) -> None:
    terms = {"timeout_s": 0.5, "attempts": 1, "on_failure": "lose"}
    made = body_of(create_with(anyone, {**bot(**terms), "level": "random"}), 201)
    assert ({**HEALTHY, **terms}, "random") == (made["game"]["seats"][0]["endpoint"], made["game"]["seats"][0]["level"])
    assert made["tokens"]["secrets"]["0"].startswith("whsec_")


def test_a_failure_is_an_event_and_part_of_the_view(anyone: Client, context: Context) -> None:
    made = body_of(create_with(anyone, bot()), 201)
    table = Table(made["game"]["id"], made["tokens"], anyone)
    call = endpoints.take(context, table.id, made["game"]["revision"], 0)
    assert call is not None
    endpoints.decide(context, call, b'{"id": "270"}')
    event = body_of(anyone.get(f"{table.path}/history?after={made['game']['revision']}"))["events"][0]
    actual = table.view()["seats"][0]["endpoint"]
    assert ("call_failed", "illegal", None) == (event["kind"], event["reason"], event["then"])
    assert "The bot at seat 1 did not return a valid action. The service asks it again." == event["text"]
    assert ("failing", 1, "illegal", event["rule"], event["retry_at"]) == tuple(
        actual[name] for name in ("health", "failures", "failure", "rule", "retry_at")
    )


@pytest.mark.parametrize("max_listed", [0, 1000])
@pytest.mark.parametrize(("ruleset", "variant"), EVERY_VARIANT)
def test_requests_to_endpoints_match_the_document(
    new_game: NewTable,
    context: Context,
    monkeypatch: pytest.MonkeyPatch,
    ruleset: str,
    variant: str,
    max_listed: int,
) -> None:
    monkeypatch.setattr(endpoints, "MAX_LISTED", max_listed)
    table = new_game(ruleset=ruleset, variant=variant, seats=[bot(), {"kind": "player"}])
    call = endpoints.take(context, table.id, table.view()["revision"], 0)
    assert call is not None
    sent = orjson.loads(endpoints.build_request(context, call).body)
    assert [] == faults({"$ref": "#/components/schemas/Decision"}, sent)
    assert (bool(max_listed), not max_listed) == (
        sent["data"]["actions"] is not None,
        sent["data"]["choices"] is not None,
    )
    assert [] == faults({"$ref": "#/components/schemas/DecisionAnswer"}, {"id": table.actions(1)[0]["id"]})


def test_a_repeated_create_returns_the_same_secret(anyone: Client, context: Context) -> None:
    key = {"Idempotency_Key": "0123456789abcdef0123456789"}
    assert create_with(anyone, bot(), **key).json == create_with(anyone, bot(), **key).json


def test_without_outgoing_calls_http_seats_are_refused(anyone: Client, context: Context) -> None:
    context.settings = replace(context.settings, outgoing="off")
    assert (403, "outgoing/off") == refusal_of(create_with(anyone, bot()))


FAULTS: Faults = {
    "/endpoint": [MISSING, None],
    "/level": ["champion"],
    "/endpoint/url": [
        *(MISSING, "", 7, f"https://{'a' * 2000}", "http://bot.example/", "https://bot.example:22/"),
        "https://me:hush@bot.example/",
    ],
    "/endpoint/secret": ["hush", "whsec_AAAA"],
    "/endpoint/timeout_s": [5.1, 0, "5"],
    "/endpoint/attempts": [0, 11],
    "/endpoint/on_failure": ["cry"],
    "/endpoint/redirects": [True],
}


def test_an_invalid_seat_is_refused_with_its_pointer(anyone: Client, context: Context) -> None:
    for pointer, seat in wrong_bodies({**bot(), "level": "random"}, FAULTS):
        assert [f"/seats/0{pointer}"] == invalid_fields(create_with(anyone, seat)), seat
    for kind in ({"kind": "ai", "level": "greedy"}, {"kind": "player"}):
        assert ["/seats/0/endpoint"] == invalid_fields(create_with(anyone, {**bot(), **kind})), kind


def test_a_rematch_and_an_import_need_no_url(new_game: NewTable, anyone: Client, context: Context) -> None:
    table = new_game(seats=[bot(attempts=1, on_failure="lose"), {"kind": "player"}])
    call = endpoints.take(context, table.id, table.view()["revision"], 0)
    assert call is not None
    endpoints.record_failure(context, call, "late")
    rematch = body_of(table.seat(1).post(f"{table.path}/rematch"))["game"]["rematch"]
    assert "ok" == body_of(anyone.get(f"/v1/games/{rematch}"))["seats"][0]["endpoint"]["health"]
    record = body_of(table.host.get(f"{table.path}/export"))
    made = body_of(anyone.post("/v1/games/import", record), 201)["game"]
    assert ("ai", "failed") == (made["seats"][0]["kind"], made["seats"][0]["status"])
    assert "failure" == made["outcome"]["reason"]
