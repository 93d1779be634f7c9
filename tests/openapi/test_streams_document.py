"""The AsyncAPI document matches the code and the streams, and refers to the schemas of the OpenAPI document."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from openapi.build import FILE, serialize
from service.web.docs.components import objects, operations
from service.web.docs.streams_document import OPENAPI, build_asyncapi
from tests.web.client import Client, Json, body_of, document, faults, spec
from tests.web.matchmaking.test_competitions import announce, join
from tests.web.players import Person, act, new_player, seat_players

NDJSON, SSE = "application/x-ndjson", "text/event-stream"
STREAMS = [
    one["operationId"] for one in operations(spec()) if SSE in one["responses"].get("200", {}).get("content", {})
]


def asyncapi() -> Json:
    return build_asyncapi(document())


def resolve(reference: str) -> Any:
    """Return what a reference in the document names: a part of the document, or of the OpenAPI document."""
    file, _, pointer = reference.partition("#/")
    found: Any = {"": asyncapi(), OPENAPI: spec()}[file]
    for name in pointer.split("/"):
        found = found[name]
    return found


def test_the_committed_document_is_generated_from_the_code() -> None:
    assert serialize(asyncapi()) == FILE.with_name("asyncapi.json").read_bytes()


def test_every_reference_has_a_target() -> None:
    references = {node["$ref"] for node in objects(asyncapi()) if "$ref" in node}
    assert all(resolve(reference) for reference in references)
    assert {f"{OPENAPI}#/components/schemas/{name}" for name in ("PlayerEvent", "YourTurnNotice")} <= references


def test_the_document_has_every_stream_and_every_call() -> None:
    described = asyncapi()
    assert {*STREAMS, "webhook", "endpoint"} == described["channels"].keys()
    calls = {hook["post"]["operationId"] for hook in spec()["webhooks"].values()}
    assert {*STREAMS, *calls} == described["operations"].keys()
    assert {*STREAMS} == {
        name for name, one in described["channels"].items() if (one["address"] or "").endswith("/events")
    }
    replying = {name for name, one in described["operations"].items() if "reply" in one}
    assert {"receiveDecision"} == replying


@pytest.mark.parametrize(
    ("public_url", "expected"),
    [
        ("", {"host": "games.example", "protocol": "http"}),
        ("https://azul.example:8443/azul", {"host": "azul.example:8443", "protocol": "https", "pathname": "/azul"}),
    ],
)
def test_the_service_serves_the_document_with_its_address(
    anyone: Client, monkeypatch: pytest.MonkeyPatch, public_url: str, expected: Json
) -> None:
    monkeypatch.setitem(anyone.flask.application.config, "PUBLIC_URL", public_url)
    answer = anyone.get("/v1/asyncapi.json", Host="games.example")
    (server,) = body_of(answer)["servers"].values()
    assert expected.items() <= server.items()
    assert orjson.loads(FILE.with_name("asyncapi.json").read_bytes()) == {
        name: value for name, value in (answer.json or {}).items() if name != "servers"
    }


# ---------------------------------------------------------------------------------------------------- real streams


@pytest.fixture
def people(anyone: Client) -> tuple[Person, Person]:
    return new_player(anyone, "Ana"), new_player(anyone, "Ben")


@pytest.fixture
def addresses(people: tuple[Person, Person], anyone: Client) -> dict[str, str]:
    """Return the parameters in the addresses of streams that have something to send."""
    ana, ben = people
    table = seat_players(ana, ben)
    act(table, ana.client)
    side = {"ruleset": "azul", "variant": "grey"}
    body_of(ana.client.post(f"/v1/players/{ben.id}/challenges", side), 201)
    competition = announce(ben)["id"]
    join(ana, competition)
    seek = body_of(ana.client.post("/v1/seeks", side), 201)["id"]
    task = body_of(anyone.post("/v1/tournaments", {**side, "levels": ["random", "greedy"], "deals": 1}), 202)["id"]
    return {"game_id": table.id, "competition_id": competition, "seek_id": seek, "task_id": task}


def read_messages(answer: Any, count: int) -> Iterator[tuple[str | None, Any]]:
    """Yield the ids and the contents of the first messages of a stream in either form, and close it."""
    parts = (part for part in answer.iter_encoded() if part.strip() and not part.startswith((b"retry:", b":")))
    for part in itertools.islice(parts, count):
        if answer.mimetype == NDJSON:
            yield None, orjson.loads(part)
        else:
            found = re.fullmatch(rb"id: (.*)\ndata: (.*)\n\n", part)
            assert found is not None, part
            yield found[1].decode(), orjson.loads(found[2])
    answer.close()


@pytest.mark.parametrize("form", [SSE, NDJSON])
@pytest.mark.parametrize("name", STREAMS)
def test_each_stream_sends_what_its_channel_describes(
    people: tuple[Person, Person], addresses: dict[str, str], name: str, form: str
) -> None:
    channel, operation = asyncapi()["channels"][name], asyncapi()["operations"][name]
    used = {each: value for each, value in addresses.items() if each in channel.get("parameters", {})}
    query = "?after=0" if name == "streamEvents" else ""
    assert not query or "after" in operation["bindings"]["http"]["query"]["properties"]
    answer = people[0].client.get(channel["address"].format(**used) + query, Accept=form)
    assert (200, form) == (answer.status_code, answer.mimetype)
    (message,) = (resolve(each["$ref"]) for each in operation["messages"])
    received = [*read_messages(answer, 2 if name in ("streamEvents", "streamMyEvents") else 1)]
    assert received
    for event_id, content in received:
        assert [] == faults(resolve(message["payload"]["$ref"]), content)
        assert (form == SSE) == (event_id is not None and event_id.isdecimal())
