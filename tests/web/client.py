"""A client that compares every answer with the document before the test sees it.

Status, content type and problem code must be documented for the operation, the body must match its schema, and the
response must have the documented common headers.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from flask.testing import FlaskClient
from jsonschema_rs import Draft202012Validator, Registry
from werkzeug.test import TestResponse

from openapi import build
from service.web.docs.document import COMMON_HEADERS, build_all
from service.web.docs.growth import exact
from tests.operations import with_answers

Json = dict[str, Any]
DOCUMENTED_HEADERS = {"ETag", "Location", "Link", "Retry-After", "WWW-Authenticate", "Idempotency-Replayed"}
"""Headers that only documented responses may have."""
NO_JSON = ("text/plain", "text/event-stream", "application/x-ndjson", "application/yaml", "image/svg+xml")


@cache
def document() -> Json:
    """Return the generated public document. Do not change it: generating one takes half a second."""
    return build.document()


@cache
def spec() -> Json:
    """Return all operations, also those for the staff, with unions, enums and the shared refusals."""
    return with_answers(exact(build.document(build_all)))


OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, item in spec()["paths"].items()
    for method, operation in item.items()
    if isinstance(operation, dict) and "operationId" in operation
}
"""(method, path, definition) of every operation."""


@cache
def registry() -> Registry:
    return Registry([("urn:spec", spec())])


@cache
def validator(schema: str) -> Draft202012Validator:
    """Return the validator of a schema given as JSON. It is compiled once and checks 500 actions in milliseconds."""
    return Draft202012Validator(
        json.loads(schema.replace('"#/', '"urn:spec#/')), registry=registry(), validate_formats=True
    )


def forget_document() -> None:
    """Clear all caches of the document after the code has changed it."""
    for cached in (document, spec, registry, validator, operation_of):
        cached.cache_clear()


def faults(schema: Json, instance: Any) -> list[str]:
    """Return where an instance violates a schema of the document."""
    errors = validator(json.dumps(schema)).iter_errors(instance)
    return [f"/{'/'.join(map(str, error.instance_path))}: {error.message[:300]}" for error in errors]


@cache
def pattern_of(template: str) -> re.Pattern[str]:
    """Return the pattern of the paths of a template."""
    return re.compile(re.sub(r"\\{[^/]+\\}", "[^/]+", re.escape(template)))


@cache
def operation_of(method: str, path: str) -> Json | None:
    """Return the operation of a path, or None if the document has none."""
    method = "get" if method == "HEAD" else method.lower()
    for template, item in spec()["paths"].items():
        if method in item and pattern_of(template).fullmatch(path):
            results: Json = item[method]
            return results
    return None


class Client:
    """Requests of one caller. `token` is sent with each, and each answer is checked."""

    def __init__(self, flask: FlaskClient, token: str | None = None) -> None:
        self.flask = flask
        self.token = token

    def with_token(self, token: str | None) -> Client:
        """Return a client of another caller."""
        return Client(self.flask, token)

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.send("GET", path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> TestResponse:
        arguments = {} if body is None else {"json": body}
        return self.send("POST", path, headers=headers, **arguments)

    def put(self, path: str, body: Any) -> TestResponse:
        return self.send("PUT", path, json=body)

    def patch(self, path: str, body: Any) -> TestResponse:
        return self.send("PATCH", path, json=body)

    def delete(self, path: str) -> TestResponse:
        return self.send("DELETE", path)

    def send(self, method: str, path: str, *, headers: dict[str, str] | None = None, **arguments: Any) -> TestResponse:
        """Send a request. Header names have `_` for `-`."""
        all_headers = {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        if self.token is not None:
            all_headers.setdefault("Authorization", f"Bearer {self.token}")
        answer = self.flask.open(path, method=method, headers=all_headers, **arguments)
        check(method, path.partition("?")[0], answer)
        return answer


def body_of(answer: Any, status: int | None = None) -> Json:
    """Return the body of a successful answer."""
    assert answer.status_code == status if status else answer.status_code < 300, (answer.status_code, answer.json)
    results: Json = answer.json
    return results


def check_replayed(first: Any, again: Any, status: int = 201) -> Json:
    """Raise AssertionError unless the second answer repeats the first and says so. Return their body."""
    assert (None, "true") == tuple(answer.headers.get("Idempotency-Replayed") for answer in (first, again))
    assert body_of(first, status) == body_of(again, status)
    return body_of(again)


def refusal_of(answer: Any) -> tuple[int, str]:
    """Return the status and code of a refusal."""
    assert answer.mimetype == "application/problem+json", answer.json
    return answer.status_code, answer.json["code"]


def pointers(answer: Any) -> list[str]:
    """Return the pointers of the errors in a refusal."""
    return [error["pointer"] for error in answer.json["errors"]]


def invalid_fields(answer: Any) -> list[str]:
    """Return the pointers of a request that was refused as invalid."""
    assert (422, "request/invalid") == refusal_of(answer), answer.json
    return pointers(answer)


def read_pages(client: Client, path: str, name: str) -> list[list[Any]]:
    """Return the list under this name on each page. Each page links to the next."""
    content: list[list[Any]] = []
    while path:
        answer = client.get(path)
        content.append(body_of(answer)[name])
        link = answer.headers.get("Link", "<>")
        path = link[1 : link.index(">")]
        assert bool(path) == bool(answer.json.get("next_cursor", path))  # type: ignore[union-attr]
    return content


def check(method: str, path: str, answer: TestResponse) -> None:
    """Raise AssertionError unless the document describes this answer."""
    for name in COMMON_HEADERS:
        assert name in answer.headers, name
    operation = operation_of(method, path)
    check_language(operation, answer)
    if operation is None:
        if answer.status_code >= 400 and method != "HEAD":
            assert not faults({"$ref": "#/components/schemas/Problem"}, answer.json)
        return
    response = operation["responses"].get(str(answer.status_code))
    assert response is not None, (
        f"{operation['operationId']} may not answer {answer.status_code}: {answer.get_data()[:500]!r}"
    )
    for name in set(answer.headers.keys()) & DOCUMENTED_HEADERS:
        assert name in response.get("headers", {}), (
            f"{operation['operationId']} {answer.status_code}: {name} is not documented"
        )
    assert answer.status_code != 204 or "Content-Type" not in answer.headers
    if method == "HEAD" or "content" not in response:
        return
    assert answer.mimetype in response["content"], answer.mimetype
    if answer.mimetype in NO_JSON:
        return
    results = faults(response["content"][answer.mimetype]["schema"], answer.json)
    assert not results, f"{operation['operationId']} {answer.status_code}: {results[:3]}"
    if "x-codes" in response:
        assert answer.json is not None
        assert answer.json.keys() <= spec()["components"]["schemas"]["Problem"]["properties"].keys(), answer.json
        assert answer.json["code"] in response["x-codes"], answer.json


def check_language(operation: Json | None, answer: TestResponse) -> None:
    """Raise AssertionError unless a response with Content-Language has the documented Vary header."""
    is_problem = answer.mimetype == "application/problem+json"
    if "Content-Language" not in answer.headers:
        assert not is_problem
        return
    assert "Accept-Language" in answer.headers["Vary"]
    if operation is not None and not is_problem:
        parameters = [parameter.get("$ref") for parameter in operation.get("parameters", [])]
        assert "#/components/parameters/AcceptLanguage" in parameters, operation["operationId"]
