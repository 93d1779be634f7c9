"""Seats of kind http as a client asks for them: what is agreed, what is told, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson
import pytest

from service.usecases.base.context import Context
from service.usecases.games import endpoints
from tests.web.client import Client, Json, answered, faults, invalid, refused
from tests.web.table import EVERY_VARIANT, Table
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

URL = "https://bot.example/move?key=hush"
SECRET = "whsec_" + "A" * 32
GAME: Json = {"ruleset": "azul", "variant": "coloured", "first_seat": 0}
AGREED = {"timeout_s": 5, "attempts": 3, "on_failure": "ai"}
FINE = {"health": "ok", "failures": 0, "failure": None, "rule": None, "retry_at": None}


def bot(**changes: Any) -> Json:
    return {"kind": "http", "name": "Bot", "endpoint": {"url": URL, **changes}}


def ask(anyone: Client, *seats: Json, **headers: str) -> Any:
    return anyone.post("/v1/games", {**GAME, "seats": [*seats, {"kind": "player"}]}, **headers)


def test_a_seat_tells_how_its_endpoint_does_and_not_where_it_stands(anyone: Client, context: Context) -> None:
    made = answered(ask(anyone, bot(secret=SECRET)), 201)
    seat = made["game"]["seats"][0]
    assert ("http", "Bot", "greedy") == (seat["kind"], seat["name"], seat["level"])
    assert {**FINE, **AGREED} == seat["endpoint"]
    assert ({"0": SECRET}, None) == (made["tokens"]["secrets"], made["game"]["seats"][1]["endpoint"])
    table = Table(made["game"]["id"], made["tokens"], anyone)
    for path in ("", "/history", "/export", "/actions"):
        actual = table.host.get(table.path + path).data
        assert [] == [secret for secret in (b"bot.example", b"hush", b"whsec") if secret in actual]


def test_what_is_agreed_is_told(anyone: Client, context: Context) -> None:
    agreed = {"timeout_s": 0.5, "attempts": 1, "on_failure": "lose"}
    made = answered(ask(anyone, {**bot(**agreed), "level": "random"}), 201)
    assert ({**FINE, **agreed}, "random") == (made["game"]["seats"][0]["endpoint"], made["game"]["seats"][0]["level"])
    assert made["tokens"]["secrets"]["0"].startswith("whsec_")


def test_a_failure_is_an_event_and_stands_in_the_view(anyone: Client, context: Context) -> None:
    made = answered(ask(anyone, bot()), 201)
    table = Table(made["game"]["id"], made["tokens"], anyone)
    call = endpoints.take(context, table.id, made["game"]["revision"], 0)
    assert call is not None
    endpoints.decide(context, call, b'{"id": "270"}')
    event = answered(anyone.get(f"{table.path}/history?after={made['game']['revision']}"))["events"][0]
    actual = table.view()["seats"][0]["endpoint"]
    assert ("call_failed", "illegal", None) == (event["kind"], event["reason"], event["then"])
    assert "The bot at seat 1 did not return a valid action. The service asks it again." == event["text"]
    assert ("failing", 1, "illegal", event["rule"], event["retry_at"]) == tuple(
        actual[name] for name in ("health", "failures", "failure", "rule", "retry_at")
    )


@pytest.mark.parametrize("most", [0, 1000])
@pytest.mark.parametrize(("ruleset", "variant"), EVERY_VARIANT)
def test_what_is_sent_is_what_the_document_says(
    new_game: Callable[..., Table],
    context: Context,
    monkeypatch: pytest.MonkeyPatch,
    ruleset: str,
    variant: str,
    most: int,
) -> None:
    monkeypatch.setattr(endpoints, "MAX_LISTED", most)
    table = new_game(ruleset=ruleset, variant=variant, seats=[bot(), {"kind": "player"}])
    call = endpoints.take(context, table.id, table.view()["revision"], 0)
    assert call is not None
    sent = orjson.loads(endpoints.asking(context, call).body)
    assert [] == faults({"$ref": "#/components/schemas/Decision"}, sent)
    assert (bool(most), not most) == (sent["data"]["actions"] is not None, sent["data"]["choices"] is not None)
    assert [] == faults({"$ref": "#/components/schemas/DecisionAnswer"}, {"id": table.actions(1)[0]["id"]})


def test_asked_twice_with_one_key_the_secret_is_told_again(anyone: Client, context: Context) -> None:
    key = {"Idempotency_Key": "0123456789abcdef0123456789"}
    assert ask(anyone, bot(), **key).json == ask(anyone, bot(), **key).json


def test_where_nobody_is_called_no_such_game_is_made(anyone: Client, context: Context) -> None:
    context.settings = replace(context.settings, outgoing="off")
    assert (403, "outgoing/off") == refused(ask(anyone, bot()))


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


def test_a_fault_is_told_with_its_pointer(anyone: Client, context: Context) -> None:
    for pointer, seat in wrong_bodies({**bot(), "level": "random"}, FAULTS):
        assert [f"/seats/0{pointer}"] == invalid(ask(anyone, seat)), seat
    for kind in ({"kind": "ai", "level": "greedy"}, {"kind": "player"}):
        assert ["/seats/0/endpoint"] == invalid(ask(anyone, {**bot(), **kind})), kind


def test_a_rematch_and_an_import_need_no_url(new_game: Callable[..., Table], anyone: Client, context: Context) -> None:
    table = new_game(seats=[bot(attempts=1, on_failure="lose"), {"kind": "player"}])
    call = endpoints.take(context, table.id, table.view()["revision"], 0)
    assert call is not None
    endpoints.fail(context, call, "late")
    follows = answered(table.seat(1).post(f"{table.path}/rematch"))["game"]["rematch"]
    assert "ok" == answered(anyone.get(f"/v1/games/{follows}"))["seats"][0]["endpoint"]["health"]
    record = answered(table.host.get(f"{table.path}/export"))
    made = answered(anyone.post("/v1/games/import", record), 201)["game"]
    assert ("ai", "failed") == (made["seats"][0]["kind"], made["seats"][0]["status"])
    assert "failure" == made["outcome"]["reason"]
