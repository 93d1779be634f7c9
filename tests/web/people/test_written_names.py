"""Names and messages over HTTP: every field that people write decides alike, and stores the normal form."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from marshmallow import fields

from service.web.api import Request
from service.web.schemas.base.request_fields import PeopleText
from tests.web.client import Client, Json, body_of, invalid_fields, spec
from tests.web.game_records import export_table, import_record
from tests.web.matchmaking.test_competitions import OPEN
from tests.web.notifications.test_devices import body as subscription
from tests.web.players import Person
from tests.web.table import NewTable, Table

WRITTEN, NORMAL = "  Ｚoe\u0308  \u2764\ufe0f\u200d\U0001f525 ", "Zoë \u2764\ufe0f\u200d\U0001f525"
INVISIBLE = ("\u3164", "\u2800", "\ufe0f", "\u0301", "a\u202eb", "a\u2066b", "a\u200bb", "\U000e0067")


def requests_with_names(table: Table, ana: Person) -> dict[str, tuple[Client, str, str, Json, str]]:
    """Return client, method, path, body without the name, and pointer to the name of each request that has one."""
    seats = [{"kind": "open"}, {"kind": "player"}]
    create = {"ruleset": "azul", "variant": "coloured", "seats": seats}
    return {
        "player": (table.anyone, "POST", "/v1/players", {}, "/name"),
        "profile": (ana.client, "PATCH", "/v1/me", {}, "/name"),
        "token": (ana.client, "POST", "/v1/me/tokens", {}, "/name"),
        "device": (ana.client, "POST", "/v1/me/devices", subscription(), "/name"),
        "competition": (ana.client, "POST", "/v1/competitions", OPEN, "/name"),
        "seat": (table.anyone, "POST", "/v1/games", create, "/seats/1/name"),
        "handover": (table.seat(1), "POST", f"{table.path}/seats/1/handover", {}, "/name"),
        "message": (table.seat(0), "POST", f"{table.path}/messages", {}, "/text"),
    }


def with_value(body: Json, pointer: str, value: str) -> Json:
    if pointer.startswith("/seats"):
        return {**body, "seats": [body["seats"][0], {**body["seats"][1], "name": value}]}
    return {**body, pointer[1:]: value}


def strings(value: Any) -> set[str]:
    """Return all strings in a JSON value."""
    if isinstance(value, dict | list):
        return {text for inner in (value.values() if isinstance(value, dict) else value) for text in strings(inner)}
    return {value} if isinstance(value, str) else set()


def test_every_request_stores_and_returns_the_normal_form(table: Table, ana: Person) -> None:
    for name, (client, method, path, body, pointer) in requests_with_names(table, ana).items():
        for text in INVISIBLE:
            answer = client.send(method, path, json=with_value(body, pointer, text))
            assert [pointer] == invalid_fields(answer), (name, ascii(text))
        answer = client.send(method, path, json=with_value(body, pointer, WRITTEN))
        assert answer.status_code in (200, 201), name
        expected = "  Ｚoë  \u2764\ufe0f\u200d\U0001f525 " if pointer == "/text" else NORMAL
        assert expected in strings(answer.json), name
    assert NORMAL == body_of(ana.client.get("/v1/me"))["name"]
    assert NORMAL == table.view()["seats"][1]["name"]


def test_lone_surrogates_in_json_are_malformed(anyone: Client) -> None:
    answer = anyone.flask.post("/v1/players", data=b'{"name": "\\ud83d"}', content_type="application/json")
    assert (400, "request/malformed") == (answer.status_code, (answer.json or {})["code"])


def test_names_in_records_are_normalised_or_refused(new_game: NewTable, anyone: Client) -> None:
    table = new_game()
    body_of(table.seat(1).post(f"{table.path}/seats/1/handover", {"name": "Eve"}), 201)
    record = export_table(table)
    for before, after in ((WRITTEN, NORMAL), (" Eve", "Eve")):
        copy = import_record(anyone, rename(record, before))
        assert after == copy.view()["seats"][1]["name"]
    for text in ("\u3164", "a\u202eb", " "):
        answer = anyone.post("/v1/games/import", rename(record, text))
        assert 422 == answer.status_code, ascii(text)


def rename(record: Json, name: str) -> Json:
    """Return a record whose seat was handed over to somebody of this name."""
    return {
        **record,
        "events": [{**event, "name": name} if event.get("name") == "Eve" else event for event in record["events"]],
    }


def test_all_names_of_requests_and_messages_are_decided_by_one_module(app: Flask) -> None:
    api = app.extensions["flask-smorest"]["apis"]
    schemas = [schema for each in api.values() for schema in each["ext_obj"].schemas().values()]
    written = [
        (schema.__name__, name, field)
        for schema in schemas
        if issubclass(schema, Request)
        for name, field in schema._declared_fields.items()
        if name in ("name", "text", "title", "comment") and isinstance(field, fields.String)
    ]
    assert 12 <= len(written)
    assert [] == [(schema, name) for schema, name, field in written if not isinstance(field, PeopleText)]


@pytest.mark.parametrize(
    ("schema", "member", "longest"), [("ChangePlayerRequest", "name", 40), ("SayRequest", "text", 500)]
)
def test_the_document_states_length_and_normal_form_and_no_pattern(schema: str, member: str, longest: int) -> None:
    documented = spec()["components"]["schemas"][schema]["properties"][member]
    assert (1, longest) == (documented["minLength"], documented["maxLength"])
    assert "form NF" in documented["description"]
    assert "pattern" not in documented
