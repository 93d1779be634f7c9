"""A client that believes nothing: every answer is held against the document before a test may look at it.

It checks that the status, the content type and the code of a problem are documented for that operation, that the
body fits its schema, and that the response has the headers that are documented once for all of them.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from functools import cache
from typing import Any

from flask.testing import FlaskClient
from jsonschema_rs import Draft202012Validator, Registry
from werkzeug.test import TestResponse

from openapi import build
from service.web.docs.document import COMMON_HEADERS
from tests.operations import with_answers

Json = dict[str, Any]
NO_JSON = ("text/plain", "text/event-stream", "application/x-ndjson", "image/svg+xml")


@cache
def document() -> Json:
    """The document, as the code makes it. Not to be changed: making one takes half a second."""
    return build.document()


@cache
def spec() -> Json:
    """The same with the shared refusals in the places that refer to them."""
    return with_answers(deepcopy(document()))


OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, item in spec()["paths"].items()
    for method, operation in item.items()
    if isinstance(operation, dict) and "operationId" in operation
}
"""(method, path, what the document says) of every operation."""


@cache
def registry() -> Registry:
    return Registry([("urn:spec", spec())])


@cache
def validator(schema: str) -> Draft202012Validator:
    """Of a schema of the document, as JSON. Compiled once: a page of 500 actions is looked at in milliseconds."""
    return Draft202012Validator(
        json.loads(schema.replace('"#/', '"urn:spec#/')), registry=registry(), validate_formats=True
    )


def forget_document() -> None:
    """The code makes another one now."""
    for remembered in (document, spec, registry, validator, operation_of):
        remembered.cache_clear()


def faults(schema: Json, instance: Any) -> list[str]:
    """Where an instance does not fit a schema of the document."""
    errors = validator(json.dumps(schema)).iter_errors(instance)
    return [f"/{'/'.join(map(str, error.instance_path))}: {error.message[:300]}" for error in errors]


@cache
def pattern_of(template: str) -> re.Pattern[str]:
    """What matches the paths of a template."""
    return re.compile(re.sub(r"\\{[^/]+\\}", "[^/]+", re.escape(template)))


@cache
def operation_of(method: str, path: str) -> Json | None:
    """The operation that a path belongs to; None where the document has none."""
    method = "get" if method == "HEAD" else method.lower()
    for template, item in spec()["paths"].items():
        if method in item and pattern_of(template).fullmatch(path):
            results: Json = item[method]
            return results
    return None


class Client:
    """Requests of one caller. `token` is sent with each; the answer comes back checked."""

    def __init__(self, flask: FlaskClient, token: str | None = None) -> None:
        self.flask = flask
        self.token = token

    def with_token(self, token: str | None) -> Client:
        """The same for another caller."""
        return Client(self.flask, token)

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.send("GET", path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> TestResponse:
        given = {} if body is None else {"json": body}
        return self.send("POST", path, headers=headers, **given)

    def put(self, path: str, body: Any) -> TestResponse:
        return self.send("PUT", path, json=body)

    def patch(self, path: str, body: Any) -> TestResponse:
        return self.send("PATCH", path, json=body)

    def delete(self, path: str) -> TestResponse:
        return self.send("DELETE", path)

    def send(self, method: str, path: str, *, headers: dict[str, str] | None = None, **given: Any) -> TestResponse:
        """Any request; header names with `_` for `-`."""
        named = {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        if self.token is not None:
            named.setdefault("Authorization", f"Bearer {self.token}")
        answer = self.flask.open(path, method=method, headers=named, **given)
        check(method, path.partition("?")[0], answer)
        return answer


def answered(answer: Any, status: int | None = None) -> Json:
    """Return the body of a successful answer."""
    assert answer.status_code == status if status else answer.status_code < 300, (answer.status_code, answer.json)
    results: Json = answer.json
    return results


def refused(answer: Any) -> tuple[int, str]:
    """Return status and code of a refusal."""
    assert answer.mimetype == "application/problem+json", answer.json
    return answer.status_code, answer.json["code"]


def pointers(answer: Any) -> list[str]:
    """Return the places of the errors that a refusal names."""
    return [error["pointer"] for error in answer.json["errors"]]


def invalid(answer: Any) -> list[str]:
    """Return the places of the errors of a request that was refused as invalid."""
    assert (422, "request/invalid") == refused(answer), answer.json
    return pointers(answer)


def pages(client: Client, path: str, name: str) -> list[list[Any]]:
    """Return what each page of a list has under this name. Each page links to the next."""
    found: list[list[Any]] = []
    while path:
        answer = client.get(path)
        found.append(answered(answer)[name])
        link = answer.headers.get("Link", "<>")
        path = link[1 : link.index(">")]
        assert bool(path) == bool(answer.json.get("next_cursor", path))  # type: ignore[union-attr]
    return found


def check(method: str, path: str, answer: TestResponse) -> None:
    """AssertionError unless the document foresees this answer."""
    for name in COMMON_HEADERS:
        assert name in answer.headers, name
    operation = operation_of(method, path)
    check_language(operation, answer)
    if operation is None:
        if answer.status_code >= 400 and method != "HEAD":
            assert not faults({"$ref": "#/components/schemas/Problem"}, answer.json)
        return
    described = operation["responses"].get(str(answer.status_code))
    assert described is not None, (
        f"{operation['operationId']} may not answer {answer.status_code}: {answer.get_data()[:500]!r}"
    )
    for name in set(answer.headers.keys()) & {"ETag", "Location", "Link", "Retry-After", "WWW-Authenticate"}:
        assert name in described.get("headers", {}), (
            f"{operation['operationId']} {answer.status_code}: {name} is not documented"
        )
    if method == "HEAD" or "content" not in described:
        return
    assert answer.mimetype in described["content"], answer.mimetype
    if answer.mimetype in NO_JSON:
        return
    results = faults(described["content"][answer.mimetype]["schema"], answer.json)
    assert not results, f"{operation['operationId']} {answer.status_code}: {results[:3]}"
    if "x-codes" in described:
        assert answer.json is not None
        assert answer.json["code"] in described["x-codes"], answer.json


def check_language(operation: Json | None, answer: TestResponse) -> None:
    """AssertionError unless a response with Content-Language varies with the language that its operation documents."""
    is_problem = answer.mimetype == "application/problem+json"
    if "Content-Language" not in answer.headers:
        assert not is_problem
        return
    assert "Accept-Language" in answer.headers["Vary"]
    if operation is not None and not is_problem:
        parameters = [parameter.get("$ref") for parameter in operation.get("parameters", [])]
        assert "#/components/parameters/AcceptLanguage" in parameters, operation["operationId"]
