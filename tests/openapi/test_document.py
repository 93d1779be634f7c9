"""The committed document matches the code and is valid and complete."""

from __future__ import annotations

import itertools
import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from openapi.build import ADMIN_FILE, FILE, main
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.usecases.base.context import Context
from service.web.codes import CODES
from service.web.docs.components import objects, operations
from service.web.docs.document import COMMON_HEADERS, LANGUAGE_HEADERS
from service.web.docs.growth import exact
from tests.openapi.recording import FOLDER, Recorder, play
from tests.web.client import Client, Json, document, faults, registry, spec

EVERY_CODE_ELSEWHERE = {
    "request/method_not_allowed": "no operation has that method",
}

PAGES = (
    *(
        "/admin",
        "/play",
        "/play-worker.js",
        "/embed/{game_id}",
        "/embed/puzzles/daily",
        "/docs",
        "/docs/api/{name}",
        "/docs/pictures/{name}",
        "/docs/schemas/{name}",
        "/docs/{path:path}",
    ),
    *(f"/docs/{{any(rules, conduct):section}}{rest}" for rest in ("", "/{name}", "/{name}/{language}")),
    "/docs/rules/{ruleset_id}/{language}/{number}.svg",
    *("/llms.txt", "/robots.txt", "/.well-known/api-catalog"),
)

# the document as YAML; answers without content; records, shown once by exportGame; pictures
UNRECORDED = {
    *("getOpenapiYaml", "getAdminOpenapiYaml", "endAnalysis", "endTournament", "listTournamentGames", "deleteWebhook"),
    *("getAnimation", "getBoard", "getBoardText", "getReportedBoard"),
    *("getDailyBoard", "getPuzzleBoard", "getPuzzleBoardText"),
    *("deleteMyHandle", "deleteMyToken", "deleteMe", "unlinkIdentity"),
    *("blockPlayer", "unblockPlayer", "followPlayer", "unfollowPlayer"),
    *("deleteSeek", "deleteChallenge", "cancelCompetition", "removeFromCompetition", "withdrawBot", "releaseBot"),
    *("unsubscribeDevice", "endOldWebhookSecrets", "endOldBotSecrets"),
    *("followPlayer", "unfollowPlayer", "deleteStaffMember", "deleteMessage", "drainProcess", "resumeProcess"),
    *("endGame", "cancelAnyCompetition", "deleteAnnouncement", "endMaintenance", "deletePlayer"),
    "getPositionBoard",
}


def names(found: Any, key: str) -> list[str]:
    """Return all strings under a key, anywhere in the document."""
    if isinstance(found, dict):
        own = [found[key]] if isinstance(found.get(key), str) else []
        return own + [name for value in found.values() for name in names(value, key)]
    if isinstance(found, list):
        return [name for value in found for name in names(value, key)]
    return []


def test_the_committed_document_is_generated_from_the_code() -> None:
    """Run `python -m openapi.build` after a change of the API, and mention the change in the changelog."""
    assert 0 == main(["--check"])


@pytest.mark.parametrize("file", [FILE, ADMIN_FILE], ids=["public", "admin"])
def test_the_documents_are_valid_and_use_all_of_their_components(file: Path) -> None:
    from openapi_spec_validator import OpenAPIV31SpecValidator

    committed = exact(orjson.loads(file.read_bytes()))
    assert [] == list(OpenAPIV31SpecValidator(committed).iter_errors())
    used = set(names(committed, "$ref"))
    for kind in ("headers", "parameters", "responses", "schemas"):
        assert {f"#/components/{kind}/{name}" for name in committed["components"][kind]} <= used


def test_only_the_document_for_the_staff_has_their_operations() -> None:
    public, admin = (orjson.loads(file.read_bytes())["paths"] for file in (FILE, ADMIN_FILE))
    assert spec()["paths"].keys() == public.keys() | admin.keys()
    assert [] == [path for path in public if "admin" in path]
    assert [] == [path for path in admin if not path.startswith("/v1/admin/")]


@pytest.mark.parametrize(("path", "file"), [("/v1/openapi.json", FILE), ("/v1/admin/openapi.json", ADMIN_FILE)])
def test_the_service_serves_the_committed_documents(anyone: Client, path: str, file: Path) -> None:
    served = {**(anyone.get(path).json or {}), "servers": document()["servers"]}
    assert orjson.loads(file.read_bytes()) == served


def test_every_operation_has_a_unique_id_a_summary_and_a_tag() -> None:
    actual = list(operations(spec()))
    ids = [operation["operationId"] for operation in actual]
    assert len(ids) == len(set(ids)) == 178
    for operation in actual:
        assert re.fullmatch("[a-z]+([A-Z][a-z]+)*", operation["operationId"])
        assert not operation["summary"].endswith(".")
        assert len(operation["tags"]) == 1


def test_every_route_is_documented(anyone: Client) -> None:
    rules = {re.sub("<(int:)?(.*?)>", r"{\2}", rule.rule) for rule in anyone.flask.application.url_map.iter_rules()}
    assert rules - set(spec()["paths"]) == {*PAGES, "/static/{path:name}"}


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
        assert name not in listed - {"Cache-Control"}  # animations have a different one


def test_only_requests_refuse_additions() -> None:
    for name, schema in spec()["components"]["schemas"].items():
        assert name.endswith("Request") == (schema.get("additionalProperties") is False)


def test_every_schema_is_described() -> None:
    for schema in spec()["components"]["schemas"].values():
        assert schema["description"].endswith(".")


def test_every_reference_has_a_target() -> None:
    for reference in names(spec(), "$ref"):
        registry().resolver("urn:spec").lookup(reference)


def prefix_of(ruleset: Any) -> str:
    """Return the prefix of a ruleset's components."""
    return "".join(part.capitalize() for part in ruleset.id.split("-"))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_components_of_a_ruleset_have_its_prefix(ruleset: Any) -> None:
    """Components of two rulesets never clash, and generated names show their ruleset."""
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
    """Return every union of the document with its name."""
    named = spec()["components"]["schemas"].items()
    return [(name, schema) for name, schema in named if "oneOf" in schema and name != "AzulDestination"]


def test_a_pattern_line_or_the_floor_is_the_only_union_without_a_tag() -> None:
    schemas = spec()["components"]["schemas"]
    line, floor = schemas["AzulDestination"]["oneOf"]
    assert ("integer", "string", "^floor$") == (line["type"], floor["type"], floor["pattern"])
    untagged = [name for name, schema in schemas.items() if "oneOf" in schema and "discriminator" not in schema]
    assert ["AzulDestination"] == untagged


def test_integers_beyond_32_bits_have_a_format() -> None:
    schemas = spec()["components"]["schemas"].items()
    result = [(name, *member) for name, schema in schemas for member in schema.get("properties", {}).items()]
    large_integers = [
        (name, key, actual) for name, key, actual in result if key == "revision" or actual.get("maximum", 0) > 2**31 - 1
    ]
    assert len(large_integers) > 30
    assert [] == [f"{name}.{key}" for name, key, actual in large_integers if actual.get("format") != "int64"]


def test_every_integer_of_a_request_has_a_minimum_and_a_maximum() -> None:
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


def test_every_union_has_leaves_with_distinct_tags() -> None:
    """Generators of clients require it: no nested unions, and a distinct tag value for each leaf."""
    schemas = spec()["components"]["schemas"]
    assert {"Action", "Draw", "Effect", "Event", "StreamItem", "Position", "Choices"} <= dict(unions()).keys()
    for _, union in unions():
        assert {"oneOf", "discriminator", "description", "type"} == union.keys()
        tag, mapping = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
        assert sorted(mapping.values()) == sorted(leaf["$ref"] for leaf in union["oneOf"])
        for value, reference in mapping.items():
            leaf = schemas[reference.rpartition("/")[2]]
            assert [value] == leaf["properties"][tag]["enum"]
            assert tag in leaf["required"]
            assert "oneOf" not in leaf


def test_schemas_have_neither_any_of_nor_defaults() -> None:
    """Generators merge `anyOf`, and make members with a default required."""
    text = json.dumps(spec()["components"]["schemas"])
    assert '"anyOf"' not in text
    assert '"default"' not in text


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_unions_contain_the_schemas_of_every_ruleset(ruleset: Any) -> None:
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
def test_everything_in_a_whole_game_fits_the_unions(ruleset: Ruleset) -> None:
    rng = generator(b"\7" * 32)
    position = ruleset.start(ruleset.variants[-1], ruleset.seat_counts[-1], None)
    for number in itertools.count():
        if position.status == "over":
            break
        if position.status == "drawing":
            drawn = position.sample(rng)
            family, content = "Draw", ruleset.wire.name_draw(position.table_state(), drawn)
            effects, position = position.step_draw(drawn)
        else:
            action = position.random_action(rng)
            family, content = "Action", ruleset.wire.decode(action)
            effects, position = position.step(action)
        assert [] == faults({"$ref": f"#/components/schemas/{family}"}, content)
        assert [] == faults({"type": "array", "items": {"$ref": "#/components/schemas/Effect"}}, effects)
        if number % 3 == 0 or position.status == "over":
            assert [] == faults({"$ref": "#/components/schemas/Position"}, ruleset.view(position))
        if number % 3 == 0 and position.seat is not None:
            assert [] == faults({"$ref": "#/components/schemas/Choices"}, position.choices())


def test_every_parameter_and_every_tag_is_described() -> None:
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


def test_descriptions_are_whole_sentences() -> None:
    """Generated code shows them without context, so they must be whole sentences."""
    content = {text for part in ("paths", "components", "webhooks") for text in names(spec()[part], "description")}
    sentences = {text for text in content if not re.match(r"`[a-z]+/[a-z_]+`: ", text)}  # of refusals: codes and titles
    assert len(sentences) > 800
    assert [] == sorted(text for text in sentences - WHOLE if re.match(FRAGMENTS, text))
    assert [] == sorted(text for text in sentences if not re.match(r"[A-Z0-9`]", text) or text[-1] not in ".`")


def of_file(name: str) -> str:
    """Return the operation of a recorded example."""
    return name.partition(".")[0]


def test_the_examples_match_a_new_recording(anyone: Client, context: Context) -> None:
    """RECORD_EXAMPLES=1 rewrites them. Run `python -m openapi.build` afterwards."""
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


def test_every_successful_json_response_has_an_example() -> None:
    missing = [
        (operation["operationId"], status)
        for operation in operations(spec())
        for status, answer in operation["responses"].items()
        if status.startswith("2")
        and "examples" not in answer.get("content", {}).get("application/json", {"examples": {}})
    ]
    assert [] == missing


def test_an_example_fits_its_schema() -> None:
    for path in sorted(FOLDER.glob("*.json")):
        recorded = orjson.loads(path.read_bytes())
        operation = next(actual for actual in operations(spec()) if actual["operationId"] == of_file(path.stem))
        answer = operation["responses"][str(recorded["status"])]["content"][recorded["content_type"]]
        assert [] == faults(answer["schema"], recorded["response"]), path
        if recorded["request"] is not None:
            body = operation["requestBody"]["content"]["application/json"]
            assert [] == faults(body["schema"], recorded["request"]), path
