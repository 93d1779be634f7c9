"""The collection for Postman: it has every operation, follows its format, and its requests work."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from openapi import build
from openapi.collection import SAVES, collection
from service.web.docs.components import operations
from service.web.docs.growth import exact
from tests.web.client import OPERATIONS, Client, Json, body_of, document

PUBLIC = {name: one for name, one in OPERATIONS.items() if one[1] in document()["paths"]}


@pytest.fixture(scope="module")
def postman() -> Json:
    """Build the collection."""
    return collection(exact(document()))


def items(postman: Json) -> dict[str, Json]:
    """Return all items by operation."""
    described = re.compile("`([A-Za-z]+)`: ")
    found = [item for folder in postman["item"] for item in folder["item"]]
    names = [match[1] for item in found if (match := described.match(item["request"]["description"]))]
    assert len(found) == len(set(names))
    return dict(zip(names, found, strict=True))


def test_folders_contain_every_operation_by_tag(postman: Json) -> None:
    expected = {operation["operationId"]: operation["tags"][0] for operation in operations(document())}
    assert expected.keys() == items(postman).keys()
    for folder in postman["item"]:
        assert {folder["name"]} == {expected[name] for name in items({"item": [folder]})}
        assert folder["description"].endswith(".")
    for name, (method, path, _) in PUBLIC.items():
        request = items(postman)[name]["request"]
        address = "/" + "/".join(request["url"]["path"])
        assert (method, re.sub(r"{(\w+)}", r":\1", path)) == (request["method"], address)
        assert request["url"]["raw"] == "{{base_url}}" + address


def test_every_variable_is_declared_and_used(postman: Json) -> None:
    declared = {variable["key"] for variable in postman["variable"]}
    assert declared == set(re.findall(r"{{(\w+)}}", json.dumps({**postman, "variable": []})))
    assert declared >= {name for saves in SAVES.values() for name in saves}
    assert {"base_url", "token", "game_id"} <= declared


def test_bodies_are_the_recorded_examples(postman: Json) -> None:
    for name, (_, _, operation) in PUBLIC.items():
        body = operation.get("requestBody", {}).get("content", {}).get("application/json")
        request = items(postman)[name]["request"]
        assert (body is None) == ("body" not in request)
        if body is not None:
            examples = [one["value"] for one in body.get("examples", {}).values()] or [{}]
            assert json.loads(request["body"]["raw"]) in examples


def test_only_operations_without_a_token_send_none(postman: Json) -> None:
    tokenless = {name for name, item in items(postman).items() if item["request"].get("auth") == {"type": "noauth"}}
    assert tokenless == {name for name, (_, _, operation) in PUBLIC.items() if "security" not in operation}


def send(client: Client, item: Json, variables: dict[str, str]) -> Any:
    """Send an item like Postman: without disabled parameters, and with variables filled in."""
    request = item["request"]
    path = {each["key"]: each["value"].strip("{}") for each in request["url"]["variable"]}
    address = "/" + "/".join(variables[path[part[1:]]] if part[:1] == ":" else part for part in request["url"]["path"])
    assert all(each["disabled"] for each in request["url"]["query"])
    token = None if request.get("auth") else variables.get("token")
    body = {"json": json.loads(request["body"]["raw"])} if "body" in request else {}
    answer = body_of(client.with_token(token).send(request["method"], address, **body))
    script = "\n".join(line for event in item.get("event", ()) for line in event["script"]["exec"])
    for name, place in re.findall(r'Variables\.set\("(\w+)", created\.([\w.]+)\)', script):
        value: Any = answer
        for member in place.split("."):
            value = value[member]
        variables[name] = value
    return answer


def test_requests_use_what_earlier_ones_have_created(postman: Json, anyone: Client) -> None:
    variables: dict[str, str] = {}
    for name in ("createPlayer", "createGame", "createSeek", "createCompetition", "createTournament"):
        send(anyone, items(postman)[name], variables)
    for name in ("getMe", "getPlayer", "getGame", "listLegalActions", "getSeek", "getCompetition", "getTournament"):
        send(anyone, items(postman)[name], variables)
    assert variables["player"] == send(anyone, items(postman)["getMe"], variables)["id"]


def test_the_check_fails_until_both_files_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == build.main([], tmp_path)
    assert 0 == build.main(["--check"], tmp_path)  # built again, it is the same
    (tmp_path / "postman.json").write_text("{}")
    capsys.readouterr()
    assert 1 == build.main(["--check"], tmp_path)
    assert "postman.json outdated: run `python -m openapi.build`\n" == capsys.readouterr().out
