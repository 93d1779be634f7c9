"""Changes that break clients in either direction. All changes of the real document are detected."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import orjson
import pytest

from openapi.breaking_changes import find_breaking_changes
from openapi.build import FILE
from openapi.shapes import Json, UnreadableError
from service.web.docs.growth import exact
from tests.openapi.samples import OPEN, document, variants

Change = Callable[[Json], None]

TEXT, INTEGER, NULL = ({"type": name} for name in ("string", "integer", "null"))
TEXT_OR_NULL = {"type": ["string", "null"]}
A, B = ({"$ref": f"#/components/schemas/{name}"} for name in "AB")
WITH_C = {**OPEN["properties"], "c": {}}
MAP = {"type": "object", "additionalProperties": TEXT}
# name: (before, after, breaks in a request, breaks in an answer)
VALUES: dict[str, tuple[Any, Any, bool, bool]] = {
    "the same": (OPEN, OPEN, False, False),
    "another description": ({"type": "string", "description": "a"}, {"type": "string", "title": "b"}, False, False),
    "a property gone": (OPEN, {**OPEN, "properties": {"a": TEXT}}, True, True),
    "a property added": (OPEN, {**OPEN, "properties": WITH_C}, False, False),
    "a property newly required": (OPEN, {**OPEN, "required": ["a", "b"]}, True, False),
    "a new property required": (OPEN, {**OPEN, "properties": WITH_C, "required": ["a", "c"]}, True, False),
    "a property no longer required": (OPEN, {**OPEN, "required": []}, False, True),
    "another type": (TEXT, INTEGER, True, True),
    "a type more": (TEXT, {"type": ["string", "integer"]}, False, True),
    "a type fewer": ({"type": ["string", "integer"]}, TEXT, True, False),
    "an integer made a number": (INTEGER, {"type": "number"}, False, True),
    "a number made an integer": ({"type": "number"}, INTEGER, True, False),
    "a type told first": ({}, TEXT, True, False),
    "a type told no more": (TEXT, {}, False, True),
    "newly nullable": (TEXT, TEXT_OR_NULL, False, True),
    "no longer nullable": (TEXT_OR_NULL, TEXT, True, False),
    "an object newly nullable": (OPEN, {"anyOf": [OPEN, NULL]}, False, True),
    "an object no longer nullable": ({"anyOf": [OPEN, NULL]}, OPEN, True, False),
    "nullable in other words": (TEXT_OR_NULL, {"oneOf": [NULL, TEXT]}, False, False),
    "a value more": ({"enum": ["a"], "type": "string"}, {"enum": ["a", "b"], "type": "string"}, False, False),
    "a value fewer": ({"enum": ["a", "b"], "type": "string"}, {"enum": ["a"], "type": "string"}, True, False),
    "all values others": ({"const": "a"}, {"const": "b"}, True, True),
    "a set closed": (TEXT, {"enum": ["a"], "type": "string"}, True, False),
    "a set opened": ({"enum": ["a"], "type": "string"}, TEXT, False, True),
    "a format gone": ({"type": "string", "format": "uuid"}, TEXT, False, True),
    "a format new": (TEXT, {"type": "string", "format": "uuid"}, True, False),
    "another pattern": ({"type": "string", "pattern": "a"}, {"type": "string", "pattern": "b"}, True, True),
    "a higher minimum": ({"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 2}, True, False),
    "a lower minimum": ({"type": "integer", "minimum": 2}, {"type": "integer", "minimum": 1}, False, True),
    "a lower maximum": ({"type": "integer", "maximum": 2}, {"type": "integer", "maximum": 1}, True, False),
    "a maximum gone": ({"type": "integer", "maximum": 2}, INTEGER, False, True),
    "a minLength of nothing": (TEXT, {"type": "string", "minLength": 0}, False, False),
    "a shorter maxLength": (TEXT, {"type": "string", "maxLength": 9}, True, False),
    "fewer items": ({"type": "array", "minItems": 2}, {"type": "array"}, False, True),
    "items of another type": (
        {"type": "array", "items": TEXT},
        {"type": "array", "items": {"type": "boolean"}},
        True,
        True,
    ),
    "items of a type": ({"type": "array"}, {"type": "array", "items": TEXT}, True, False),
    "items of any type": ({"type": "array", "items": TEXT}, {"type": "array"}, False, True),
    "additions forbidden": (OPEN, {**OPEN, "additionalProperties": False}, True, False),
    "additions allowed": ({**OPEN, "additionalProperties": False}, OPEN, False, False),
    "additions of a type": (OPEN, {**OPEN, "additionalProperties": TEXT}, True, False),
    "a map's values of any type": (MAP, {"type": "object"}, False, True),
    "a map closed": (MAP, {"type": "object", "additionalProperties": False}, True, True),
    "a variant more": (variants("A", "B"), variants("A", "B", "C"), False, False),
    "a variant fewer": (variants("A", "B", "C"), variants("A", "B"), True, False),
    "a variant fewer, without tags": (variants("A", "B", "C", tag=None), variants("A", "B", tag=None), True, False),
    "a variant in place fewer": ({"oneOf": [TEXT, INTEGER]}, {"oneOf": [TEXT]}, True, False),
    "variants in another order": (
        variants("A", "B", tag=None),
        variants("B", "A", key="anyOf", tag=None),
        False,
        False,
    ),
    "no variant that was": (variants("A"), variants("B"), True, True),
    "another tag": (variants("A", "B"), variants("A", "B", tag="type"), True, True),
    "one made one of several": (A, variants("A", "B"), False, True),
    "one of several made one": (variants("A", "B"), A, True, False),
    "one or null made one of several or null": ({"anyOf": [A, NULL]}, {"anyOf": [A, B, NULL]}, False, True),
    "a union within a union": (variants("A", "B", tag=None), {"anyOf": [A, {"anyOf": [B]}]}, False, False),
    "allOf written as one": ({"allOf": [OPEN, {"required": ["b"]}]}, {**OPEN, "required": ["a", "b"]}, False, False),
    "a member of allOf more": (OPEN, {"allOf": [OPEN, {"required": ["b"]}]}, True, False),
    "a reference written out": (A, document()["components"]["schemas"]["A"], False, False),
    "what stands beside a reference": (A, {"$ref": "#/components/schemas/A", "required": ["kind"]}, True, False),
    "a keyword nobody knows": ({"type": "array"}, {"type": "array", "contains": TEXT}, True, False),
    "another default": ({"type": "integer", "default": 1}, {"type": "integer", "default": 2}, True, False),
    "everything allowed, nothing named": (OPEN, True, True, True),
    "nothing allowed": (OPEN, False, True, True),
}


def test_changes_of_schemas_break_requests_or_answers() -> None:
    for before, after, breaks_requests, breaks_answers in VALUES.values():
        requests = find_breaking_changes(document(request=before), document(request=after))
        answers = find_breaking_changes(document(response=before), document(response=after))
        assert (breaks_requests, breaks_answers) == (bool(requests), bool(answers)), (requests, answers)
        assert all(one.sentence.startswith("Requests: ") for one in requests), requests
        assert all(one.sentence.startswith("Responses: ") for one in answers), answers


def operation(found: Json) -> Json:
    made: Json = found["paths"]["/things/{id}"]["post"]
    return made


def add(*path: str, value: Any) -> Change:
    def change(found: Json) -> None:
        place = operation(found)
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = value

    return change


def remove(*path: str) -> Change:
    def change(found: Json) -> None:
        place = operation(found)
        for name in path[:-1]:
            place = place[name]
        del place[path[-1]]

    return change


def add_parameter(**more: Any) -> Change:
    return lambda found: operation(found)["parameters"].append({"in": "query", "name": "z", **more})


def security(*schemes: Json) -> Change:
    return add("security", value=list(schemes))


def parameter(**changes: Any) -> Change:
    return lambda found: operation(found)["parameters"][0].update(changes)


def webhook(found: Json) -> None:
    found["webhooks"] = {"made": {"post": {"requestBody": {"content": {"application/json": {"schema": OPEN}}}}}}


def webhook_with_answer(max_length: int) -> Change:
    """Return a change that adds a webhook with an answer of this maximal length."""

    def change(found: Json) -> None:
        webhook(found)
        content = {"application/json": {"schema": {"type": "string", "maxLength": max_length}}}
        found["webhooks"]["made"]["post"]["responses"] = {"2XX": {"content": content}}

    return change


PATH = "/paths/~1things~1{id}"
POST = f"{PATH}/post"
# name: (change before, change after, pointer of the break or None)
ELSEWHERE: dict[str, tuple[Change | None, Change | None, str | None]] = {
    "a path gone": (None, lambda found: found["paths"].clear(), PATH),
    "a method gone": (None, lambda found: found["paths"]["/things/{id}"].pop("post"), POST),
    "a path added": (None, lambda found: found["paths"].update({"/more": {}}), None),
    "a path's parameter renamed": (
        None,
        lambda found: found.update(
            paths=orjson.loads(orjson.dumps(found["paths"]).replace(b"{id}", b"{no}").replace(b'"id"', b'"no"'))
        ),
        f"{PATH}/parameters/0",
    ),
    "an operation renamed": (None, add("operationId", value="doThing"), f"{POST}/operationId"),
    "a parameter gone": (None, add("parameters", value=[]), f"{POST}/parameters/0"),
    "a parameter newly required": (None, parameter(required=True), f"{POST}/parameters/0"),
    "a parameter made optional": (parameter(required=True), None, None),
    "a parameter narrowed": (None, parameter(schema={"type": "string", "maxLength": 3}), f"{POST}/parameters/0/schema"),
    "a parameter written otherwise": (None, parameter(explode=False), f"{POST}/parameters/0"),
    "a header's name in other letters": (
        parameter(**{"in": "header"}),
        parameter(**{"in": "header", "name": "Q"}),
        None,
    ),
    "a required parameter added": (None, add_parameter(required=True), POST),
    "an optional parameter added": (None, add_parameter(), None),
    "a body newly required": (None, add("requestBody", "required", value=True), f"{POST}/requestBody"),
    "a body no longer taken": (None, remove("requestBody"), f"{POST}/requestBody"),
    "a media type of requests gone": (
        None,
        remove("requestBody", "content", "text/csv"),
        f"{POST}/requestBody/content/text~1csv",
    ),
    "a media type of answers gone": (
        None,
        remove("responses", "200", "content", "text/csv"),
        f"{POST}/responses/200/content/text~1csv",
    ),
    "a success status gone": (None, remove("responses", "204"), f"{POST}/responses/204"),
    "a refusal gone": (None, remove("responses", "404"), None),
    "a refusal added": (None, add("responses", "409", value={"description": "No."}), None),
    "a code gone": (None, add("responses", "404", "x-codes", value=["a"]), None),
    "a header gone": (None, add("responses", "200", "headers", value={}), f"{POST}/responses/200/headers/ETag"),
    "a header no longer required": (
        None,
        add("responses", "200", "headers", "ETag", "required", value=False),
        f"{POST}/responses/200/headers/ETag",
    ),
    "a component renamed": (
        None,
        lambda found: found["components"]["schemas"].update(D=found["components"]["schemas"].pop("C")),
        "/components/schemas/C",
    ),
    "a token newly required": (None, security({"bearer": []}), f"{POST}/security"),
    "a token no longer optional": (security({"bearer": []}, {}), security({"bearer": []}), f"{POST}/security"),
    "a token made optional": (security({"bearer": []}), security({"bearer": []}, {}), None),
    "a right more needed": (security({"bearer": ["a"]}), security({"bearer": ["a", "b"]}), f"{POST}/security"),
    "another credential": (
        None,
        lambda found: found["components"]["securitySchemes"]["bearer"].update(type="apiKey"),
        "/components/securitySchemes/bearer",
    ),
    "a webhook gone": (webhook, None, "/webhooks/made/post"),
    "less taken from who answers a webhook": (
        webhook_with_answer(20),
        webhook_with_answer(10),
        "/webhooks/made/post/responses/2XX/content/application~1json/schema",
    ),
    "more taken from who answers a webhook": (webhook_with_answer(10), webhook_with_answer(20), None),
    "an operation deprecated": (None, add("deprecated", value=True), None),
}


def test_changes_outside_of_schemas_break_clients() -> None:
    for before, after, pointer in ELSEWHERE.values():
        old, new = document(), document()
        for change, actual in ((before, old), (after, new)):
            if change:
                change(actual)
        pointers = {one.pointer for one in find_breaking_changes(old, new)}
        assert (pointer in pointers) if pointer else pointers == set(), pointers


def test_recursive_schemas_are_compared() -> None:
    tree = {
        "type": "object",
        "properties": {"inner": {"$ref": "#/components/schemas/Tree"}, "leaf": {"type": "string"}},
    }
    poorer = {**tree, "properties": {"inner": tree["properties"]["inner"]}}  # type: ignore[index]
    actual = {"$ref": "#/components/schemas/Tree"}
    seen = find_breaking_changes(document(response=actual, Tree=tree), document(response=actual, Tree=poorer))
    assert ["/components/schemas/Tree/properties/leaf"] == [one.pointer for one in seen]


def test_a_newly_nullable_reference_is_reported_where_it_is_used() -> None:
    reference = {"$ref": "#/components/schemas/A"}
    actual = find_breaking_changes(
        document(response=reference), document(response={"anyOf": [reference, {"type": "null"}]})
    )
    assert ["/paths/~1things~1{id}/post/responses/200/content/application~1json/schema"] == [
        one.pointer for one in actual
    ]


@pytest.mark.parametrize("reference", ["#/components/schemas/Nowhere", "other.json#/A", "#/components/schemas/Loop"])
def test_an_invalid_reference_raises(reference: str) -> None:
    loop = {"$ref": "#/components/schemas/Loop"}
    broken = document(response={"$ref": reference}, Loop=loop)
    with pytest.raises(UnreadableError):
        find_breaking_changes(broken, broken)


def real() -> Json:
    return exact(orjson.loads(FILE.read_bytes()))


def test_exactly_the_planted_breaks_are_found() -> None:
    changed = real()
    schemas, paths = changed["components"]["schemas"], changed["paths"]
    del paths["/v1/games"]["post"]["responses"]["201"]
    del paths["/v1/games/{game_id}"]["get"]["responses"]["200"]["headers"]["ETag"]
    schemas["CreateGameRequest"]["properties"]["variant"]["maxLength"] -= 1
    del schemas["Seat"]["properties"]["name"]
    del paths["/v1/games/{game_id}/actions"]["get"]["parameters"][0]
    planted = {
        "/paths/~1v1~1games/post/responses/201",
        "/paths/~1v1~1games~1{game_id}/get/responses/200/headers/ETag",
        "/components/schemas/CreateGameRequest/properties/variant",
        "/components/schemas/Seat/properties/name",
        "/paths/~1v1~1games~1{game_id}~1actions/get/parameters/0",
    }
    assert planted == {one.pointer for one in find_breaking_changes(real(), changed)}


def test_every_removed_property_of_an_answer_is_found() -> None:
    """Components of requests, and of answers to the service's own calls, are excluded."""
    changed, removed = real(), set()
    for name, schema in changed["components"]["schemas"].items():
        for member, content in (
            [] if name.endswith(("Request", "Answer")) else list(schema.get("properties", {}).items())
        ):
            if b"$ref" not in orjson.dumps(content):  # references lead to other components
                del schema["properties"][member]
                removed.add(f"/components/schemas/{name}/properties/{member}")
    assert len(removed) > 300
    assert removed <= {one.pointer for one in find_breaking_changes(real(), changed)}


def test_a_comparison_modifies_neither_document() -> None:
    before, after = document(response=OPEN), document(response=variants("A", "B"))
    copies = deepcopy((before, after))
    find_breaking_changes(before, after)
    assert copies == (before, after)
