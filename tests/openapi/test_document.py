"""The document: committed as the code makes it, valid, and complete."""

from __future__ import annotations

import itertools
import json
import os
import re
from dataclasses import replace
from typing import Any

import orjson
import pytest

from openapi.build import FILE, written
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.usecases.base.context import Context
from service.web.codes import CODES
from service.web.docs.document import COMMON_HEADERS, LANGUAGE_HEADERS
from service.web.docs.published import objects
from service.web.docs.shared import operations
from tests.openapi.recording import FOLDER, Recorder, play
from tests.web.client import Client, Json, document, faults, registry, spec

EVERY_CODE_ELSEWHERE = {
    "request/method_not_allowed": "no operation has that method",
}

PAGES = (
    *(
        "/play",
        "/play-worker.js",
        "/embed/{game_id}",
        "/docs",
        "/docs/api/{name}",
        "/docs/pictures/{name}",
        "/docs/schemas/{name}",
        "/docs/{path:path}",
    ),
    *("/docs/rules", "/docs/rules/{ruleset_id}", "/docs/rules/{ruleset_id}/{language}"),
    "/docs/rules/{ruleset_id}/{language}/{number}.svg",
)

# itself; answers without content; records, of which exportGame shows one; pictures
UNRECORDED = {
    *("getOpenapi", "endAnalysis", "endTournament", "listTournamentGames", "deleteWebhook"),
    *("getAnimation", "getBoard", "getBoardText"),
    *("deleteMyHandle", "deleteMyToken", "deleteMe", "blockPlayer", "unblockPlayer", "unlinkIdentity"),
    *("deleteSeek", "deleteChallenge", "cancelCompetition", "removeFromCompetition", "withdrawBot", "releaseBot"),
    "unsubscribeDevice",
}


def names(found: Any, key: str) -> list[str]:
    """All strings under a key, anywhere in the document."""
    if isinstance(found, dict):
        own = [found[key]] if isinstance(found.get(key), str) else []
        return own + [name for value in found.values() for name in names(value, key)]
    if isinstance(found, list):
        return [name for value in found for name in names(value, key)]
    return []


def test_the_committed_document_is_what_the_code_says() -> None:
    """Run `python -m openapi.build` after a change of the API, and say so in the changelog."""
    assert written(document()) == FILE.read_bytes()


def test_the_document_is_valid() -> None:
    from openapi_spec_validator import OpenAPIV31SpecValidator

    assert [] == list(OpenAPIV31SpecValidator(spec()).iter_errors())


def test_the_service_serves_the_committed_document(anyone: Client) -> None:
    assert orjson.loads(FILE.read_bytes()) == anyone.get("/v1/openapi.json").json


def test_every_operation_has_an_id_of_its_own_a_summary_and_a_tag() -> None:
    actual = list(operations(spec()))
    ids = [operation["operationId"] for operation in actual]
    assert len(ids) == len(set(ids)) == 118
    for operation in actual:
        assert re.fullmatch("[a-z]+([A-Z][a-z]+)*", operation["operationId"])
        assert not operation["summary"].endswith(".")
        assert len(operation["tags"]) == 1


def test_every_route_is_documented(anyone: Client) -> None:
    rules = {re.sub("<(int:)?(.*?)>", r"{\2}", rule.rule) for rule in anyone.flask.application.url_map.iter_rules()}
    undocumented = {rule for rule in rules - set(spec()["paths"]) if not rule.startswith("/admin")}  # which is a page
    assert undocumented == {*PAGES, "/static/{path:name}"}


def test_every_code_is_documented_at_an_operation() -> None:
    actual = {code for operation in operations(spec()) for code in _codes(operation)}
    assert set(CODES) == actual | set(EVERY_CODE_ELSEWHERE)


def _codes(operation: Json) -> list[str]:
    return [code for answer in operation["responses"].values() for code in answer.get("x-codes", ())]


def test_refusals_are_problem_documents_and_successes_are_not() -> None:
    for operation in operations(spec()):
        for status, answer in operation["responses"].items():
            assert (int(status) >= 400) == ("application/problem+json" in answer.get("content", {}))


def test_headers_of_every_response_are_documented_once() -> None:
    described = spec()["info"]["description"]
    answers = [answer for each in operations(spec()) for answer in each["responses"].values()]
    listed = {name for answer in answers for name in answer.get("headers", ())}
    for name in (*COMMON_HEADERS, *LANGUAGE_HEADERS):
        assert f"| `{name}` |" in described
        assert name not in listed - {"Cache-Control"}  # animations have their own


def test_only_requests_refuse_additions() -> None:
    for name, schema in spec()["components"]["schemas"].items():
        assert name.endswith("Request") == (schema.get("additionalProperties") is False)


def test_every_schema_is_described() -> None:
    for schema in spec()["components"]["schemas"].values():
        assert schema["description"].endswith(".")


def test_the_legal_actions_are_told_in_one_of_two_forms() -> None:
    """The form asked for says which of the two the answer is."""
    schemas = spec()["components"]["schemas"]
    operation = next(actual for actual in operations(spec()) if actual["operationId"] == "listLegalActions")
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert {"$ref": "#/components/schemas/Legal"} == answer
    assert "form" == schemas["Legal"]["discriminator"]["propertyName"]
    asked = next(parameter for parameter in operation["parameters"] if parameter.get("name") == "form")
    assert set(asked["schema"]["enum"]) == set(schemas["Legal"]["discriminator"]["mapping"])
    for form, reference in schemas["Legal"]["discriminator"]["mapping"].items():
        assert [form] == schemas[reference.rpartition("/")[2]]["properties"]["form"]["enum"]


def test_nothing_is_referred_to_that_is_not_there() -> None:
    for reference in names(spec(), "$ref"):
        registry().resolver("urn:spec").lookup(reference)


def test_every_component_is_used() -> None:
    used = {reference.rpartition("/")[2] for reference in names(spec(), "$ref")}
    assert set(spec()["components"]["schemas"]) <= used


def prefix_of(ruleset: Any) -> str:
    """What the components of a ruleset begin with."""
    return "".join(part.capitalize() for part in ruleset.id.split("-"))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_what_a_ruleset_says_is_described_under_its_own_name(ruleset: Any) -> None:
    """So that components of two rulesets never meet, and generated names tell whose they are."""
    schemas, prefix = spec()["components"]["schemas"], prefix_of(ruleset)
    seen: set[str] = set()
    spoken = (ruleset.wire.action_schemas, ruleset.wire.draw_schemas, ruleset.wire.effect_schemas)
    own = (ruleset.wire.position_schema, ruleset.wire.choices_schema, ruleset.wire.components_schema)
    actual = {schema.component for schema in [*own, *(leaf for leaves in spoken for leaf in leaves.values())]}
    while actual:
        seen |= actual
        actual = {name.rpartition("/")[2] for inner in actual for name in names(schemas[inner], "$ref")} - seen
    assert [] == [name for name in seen if not name.startswith(prefix)]


def unions() -> list[tuple[str, Any]]:
    """Every schema of the document that is one of others, with its name."""
    named = spec()["components"]["schemas"].items()
    return [(name, schema) for name, schema in named if "oneOf" in schema and name != "AzulDestination"]


def test_a_pattern_line_or_the_floor_is_the_only_union_without_a_tag() -> None:
    schemas = spec()["components"]["schemas"]
    line, floor = schemas["AzulDestination"]["oneOf"]
    assert ("integer", "string", "^floor$") == (line["type"], floor["type"], floor["pattern"])
    untagged = [name for name, schema in schemas.items() if "oneOf" in schema and "discriminator" not in schema]
    assert ["AzulDestination"] == untagged


def words(found: Any) -> list[tuple[str, ...]]:
    """All sets of two words or more, anywhere in the document."""
    if isinstance(found, list):
        return [described for inner in found for described in words(inner)]
    if not isinstance(found, dict):
        return []
    own = [tuple(found["enum"])] if isinstance(found.get("enum"), list) and len(found["enum"]) > 1 else []
    return own + [described for inner in found.values() for described in words(inner)]


def test_a_set_of_words_that_is_told_twice_has_a_name() -> None:
    """So that clients have one type for it. What two rulesets call alike is two things."""
    schemas = spec()["components"]["schemas"]
    named = {tuple(schema["enum"]): name for name, schema in schemas.items() if "enum" in schema}
    inline = [actual for name, schema in schemas.items() if "enum" not in schema for actual in words(schema)]
    of_two_rulesets = {("coloured", "grey"), ("centre", "seat_0", "seat_1", "seat_2", "seat_3")}
    assert of_two_rulesets >= {actual for actual in inline if inline.count(actual) > 1 or actual in named}


def test_what_may_be_more_than_32_bits_hold_says_so() -> None:
    schemas = spec()["components"]["schemas"].items()
    result = [(name, *member) for name, schema in schemas for member in schema.get("properties", {}).items()]
    grows = [
        (name, key, actual) for name, key, actual in result if key == "revision" or actual.get("maximum", 0) > 2**31 - 1
    ]
    assert len(grows) > 30
    assert [] == [f"{name}.{key}" for name, key, actual in grows if actual.get("format") != "int64"]


def test_every_integer_of_a_request_has_a_smallest_and_a_largest_value() -> None:
    components = spec()["components"]
    parts: list[Json] = []
    names: set[str] = set()
    todo: list[Json] = [
        {key: operation.get(key) for key in ("requestBody", "parameters")} for operation in operations(spec())
    ]
    while todo:
        parts += (inner := list(objects(todo.pop())))
        new = {part["$ref"] for part in inner if "$ref" in part} - names
        todo += [components[section][name] for _, _, section, name in (reference.split("/") for reference in new)]
        names |= new
    integers = [part for part in parts if part.get("type") in ("integer", ["integer", "null"])]
    assert len(integers) > 50
    assert [] == [part for part in integers if "enum" not in part and not {"minimum", "maximum"} <= part.keys()]


def test_every_union_is_of_leaves_and_its_tag_says_which() -> None:
    """As generators of clients want it: no union in a union, each leaf with a value of the tag that no other has."""
    schemas = spec()["components"]["schemas"]
    assert {"Action", "Draw", "Effect", "Event", "StreamItem", "Position", "Choices", "Legal"} <= dict(unions()).keys()
    for _, union in unions():
        assert {"oneOf", "discriminator", "description", "type"} == union.keys()
        tag, mapping = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
        assert sorted(mapping.values()) == sorted(leaf["$ref"] for leaf in union["oneOf"])
        for value, reference in mapping.items():
            leaf = schemas[reference.rpartition("/")[2]]
            assert [value] == leaf["properties"][tag]["enum"]
            assert tag in leaf["required"]
            assert "oneOf" not in leaf


def test_there_is_no_any_of_and_no_default_of_a_member() -> None:
    """Generators merge the one, and make members that have the other required."""
    text = json.dumps(spec()["components"]["schemas"])
    assert '"anyOf"' not in text
    assert '"default"' not in text


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_what_a_ruleset_says_stands_in_the_unions(ruleset: Any) -> None:
    schemas = spec()["components"]["schemas"]
    families = {
        "Action": ruleset.wire.action_schemas,
        "Draw": ruleset.wire.draw_schemas,
        "Effect": ruleset.wire.effect_schemas,
    }
    for union, variants in families.items():
        for tag, schema in variants.items():
            assert tag.startswith(f"{ruleset.id}.")
            assert f"#/components/schemas/{schema.component}" == schemas[union]["discriminator"]["mapping"][tag]
    for union, schema in {"Position": ruleset.wire.position_schema, "Choices": ruleset.wire.choices_schema}.items():
        reference = schemas[union]["discriminator"]["mapping"][ruleset.id]
        assert f"#/components/schemas/{schema.component}" == reference


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_all_that_is_said_in_a_whole_game_fits_the_unions(ruleset: Ruleset) -> None:
    rng = generator(b"\7" * 32)
    position = ruleset.start(ruleset.variants[-1], ruleset.seat_counts[-1], None)
    for number in itertools.count():
        if position.status == "over":
            break
        if position.status == "drawing":
            drawn = position.sample(rng)
            family, said = "Draw", ruleset.wire.name_draw(position.table_state(), drawn)
            effects, position = position.effects_of_draw(drawn), position.resolve_draw(drawn)
        else:
            action = position.random_action(rng)
            family, said = "Action", ruleset.wire.decode(action)
            effects, position = position.effects(action), position.play(action)
        assert [] == faults({"$ref": f"#/components/schemas/{family}"}, said)
        assert [] == faults({"type": "array", "items": {"$ref": "#/components/schemas/Effect"}}, effects)
        if number % 3 == 0 or position.status == "over":
            assert [] == faults({"$ref": "#/components/schemas/Position"}, ruleset.view(position))
        if number % 3 == 0 and position.seat is not None:
            assert [] == faults({"$ref": "#/components/schemas/Choices"}, position.choices())


def test_every_parameter_says_what_it_is_and_every_tag_is_explained() -> None:
    actual = spec()
    everywhere = [*actual["paths"].values(), *operations(actual)]
    parameters = [each for place in everywhere for each in place.get("parameters", []) if "$ref" not in each]
    assert [] == [each["name"] for each in parameters if not each.get("description")]
    asked = {tag for each in operations(actual) for tag in each["tags"]}
    sent = {tag for call in actual["webhooks"].values() for tag in call["post"]["tags"]}
    assert set() == asked & sent
    assert {tag["name"] for tag in actual["tags"]} == asked | sent


FRAGMENTS = (
    r"(Of|By|On|For|Whose|Which|Who|Null|Always|That|Then|So|Best|Since|Until|Counted|Told|Left|In order)\b"
    r"|[^ ]+\.$"
)
WHOLE = {"Ignored."}


def test_descriptions_stand_by_themselves() -> None:
    """They are read in generated code, far from what they describe: no fragments; they begin and end as sentences."""
    said = {text for part in ("paths", "components", "webhooks") for text in names(spec()[part], "description")}
    sentences = {text for text in said if not re.match(r"`[a-z]+/[a-z_]+`: ", text)}  # of refusals: codes and titles
    assert len(sentences) > 800
    assert [] == sorted(text for text in sentences - WHOLE if re.match(FRAGMENTS, text))
    assert [] == sorted(text for text in sentences if not re.match(r"[A-Z0-9`]", text) or text[-1] not in ".`")


def of_file(name: str) -> str:
    """The operation of a recorded example."""
    return name.partition(".")[0]


def test_the_examples_are_recorded_from_the_service(anyone: Client, context: Context) -> None:
    """RECORD_EXAMPLES=1 writes them anew; then run `python -m openapi.build`."""
    context.settings = replace(context.settings, outgoing="off")
    for kind in ("worker", "keeper"):
        context.queue.beat(kind, "example", 60)
    recorder = Recorder(anyone)
    play(recorder)
    actual = recorder.normal()
    if os.environ.get("RECORD_EXAMPLES") == "1":
        FOLDER.mkdir(exist_ok=True)
        for path in FOLDER.glob("*.json"):
            path.unlink()
        for name, content in actual.items():
            (FOLDER / f"{name}.json").write_bytes(content)
    every = {operation["operationId"] for operation in operations(spec())}
    assert UNRECORDED == every - set(map(of_file, actual))
    assert set(actual) == {path.stem for path in FOLDER.glob("*.json")}
    for name, content in actual.items():
        assert (FOLDER / f"{name}.json").read_bytes() == content


def test_an_example_fits_its_schema() -> None:
    for path in sorted(FOLDER.glob("*.json")):
        recorded = orjson.loads(path.read_bytes())
        operation = next(actual for actual in operations(spec()) if actual["operationId"] == of_file(path.stem))
        answer = operation["responses"][str(recorded["status"])]["content"][recorded["content_type"]]
        assert [] == faults(answer["schema"], recorded["response"]), path
        if recorded["request"] is not None:
            body = operation["requestBody"]["content"]["application/json"]
            assert [] == faults(body["schema"], recorded["request"]), path
