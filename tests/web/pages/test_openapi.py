"""The served document: compressed, cached by its tag, and sliced by ruleset."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.rulesets.registry import RULESETS
from service.web.api import component_name
from service.web.docs.yaml_text import write_yaml
from service.web.resources.games.actions import FILTERS
from tests.web.client import Client, Json, document
from tests.web.limited_service import Serve
from tests.web.table import NewTable

PATH = "/v1/openapi.json"
MAX_BYTES, MAX_SENT_BYTES = 710_000, 103_000


def test_the_document_is_small_and_compressed(anyone: Client) -> None:
    plain = anyone.get(PATH, Accept_Encoding="identity")
    small = anyone.flask.get(PATH, headers={"Accept-Encoding": "br, gzip"})
    assert {**document(), "servers": [{"url": "http://localhost"}]} == plain.json
    assert gzip.decompress(small.data) == plain.data
    assert ("gzip", None) == (small.headers.get("Content-Encoding"), plain.headers.get("Content-Encoding"))
    assert "Accept-Encoding" in small.headers["Vary"]
    assert (True, True) == (len(plain.data) <= MAX_BYTES, len(small.data) <= MAX_SENT_BYTES)


def test_a_known_document_is_not_sent_again(anyone: Client) -> None:
    tag = anyone.get(PATH).headers["ETag"]
    again = anyone.get(PATH, If_None_Match=tag)
    assert (304, b"", tag) == (again.status_code, again.data, again.headers["ETag"])
    other = anyone.get(f"{PATH}?ruleset=azul", If_None_Match=tag)
    assert (200, False) == (other.status_code, other.headers["ETag"] == tag)


def union_tags(openapi: Json, union: str) -> set[str]:
    """Return the tags of a union."""
    return set(openapi["components"]["schemas"][union]["x-discriminator"]["mapping"])


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_a_slice_contains_one_ruleset_and_everything_shared(anyone: Client, ruleset: Any) -> None:
    actual: Json = anyone.get(f"{PATH}?ruleset={ruleset.id}").json or {}
    assert set(ruleset.wire.action_schemas) == union_tags(actual, "Action")
    assert set(ruleset.wire.effect_schemas) == union_tags(actual, "Effect")
    assert {ruleset.id} == union_tags(actual, "Position") == union_tags(actual, "Choices")
    assert union_tags(document(), "Event") == union_tags(actual, "Event")
    assert document()["paths"].keys() == actual["paths"].keys()
    others = [component_name(other.wire.position_schema) for other in RULESETS.values() if other is not ruleset]
    assert set() == set(others) & actual["components"]["schemas"].keys()
    for path in ("actions", "choices"):
        operation = actual["paths"][f"/v1/games/{{game_id}}/{path}"]["get"]
        assert {ruleset.id} == set(operation["responses"]["200"]["content"]["application/json"]["examples"])
    parameters = actual["paths"]["/v1/games/{game_id}/actions"]["get"]["parameters"]
    filters = {name for name, values in FILTERS.items() if ruleset.id in values}
    assert {"cursor", "limit", *filters} == {each["name"] for each in parameters if "name" in each}


@pytest.mark.nightly
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_slice_is_a_valid_document(anyone: Client, ruleset: str) -> None:
    from openapi_spec_validator import OpenAPIV31SpecValidator

    actual: Json = anyone.get(f"{PATH}?ruleset={ruleset}").json or {}
    assert [] == list(OpenAPIV31SpecValidator(actual).iter_errors())


@pytest.mark.parametrize(
    ("settings", "host", "expected"),
    [
        ({}, "games.example:8000", "http://games.example:8000"),
        ({}, "[::1]:8000", "http://[::1]:8000"),
        ({}, 'evil"<x>', "/"),
        ({"TRUSTED_PROXIES": "1"}, "inner", "https://outer.example/games"),
        ({"PUBLIC_URL": "https://games.example/azul"}, "other.example", "https://games.example/azul"),
    ],
)
def test_the_server_of_the_document_is_the_address_that_was_asked_or_the_public_url(
    serve: Serve, settings: dict[str, str], host: str, expected: str
) -> None:
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "outer.example", "X-Forwarded-Prefix": "/games"}
    client = serve(**settings).flask
    for encoding in ("identity", "gzip"):
        headers = {**forwarded, "Host": host, "Accept-Encoding": encoding}
        answer = client.get(PATH, headers=headers)
        content = gzip.decompress(answer.data) if encoding == "gzip" else answer.data
        assert [{"url": expected}] == json.loads(content)["servers"]
        assert 304 == client.get(PATH, headers={**headers, "If-None-Match": answer.headers["ETag"]}).status_code
    elsewhere = client.get(PATH, headers={"Host": "elsewhere.example"}).headers["ETag"]
    assert ("PUBLIC_URL" in settings) == (elsewhere == answer.headers["ETag"])


@pytest.mark.parametrize("name", ["openapi.json?ruleset=azul", "admin/openapi.json"])
def test_the_yaml_document_has_the_same_content(anyone: Client, name: str) -> None:
    answer = anyone.get(f"/v1/{name.replace('json', 'yaml')}", Accept_Encoding="identity")
    assert "application/yaml" == answer.content_type
    assert anyone.get(f"/v1/{name}").json == yaml.load(answer.data, yaml.CSafeLoader)


@pytest.mark.parametrize(
    "value",
    [
        {"no": True, "null": 1.5, "true": "x: y\n- z", "False": "# no", "": " ", "200": "é😀", "long_key": {"k": []}},
        {"a": [[1, [2, {}]], [], {"x": [{"y": None}]}, ["null", "1", "-"]]},
    ],
)
def test_yaml_keeps_odd_values(value: Json) -> None:
    assert value == yaml.safe_load(write_yaml(value))


def test_types_of_older_versions_are_understood(new_game: NewTable) -> None:
    """They had no ruleset prefix."""
    table = new_game()
    body = {"action": {**table.legal()[0], "type": "draft"}, "revision": table.view()["revision"]}
    done = table.seat(0).post(f"{table.path}/actions", body)
    assert (201, "azul.draft") == (done.status_code, (done.json or {})["events"][0]["action"]["type"])


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/v1/openapi.json", "/v1/openapi.yaml", "/v1/asyncapi.json", "/v1/postman.json"),
        *("/v1/admin/openapi.json", "/v1/admin/openapi.yaml"),
        *("/v1/levels", "/v1/rulesets", "/v1/rulesets/azul", "/v1/identity-providers"),
    ],
)
def test_static_answers_have_entity_tags(anyone: Client, path: str) -> None:
    tag = anyone.get(path).headers["ETag"]
    for sent in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = anyone.get(path, If_None_Match=sent, Accept_Encoding="gzip")
        assert (304, b"", tag) == (again.status_code, again.data, again.headers["ETag"])
    assert 200 == anyone.get(path, If_None_Match='W/"other"').status_code
    assert 200 == anyone.get(path, If_Match='"other"').status_code  # there is nothing to change


def test_the_entity_tag_of_a_ruleset_depends_on_the_language(anyone: Client) -> None:
    tag = anyone.get("/v1/rulesets/azul").headers["ETag"]
    german = anyone.get("/v1/rulesets/azul", If_None_Match=tag, Accept_Language="de")
    assert (200, "de") == (german.status_code, german.headers["Content-Language"])
    assert {"Accept-Encoding", "Accept-Language"} == set(", ".join(german.headers.getlist("Vary")).split(", "))


def test_the_collection_contains_the_address_of_the_service(anyone: Client) -> None:
    committed = json.loads((Path(__file__).parents[3] / "openapi" / "postman.json").read_text("utf-8"))
    served = anyone.flask.get("/v1/postman.json", headers={"Host": "games.example"}).json or {}
    addresses = [
        next(variable for variable in one["variable"] if variable["key"] == "base_url") for one in (committed, served)
    ]
    assert ["http://127.0.0.1:8000", "http://games.example"] == [address.pop("value") for address in addresses]
    assert committed == served
