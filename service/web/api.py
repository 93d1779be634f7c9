"""flask-smorest, bent once to our habits.

- Views return finished answers (most are stored bytes), so `response` only documents.
- `arguments` reads bodies and queries by our own reader, whose refusals are problem documents, and documents what
  it may refuse. Every decorator that can fail does: the codes of an operation are gathered here and become its
  documented responses.
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
from service.web import codes
from service.web.http import problems, streams
from service.web.http.deprecation import Deprecation, announce_on, prepare
from service.web.http.limits import codes_of
from service.web.http.request_parsing import USUAL, Caps, read_body, read_query

View = Callable[..., Any]
VERSION = "1.0.0"
BODY_CODES = (
    *("request/malformed", "request/timeout", "request/too_large", "request/unsupported_media_type"),
    "request/invalid",
)
STORE_CODES = ("service/unavailable", "service/damaged")
GAME_CODES = ("game/not_found", "game/newer_ruleset", "request/not_found", *STORE_CODES)
PAST_CODES = (*GAME_CODES, "game/revision_not_found", "game/rebased")
"""Of every operation on an earlier revision."""
REVISION_CODES = ("request/bad_etag", "game/revision_conflict", "game/stale_revision")
TOKEN_CODES = ("auth/token_required", "auth/token_unknown")
READ_ONLY = "auth/read_only"
"""Of every operation that changes something for a player."""
PLAYER_CODES = (*STORE_CODES, *TOKEN_CODES, "auth/player_required")
TASK_CODES = (*STORE_CODES, "task/not_found", "auth/token_required", "auth/not_owner")
IDEMPOTENCY_CODES = ("idempotency/bad_key", "idempotency/mismatch")
HEADER_CODES = {"IdempotencyKey": IDEMPOTENCY_CODES, "UnguessableKey": IDEMPOTENCY_CODES, "IfMatch": REVISION_CODES}
"""Error codes that reading a request header may cause."""


class Schema(MarshmallowSchema):
    """What we answer. Clients must accept additions, so they are documented as possible."""

    class Meta:
        """marshmallow's options."""

        unknown = EXCLUDE

    component = ""  # its name in the document; the class's name unless given


class Request(MarshmallowSchema):
    """What we are asked. An unknown field is a fault: it is usually a misspelt one."""

    class Meta:
        """marshmallow's options."""

        unknown = RAISE

    component = ""


NO_QUERY = Request()


def component_name(schema: Any) -> str:
    """The name of a schema in the document."""
    kind = schema if isinstance(schema, type) else type(schema)
    return str(getattr(kind, "component", "") or kind.__name__)


class Api(flask_smorest.Api):  # type: ignore[misc]
    """Collects the document; problems are answered by our own handlers."""

    DEFAULT_ERROR_RESPONSE_NAME = None  # every refusal is documented by its status
    ERROR_SCHEMA = None

    def __init__(self, app: Flask) -> None:
        self._undescribed: list[Callable[[], None]] = []
        self.plugin = plugin = MarshmallowPlugin(schema_name_resolver=component_name)
        app.config.update(API_TITLE="Azul games", API_VERSION=VERSION, OPENAPI_VERSION="3.1.0")
        super().__init__(app, spec_kwargs={"marshmallow_plugin": plugin})
        self.names: dict[str, str] = {}  # of sets of words: what each is

        def named(_: Any, field: Any, **__: Any) -> dict[str, str]:
            """The name of the set of words that a field is out of, if it has one; `document` makes it a component."""
            for validator in field.validators:
                if isinstance(words := getattr(validator, "choices", None), Names):
                    self.names[words.component] = words.description
                    return {"x-component": words.component}
            return {}

        plugin.converter.add_attribute_function(named)

    def describe_later(self, describe: Callable[[], None]) -> None:
        """Have operations described when the document is asked for: to serve them, nobody needs it."""
        self._undescribed.append(describe)

    def describe(self) -> None:
        """Bring all operations and their schemas into `spec`."""
        while self._undescribed:
            self._undescribed.pop(0)()

    def schemas(self) -> dict[str, type[MarshmallowSchema]]:
        """Every schema of the document, by its name there."""
        self.describe()
        return {name: key[0] for key, name in self.plugin.converter.refs.items()}

    def descriptions(self) -> dict[str, str]:
        """What each schema of the document is, by its name there: its docstring."""
        docs = {name: schema.__doc__ for name, schema in self.schemas().items()}
        return {name: inspect.cleandoc(doc) for name, doc in docs.items() if doc}

    def _register_error_handlers(self) -> None:
        problems.register(self._app)

    def _register_responses(self) -> None:
        """None of flask-smorest's: ours are made for each operation."""


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A URL family."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._prepare_doc_cbks.extend((_prepare_problems, prepare))

    def register_views_in_doc(self, api: Api, *where: Any, **options: Any) -> None:
        """As flask-smorest's, but later: it takes longer than all else that an application is made of."""
        api.describe_later(partial(super().register_views_in_doc, api, *where, **options))

    def route(self, rule: str, **options: Any) -> Callable[[View], View]:
        """As flask-smorest's; method and path decide the budget, so its refusals are documented here."""
        register: Callable[[View], View] = super().route(rule, **options)
        path, methods = f"{self.url_prefix or ''}{rule}", options.get("methods", ["GET"])
        codes = [code for method in methods for code in codes_of(method, path)]

        def decorate(view: View) -> View:
            doc = _doc_of(view)
            doc.setdefault("codes", []).extend(codes)
            if doc.get("access") == "player" and methods != ["GET"]:
                doc["codes"].append(READ_ONLY)
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
        """Name the operation and its refusals.

        `access`: whether a token is "optional", "required", or "required" and a player's ("player"). An operation
        without `arguments` refuses every query parameter, unless `any_query` is true.
        """
        if deprecated is not None:
            announce_on(self)

        def decorate(view: View) -> View:
            if not any_query and "arguments" not in _doc_of(view):
                view = _without_query(view)
            doc = _doc_of(view)
            doc["access"] = access
            security: dict[str, Any] = {}
            if access:
                security = {"security": [{"bearer": []}, *([{}] if access == "optional" else [])]}
            doc["manual_doc"] = {"operationId": operation_id, **security, **more}
            doc["deprecated"] = deprecated
            of_access = PLAYER_CODES if access == "player" else ()
            doc.setdefault("codes", []).extend([*codes, *of_access, "service/internal"])
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
        """The view's last positional argument is what the schema makes of the body (`json`) or the `query`.

        `from_text` makes the JSON of a body of plain text, which is then accepted as well.
        """
        instance = schema()
        defaults = instance.load({}) if location == "query" else {}

        def decorate(view: View) -> View:
            @wraps(view)
            def reading(*args: Any, **kwargs: Any) -> Any:
                if location == "query":
                    return view(*args, read_query(instance, defaults), **kwargs)
                return view(*args, read_body(instance, required=required, caps=caps, from_text=from_text), **kwargs)

            doc = _doc_of(reading)
            parameters = doc.setdefault("arguments", {}).setdefault("parameters", [])
            parameters.append({"in": location, "required": required, "schema": schema})
            doc.setdefault("codes", []).extend(BODY_CODES if location == "json" else ["request/invalid"])
            return reading

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
        """Document an answer; `headers` are names of `document.HEADERS`. A view that returns None answers 204."""

        def decorate(view: View) -> View:
            if status_code == HTTPStatus.NO_CONTENT:
                view = _empty_if_none(view)
            described: dict[str, Any] = {"description": description, "content_type": content_type}
            if schema is not None:
                described["schema"] = schema() if isinstance(schema, type) else schema
            described["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in headers}
            doc = _doc_of(view)
            doc.setdefault("response", {}).setdefault("responses", {}).setdefault(status_code, []).append(described)
            return view

        return decorate

    def text(self, content_type: str, description: str, headers: Sequence[str]) -> Callable[[View], View]:
        """Document a text that is answered with 200."""
        return self.response(200, {"type": "string"}, description, content_type=content_type, headers=headers)

    def stream(self, component: str, cursor: str, description: str) -> Callable[[View], View]:
        """Document a stream of a component, each with its `cursor`, in both of its forms."""
        lines = self.response(
            200,
            {"$ref": f"#/components/schemas/{component}"},
            description,
            content_type=streams.NDJSON,
        )
        events = self.response(
            200,
            streams.sse_schema(component, cursor),
            description,
            content_type=streams.SSE,
        )
        return lambda view: events(lines(view))

    def headers(self, *names: str) -> Callable[[View], View]:
        """Document request headers (of `document.PARAMETERS`) and the refusals that reading them may bring."""

        def decorate(view: View) -> View:
            doc = _doc_of(view)
            doc.setdefault("header_names", []).extend(names)
            doc.setdefault("codes", []).extend(code for name in names for code in HEADER_CODES.get(name, ()))
            return view

        return decorate


def _without_query(view: View) -> View:
    @wraps(view)
    def checking(**names: Any) -> Any:
        read_query(NO_QUERY, {})
        return view(**names)

    doc = _doc_of(checking)
    doc["arguments"] = {"parameters": []}
    doc.setdefault("codes", []).append("request/invalid")
    return checking


def _empty_if_none(view: View) -> View:
    @wraps(view)
    def answering(*args: Any, **names: Any) -> Any:
        answer = view(*args, **names)
        return Response(status=HTTPStatus.NO_CONTENT) if answer is None else answer

    return answering


def _doc_of(view: View) -> dict[str, Any]:
    doc: dict[str, Any] = deepcopy(getattr(view, "_apidoc", {}))
    view._apidoc = doc  # type: ignore[attr-defined]  # noqa: SLF001 - flask-smorest keeps it there
    return doc


def _prepare_problems(doc: dict[str, Any], doc_info: dict[str, Any], **_: Any) -> dict[str, Any]:
    """An operation's refusals as responses, one a status, each with the codes it may carry."""
    by_status: dict[int, list[str]] = {}
    for code in sorted(set(doc_info.get("codes", ()))):
        by_status.setdefault(codes.CODES[code], []).append(code)
    for status, listed in by_status.items():
        doc.setdefault("responses", {})[str(status)] = {
            "description": "; ".join(f"`{code}`: {codes.title(code, 'en')}" for code in listed),
            "x-codes": listed,
            "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    for name in doc_info.get("header_names", ()):
        doc.setdefault("parameters", []).append(name)  # apispec makes it a reference
    return doc
