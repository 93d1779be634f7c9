"""Clients of the document accept what later versions may add."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, Registry

from openapi.build import document
from service.rulesets.wire import Json
from service.web.docs.components import METHODS, objects, reachable
from service.web.docs.document import build_all
from service.web.docs.growth import exact, open_document
from tests.openapi.growing import UNKNOWN, answers, grown_answers

OPENED = document(build_all)
SCHEMAS: Json = OPENED["components"]["schemas"]
BASE = "urn:document"


def is_valid(schema: Json, value: Any) -> bool:
    registry = Registry([(BASE, OPENED)])
    described = {name: f"{BASE}{target}" if name == "$ref" else target for name, target in schema.items()}
    return Draft202012Validator(described, registry=registry).is_valid(value)


def test_restored_unions_and_enums_become_the_same_document() -> None:
    restored = exact(OPENED)
    assert OPENED == open_document(restored)
    unused = SCHEMAS.keys() - restored["components"]["schemas"].keys()
    assert [] == [name for name in unused if not name.startswith("Any")]


def test_every_example_is_valid_also_with_unknown_values() -> None:
    assert [] == [operation for operation, schema, value in answers(OPENED) if not is_valid(schema, value)]
    grown = [*grown_answers(OPENED)]
    assert [] == [operation for operation, schema, value in grown if not is_valid(schema, value)]
    assert len(grown) > 80
    assert UNKNOWN in str(grown)


def test_nothing_sent_has_a_closed_set_or_a_union() -> None:
    sent = [path[name]["responses"] for path in OPENED["paths"].values() for name in METHODS if name in path]
    sent += [hook["post"]["requestBody"] for hook in OPENED["webhooks"].values()]
    for name in reachable(SCHEMAS, sent):
        for node in objects(SCHEMAS[name]):
            assert len(node.get("enum", ())) <= 1, name
            assert "discriminator" not in node, name
            assert "oneOf" not in node or {"type": "null"} in node["oneOf"], name


def test_values_of_requests_are_closed_and_inline() -> None:
    """Go has one namespace for the values of all enums that are components."""
    assert [] == [name for name, schema in SCHEMAS.items() if "enum" in schema]
    seat = SCHEMAS["NewSeatRequest"]["properties"]["kind"]
    assert ["player", "open", "ai", "http"] == seat["enum"]


@pytest.mark.parametrize("union", [name for name, schema in SCHEMAS.items() if "x-discriminator" in schema])
def test_a_union_is_an_object_with_the_members_of_all_variants(union: str) -> None:
    schema = SCHEMAS[union]
    variants = [SCHEMAS[one["$ref"].rpartition("/")[2]] for one in schema["x-oneOf"]]
    assert {member for variant in variants for member in variant["properties"]} == set(schema["properties"])
    assert set.intersection(*(set(variant["required"]) for variant in variants)) == set(schema["required"])
    tag, tags = schema["x-discriminator"]["propertyName"], schema["x-discriminator"]["mapping"]
    assert {"type": "string", "x-extensible-enum": [*tags]} == {
        **schema["properties"][tag],
        "x-extensible-enum": sorted(schema["properties"][tag]["x-extensible-enum"]),
    }
