"""Extensions of flask-smorest.

- Views return complete responses, most of them stored bytes, so `response` only documents them.
- `arguments` validates with our own parser, whose errors are problem documents.
- Each decorator adds the error codes that it can cause. They become the documented error responses of the operation.
- `route` must be the outermost decorator. The others can be in any order, except that `arguments` of the query come
  before those of the body.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial, wraps
from http import HTTPStatus
from typing import Any

import flask_smorest
from apispec_oneofschema import MarshmallowPlugin
from flask import Flask, Response
from marshmallow import EXCLUDE, RAISE
from marshmallow import Schema as MarshmallowSchema

from service.rulesets.wire import Names
from service.storage.people.moderation import ADMIN, MODERATOR, STAFF_ROLES
from service.usecases.keeping import service_status
from service.web import codes
from service.web.http import problems, streams
from service.web.http.auth import context
from service.web.http.deprecation import Deprecation, announce_on, prepare
from service.web.http.limits import limit_codes
from service.web.http.preconditions import make_repeatable
from service.web.http.request_parsing import USUAL, Caps, read_body, read_query

View = Callable[..., Any]
VERSION = "1.0.0"
BODY_CODES = (
    *("request/malformed", "request/timeout", "request/too_large", "request/unsupported_media_type"),
    *("request/unsupported_encoding", "request/invalid"),
)
STORE_CODES = ("service/unavailable", "service/damaged", "service/newer_version")
GAME_CODES = ("game/not_found", "request/not_found", *STORE_CODES)
PAST_CODES = (*GAME_CODES, "game/revision_not_found", "game/rebased")
"""Codes of operations on an earlier revision."""
REVISION_CODES = ("request/bad_etag", "game/revision_conflict", "game/stale_revision")
TOKEN_CODES = ("auth/token_required", "auth/token_unknown")
ROLE_CODES = (*TOKEN_CODES, "auth/not_taking_part")
"""Codes of operations for those who have a role in a game."""
READ_ONLY = "auth/read_only"
"""Code of operations that change something for a player."""
PLAYER_CODES = (*STORE_CODES, *TOKEN_CODES, "auth/player_required")
STAFF_CODES = (*STORE_CODES, *TOKEN_CODES, "auth/staff_only")
ACCESS_CODES = {"player": PLAYER_CODES, MODERATOR: STAFF_CODES, ADMIN: (*STAFF_CODES, "auth/admin_only")}
"""Codes of operations for one kind of caller."""
TASK_CODES = (*STORE_CODES, "task/not_found", "auth/token_required", "auth/not_owner")
IDEMPOTENCY_CODES = ("idempotency/bad_key", "idempotency/mismatch")
HEADER_CODES = {"IdempotencyKey": IDEMPOTENCY_CODES, "UnguessableKey": IDEMPOTENCY_CODES, "IfMatch": REVISION_CODES}
"""Error codes that reading a request header may cause."""


class Schema(MarshmallowSchema):
    """A response. Unknown fields are allowed, because responses may grow within /v1."""

    class Meta:
        """marshmallow's options."""

        unknown = EXCLUDE


class Request(MarshmallowSchema):
    """A request. Unknown fields are errors, because most of them are misspelt."""

    class Meta:
        """marshmallow's options."""

        unknown = RAISE


NO_QUERY = Request()


def component_name(schema: Any) -> str:
    """Return the name of a schema in the document: its attribute `component`, or the name of its class."""
    kind = schema if isinstance(schema, type) else type(schema)
    return str(getattr(kind, "component", kind.__name__))


class Api(flask_smorest.Api):  # type: ignore[misc]
    """Collects the operations of the document. `problems` handles errors."""

    DEFAULT_ERROR_RESPONSE_NAME = None  # error responses are documented by status
    ERROR_SCHEMA = None

    def __init__(self, app: Flask) -> None:
        self._undescribed: list[Callable[[], None]] = []
        self.plugin = plugin = MarshmallowPlugin(schema_name_resolver=component_name)
        app.config.update(API_TITLE="Azul games", API_VERSION=VERSION, OPENAPI_VERSION="3.1.0")
        super().__init__(app, spec_kwargs={"marshmallow_plugin": plugin})
        self.names: dict[str, str] = {}  # descriptions of named enums

        def enum_component(_: Any, field: Any, **__: Any) -> dict[str, str]:
            """Return the component name of a field with a named enum. `document` creates the component."""
            for validator in field.validators:
                if isinstance(words := getattr(validator, "choices", None), Names):
                    self.names[words.component] = words.description
                    return {"x-component": words.component}
            return {}

        plugin.converter.add_attribute_function(enum_component)

    def describe_later(self, describe: Callable[[], None]) -> None:
        """Register a function that describes operations. It runs only if the document is built."""
        self._undescribed.append(describe)

    def describe(self) -> None:
        """Add all operations and their schemas to `spec`."""
        while self._undescribed:
            self._undescribed.pop(0)()

    def schemas(self) -> dict[str, type[MarshmallowSchema]]:
        """Return all schemas of the document by name."""
        self.describe()
        return {name: key[0] for key, name in self.plugin.converter.refs.items()}

    def descriptions(self) -> dict[str, str]:
        """Return the docstrings of all schemas of the document by name."""
        docs = {name: schema.__doc__ for name, schema in self.schemas().items()}
        return {name: inspect.cleandoc(doc) for name, doc in docs.items() if doc}

    def _register_error_handlers(self) -> None:
        problems.register(self._app)

    def _register_responses(self) -> None:
        """Register none of flask-smorest's shared responses."""


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """The operations of a URL family."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._prepare_doc_cbks.extend((_prepare_problems, prepare))

    def register_views_in_doc(self, api: Api, *where: Any, **options: Any) -> None:
        """Register the operations when the document is built, which takes longer than starting the app."""
        api.describe_later(partial(super().register_views_in_doc, api, *where, **options))

    def route(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Register a view and complete its error codes, some of which depend on the method and path.

        A view without a query among its `arguments` refuses all query parameters, unless `operation` has `any_query`.
        """
        register: Callable[[View], View] = super().route(rule, **options)
        path, methods = f"{self.url_prefix or ''}{rule}", options.get("methods", ["GET"])
        codes = [code for method in methods for code in limit_codes(method, path)]

        def decorate(view: View) -> View:
            doc = _doc_of(view)
            arguments = doc.get("arguments", {}).get("parameters", ())
            if not doc.get("any_query") and not any(each["in"] == "query" for each in arguments):
                view = _without_query(view)
                doc = _doc_of(view)
            _add_codes(doc, codes)
            if doc.get("access") == "player" and methods != ["GET"]:
                _add_codes(doc, [READ_ONLY])
            return register(view)

        return decorate

    def operation(
        self,
        operation_id: str,
        *codes: str,
        access: str = "",
        any_query: bool = False,
        deprecated: Deprecation | None = None,
        **more: Any,
    ) -> Callable[[View], View]:
        """Define the operation id and error codes.

        `access`: "" without a token, "optional" or "required" for any token, "player" for the token of a player, or
        the role that a member of staff needs, which the document names as `x-role`.
        `any_query`: accept unknown query parameters.
        """
        if deprecated is not None:
            announce_on(self)

        def decorate(view: View) -> View:
            doc = _doc_of(view)
            security: dict[str, Any] = {}
            if access:
                security = {"security": [{"bearer": []}, *([{}] if access == "optional" else [])]}
            role = {"x-role": access} if access in STAFF_ROLES else {}
            doc["manual_doc"] = {"operationId": operation_id, **security, **role, **more}
            doc |= {"access": access, "any_query": any_query, "deprecated": deprecated}
            _add_codes(doc, [*codes, *ACCESS_CODES.get(access, ()), "service/internal"])
            return view

        return decorate

    def arguments(
        self,
        schema: type[MarshmallowSchema],
        *,
        location: str = "json",
        required: bool = True,
        caps: Caps = USUAL,
        from_text: Callable[[str], dict[str, Any]] | None = None,
        **_: Any,
    ) -> Callable[[View], View]:
        """Pass the validated body (`json`) or `query` to the view as its next positional argument.

        `from_text` converts a plain text body to JSON; without it, only JSON is accepted.
        """
        instance = schema()
        is_optional = not any(field.required for field in instance.fields.values())
        defaults = instance.load({}) if location == "query" and is_optional else None

        def decorate(view: View) -> View:
            @wraps(view)
            def validating(*args: Any, **kwargs: Any) -> Any:
                if location == "query":
                    return view(*args, read_query(instance, defaults), **kwargs)
                return view(*args, read_body(instance, required=required, caps=caps, from_text=from_text), **kwargs)

            doc = _doc_of(validating)
            parameters = doc.setdefault("arguments", {}).setdefault("parameters", [])
            parameters.append({"in": location, "required": required, "schema": schema})
            _add_codes(doc, BODY_CODES if location == "json" else ["request/invalid"])
            return validating

        return decorate

    def response(
        self,
        status_code: int,
        schema: Any = None,
        description: str = "",
        *,
        headers: Sequence[str] = (),
        content_type: str | None = None,
        **_: Any,
    ) -> Callable[[View], View]:
        """Document a response. `headers`: names of `document.HEADERS`. With 204, the view returns None for it."""

        def decorate(view: View) -> View:
            if status_code == HTTPStatus.NO_CONTENT:
                view = _empty_if_none(view)
            response = {"description": description, "content_type": content_type, "headers": dict.fromkeys(headers)}
            if schema is not None:
                response["schema"] = schema() if isinstance(schema, type) else schema
            doc = _doc_of(view)
            doc.setdefault("response", {}).setdefault("responses", {}).setdefault(status_code, []).append(response)
            return view

        return decorate

    def text(self, content_type: str, description: str, headers: Sequence[str]) -> Callable[[View], View]:
        """Document a text response with status 200."""
        return self.response(200, {"type": "string"}, description, content_type=content_type, headers=headers)

    def stream(self, component: str, cursor: str, description: str) -> Callable[[View], View]:
        """Document a stream of a component in both formats. `cursor`: description of the event id."""
        item = {"$ref": f"#/components/schemas/{component}"}
        lines = self.response(200, item, description, content_type=streams.NDJSON)
        events = self.response(200, streams.sse_schema(component, cursor), description, content_type=streams.SSE)
        return lambda view: events(lines(view))

    def repeatable(self, header: str = "IdempotencyKey") -> Callable[[View], View]:
        """Repeat the response for a repeated `header`, IdempotencyKey or UnguessableKey. Must be innermost."""

        def decorate(view: View) -> View:
            repeating = self.headers(header)(make_repeatable(view, scoped=header == "IdempotencyKey"))
            doc = _doc_of(repeating)
            doc["repeatable"] = True
            _add_codes(doc, [*STORE_CODES, "idempotency/running"])
            return repeating

        return decorate

    def creating(self) -> Callable[[View], View]:
        """Refuse the operation during maintenance."""

        def decorate(view: View) -> View:
            @wraps(view)
            def refusing(*args: Any, **kwargs: Any) -> Any:
                service_status.must_not_be_in_maintenance(context())
                return view(*args, **kwargs)

            _add_codes(_doc_of(refusing), [*STORE_CODES, "service/maintenance"])
            return refusing

        return decorate

    def headers(self, *names: str) -> Callable[[View], View]:
        """Document request headers, by name in `document.PARAMETERS`, and the error codes they can cause."""

        def decorate(view: View) -> View:
            doc = _doc_of(view)
            doc.setdefault("header_names", []).extend(names)
            _add_codes(doc, [code for name in names for code in HEADER_CODES.get(name, ())])
            return view

        return decorate


def _without_query(view: View) -> View:
    @wraps(view)
    def validating(*args: Any, **names: Any) -> Any:
        read_query(NO_QUERY, {})
        return view(*args, **names)

    doc = _doc_of(validating)
    doc.setdefault("arguments", {"parameters": []})
    _add_codes(doc, ["request/invalid"])
    return validating


def _empty_if_none(view: View) -> View:
    @wraps(view)
    def answering(*args: Any, **names: Any) -> Any:
        answer = view(*args, **names)
        return Response(status=HTTPStatus.NO_CONTENT) if answer is None else answer

    return answering


def _doc_of(view: View) -> dict[str, Any]:
    doc: dict[str, Any] = deepcopy(getattr(view, "_apidoc", {}))
    view._apidoc = doc  # type: ignore[attr-defined]  # noqa: SLF001 - read by flask-smorest
    return doc


def _add_codes(doc: dict[str, Any], codes: Sequence[str]) -> None:
    doc.setdefault("codes", []).extend(codes)


def _prepare_problems(doc: dict[str, Any], doc_info: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the error responses of an operation, one per status with its codes."""
    by_status: dict[int, list[str]] = {}
    for code in sorted(set(doc_info.get("codes", ()))):
        by_status.setdefault(codes.CODES[code], []).append(code)
    for status, listed in by_status.items():
        doc.setdefault("responses", {})[str(status)] = {
            "description": "; ".join(f"`{code}`: {codes.title(code, 'en')}" for code in listed),
            "x-codes": listed,
            "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    if doc_info.get("repeatable"):
        for status, answer in doc.get("responses", {}).items():
            if str(status).startswith("2"):
                answer.setdefault("headers", {})["Idempotency-Replayed"] = None
    for name in doc_info.get("header_names", ()):
        doc.setdefault("parameters", []).append(name)  # apispec turns it into a reference
    return doc
