"""Build the OpenAPI documents from the operations that flask-smorest collects: for players, and for the staff.

- Only request schemas say `additionalProperties: false`, because responses may grow within /v1.
- Defaults of body fields are part of the description: generators make fields with the keyword `default` required.
- Headers of every response are documented once, in the description (`COMMON_HEADERS`). Responses list only the others.
- Named enums and error responses of several operations are components.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import orjson

from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.web import codes
from service.web.api import VERSION, Api, component_name
from service.web.docs.components import (
    keep_used,
    objects,
    operations,
    remove_unreachable,
    share_refusals,
    share_schemas,
)
from service.web.docs.growth import open_document
from service.web.http.guesses import STAFF_PATHS
from service.web.schemas.base.fields import MAX_INT32
from service.web.schemas.games.events import StreamItem
from service.web.schemas.games.games import Problem
from service.web.schemas.notifications.calls import CALLS, webhooks_json
from service.web.schemas.people.player_events import PlayerEvent

EXAMPLES = Path(__file__).parents[3] / "openapi" / "examples"
DESCRIPTION = Path(__file__).parents[3] / "docs" / "reference" / "concepts.md"
LINK = re.compile(r"\]\(([\w./-]+\.md)")

TAGS = {
    "rulesets": "Games you can play and the strength of their AI levels.",
    "games": "Create, list, read, start and end games.",
    "seats": "Claim seats, hand them over and rotate their tokens.",
    "players": "Profiles, handles, tokens, and the games that wait for a player.",
    "seeks": "Find opponents: post a seek, or join one from the lobby.",
    "leaderboards": "Players ranked by rating.",
    "challenges": "Invite one player to a game.",
    "competitions": "Swiss tournaments and arenas for players and bots.",
    "bots": "Programs that players can find and challenge.",
    "reports": "Report players, names, messages and games to the moderators.",
    "identities": "Sign in with OpenID Connect providers on any device.",
    "devices": "Phones and browsers that receive notices by Web Push.",
    "webhooks": "URLs that receive notices about a player's games.",
    "actions": "List legal actions and submit one.",
    "offers": "Offer takebacks, pauses and rematches, and answer such offers.",
    "messages": "Chat within a game, and tickets for browser streams.",
    "presence": "Seats that are connected, and watchers.",
    "history": "The event log, earlier positions, and the live stream.",
    "pictures": "The table as SVG or text, and finished games as animations.",
    "records": "Export and import games as records.",
    "positions": "Check positions without creating a game.",
    "analyses": "Computer analysis of a decision or of a whole game.",
    "tournaments": "Play AI levels and HTTP bots against each other.",
    "puzzles": "Find the best action in a position.",
    "calls": "Requests that the service sends to bots and webhooks.",
    "admin": "Players, reports, games, competitions and bots, the staff and the audit log.",
    "operating": "State of the service, for admins.",
    "fairness": "Linked players, and rated games that do not count, for the staff.",
    "service": "Entry points, health checks and this document.",
}


def _header(description: str, example: Any = None, **schema: Any) -> Json:
    header: Json = {"description": description, "schema": {"type": "string", **schema}}
    return header if example is None else {**header, "example": example}


HEADERS: dict[str, Json] = {
    "ETag": _header("The revision. Send it in `If-Match` or `If-None-Match`.", '"17"', pattern='^"[0-9]+"$'),
    "DocumentETag": _header("The version. Send it in `If-None-Match`.", 'W/"0f1e2d3c4b5a6978"'),
    "BoardETag": _header(
        "The revision and the language. Send it in `If-None-Match`.", '"17-en"', pattern='^"[0-9]+-[a-z]{2}"$'
    ),
    "AnimationETag": _header(
        "The revision and the language. Send it in `If-None-Match`.", 'W/"82-en"', pattern='^W/"[0-9]+-[a-z]{2}"$'
    ),
    "AnimationCacheControl": _header(
        "Shared caches may keep the animation for an hour, unless the game is private.", "public, max-age=3600"
    ),
    "PuzzleCacheControl": _header("Shared caches may keep it: a daily puzzle until 00:00 UTC.", "public, max-age=60"),
    "Location": _header("URL of the new resource.", "/v1/games/q7Wz0nYk3xTb9LmA"),
    "Link": _header(
        '`rel="next"`: the next page; absent on the last page. `rel="deprecation"`: why the operation is deprecated.',
        '</v1/games?cursor=x>; rel="next"',
    ),
    "Retry-After": _header("Seconds to wait before you retry.", "2", pattern="^[0-9]+$"),
    "RateLimit": _header("Remaining requests of the budget, and seconds until it is full.", '"actions";r=599;t=60'),
    "RateLimit-Policy": _header("Size of the budget, and its window in seconds.", '"actions";q=600;w=60'),
    "WWW-Authenticate": _header("Accepted credentials.", 'Bearer realm="games"'),
    "Idempotency-Replayed": _header("`true` if this repeats the response to an earlier request.", "true"),
    "Deprecation": _header("Unix time of the deprecation.", "@1798761600", pattern="^@[0-9]+$"),
    "Sunset": _header("The operation may be removed after this time.", "Thu, 01 Jul 2027 00:00:00 GMT"),
}
SENT_AS = {
    **dict.fromkeys(("AnimationETag", "BoardETag", "DocumentETag"), "ETag"),
    **dict.fromkeys(("AnimationCacheControl", "PuzzleCacheControl"), "Cache-Control"),
}
COMMON_HEADERS = ("X-Request-Id", "X-Content-Type-Options", "Cache-Control")
"""Headers of every response. The description documents them, and responses do not list them."""
LANGUAGE_HEADERS = ("Content-Language", "Vary")
"""Headers of responses with text for people, documented likewise."""
HEADERS_OF_STATUS = {
    "401": ("WWW-Authenticate",),
    "429": ("Retry-After", "RateLimit", "RateLimit-Policy"),
    "503": ("Retry-After",),
}


def _parameter(name: str, description: str, **schema: Any) -> Json:
    return {"in": "header", "name": name, "description": description, "schema": {"type": "string", **schema}}


def _required_header(name: str, description: str) -> Json:
    return {**_parameter(name, description), "required": True}


PARAMETERS: dict[str, Json] = {
    "IfMatch": _parameter(
        "If-Match",
        'The revision the decision is based on: `"17"`. A list of tags allows several revisions, and `*` any. '
        "Weak tags never match.",
        maxLength=400,
    ),
    "IfNoneMatch": _parameter("If-None-Match", 'The revision you already have: `"17"`.', maxLength=400),
    "IfNoneMatchDocument": _parameter("If-None-Match", "The `ETag` of the version you already have.", maxLength=400),
    "IdempotencyKey": _parameter(
        "Idempotency-Key",
        "Unique key of the request. A repeat within 24 hours with the same body gets the same response.",
        pattern="^[!-~]{1,255}$",
    ),
    "UnguessableKey": _parameter(
        "Idempotency-Key",
        "Unique, random key of the request. A repeat within 10 minutes with the same body gets the same response.",
        pattern="^[!-~]{22,255}$",
    ),
    "LastEventId": _parameter(
        "Last-Event-ID", "Id of the last event received. Takes precedence over `after`.", pattern="^[0-9]{1,15}$"
    ),
    "AcceptLanguage": _parameter("Accept-Language", "Preferred language of texts: `en` or `de`.", maxLength=200),
    "WebhookId": _required_header(
        "webhook-id", "Id of the delivery. Every attempt has the same id; use it to drop repeats."
    ),
    "WebhookTimestamp": _required_header("webhook-timestamp", "Unix time of this attempt, in seconds."),
    "WebhookSignature": _required_header(
        "webhook-signature",
        "`v1,` and the base64 HMAC-SHA256 of `<id>.<timestamp>.<body>`, keyed with the secret. After a rotation: "
        "several, separated by spaces, one of which must match.",
    ),
}

MAX_PATH_PARAMETER_LENGTH = 200
"""Longer than any id; request lines are limited to a few kilobytes."""

PATH_PARAMETERS = {
    "challenge_id": "The challenge's id.",
    "competition_id": "The competition's id.",
    "game_id": "The game's id.",
    "offer": "The offer's `id`.",
    "player": "The player's id or handle.",
    "provider": "The provider's id.",
    "puzzle_id": "The puzzle's id.",
    "seek_id": "The seek's id.",
    "sign_in": "The sign-in's id.",
    "revision": "A revision from 1 to the game's current one.",
    "ruleset_id": "The ruleset's id.",
    "seat": "The seat's number, from 0.",
    "task_id": "The task's id.",
    "token_id": "The token's `id`, not the token itself.",
    "webhook_id": "The webhook's id.",
    "process": "The name of the process.",
    "staff_id": "The id of a member of staff.",
    "report_id": "The report's id.",
    "message": "The number of the message.",
    "delivery_id": "The delivery's `id`.",
    "device_id": "The device's id.",
}

SECURITY: Json = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A token of a game, a player or the staff."},
    "apiKey": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Api-Key",
        "description": "Identifies an application. Every operation accepts it; some services require it.",
    },
}

INFO: Json = {
    "title": "Azul games",
    "version": VERSION,
    "summary": "The Azul family of board games behind one HTTP API, with AI opponents.",
    "license": {"name": "MIT", "identifier": "MIT"},
    "x-generated": "by `python -m openapi.build` from the code; do not edit",
}


ADMIN_TITLE = "Azul games: administration"
ADMIN_DESCRIPTION = """\
Operations for the staff, with the tokens that `createStaffMember` returns, or the operator's. `x-role` names the role \
that an operation needs: `moderator`, or `admin`, who may also do what moderators may. The operator may do everything. \
The guide on [moderation](/docs/guides/moderation) explains the acts, and the [concepts](/docs/reference/concepts) \
apply here, too: errors, pages, limits and headers of every response.
"""


def _is_for_staff(path: str) -> bool:
    return path.startswith(STAFF_PATHS)


def build_all(api: Api) -> Json:
    """Return the document of all operations."""
    return _build(api, bool)


def build_public(api: Api) -> Json:
    """Return the document of all operations but those for the staff."""
    return _build(api, lambda path: not _is_for_staff(path))


def build_admin(api: Api) -> Json:
    """Return the document of the operations for the staff."""
    document = _build(api, _is_for_staff, has_webhooks=False)
    document["info"] |= {"title": ADMIN_TITLE, "description": ADMIN_DESCRIPTION}
    return document


def _build(api: Api, selects: Callable[[str], bool], *, has_webhooks: bool = True) -> Json:
    """Return the document of the selected paths, sorted, with the examples that the tests recorded.

    `has_webhooks`: with the requests that the service sends.
    """
    api.describe()
    for schema in (Problem, StreamItem, PlayerEvent, *(schema for call in CALLS.values() for schema in call.schemas)):
        if (name := component_name(schema)) not in api.spec.components.schemas:
            api.spec.components.schema(name, schema=schema)
    document: Json = deepcopy(api.spec.to_dict())  # the fields keep their own objects
    document["paths"] = {path: item for path, item in document["paths"].items() if selects(path)}
    document["info"] = {**INFO, "description": _concepts()}
    document["servers"] = [{"url": "/", "description": "The server of this document."}]
    components = document["components"]
    components["headers"] = HEADERS
    components["parameters"] = PARAMETERS
    components["securitySchemes"] = SECURITY
    document["security"] = [{}, {"apiKey": []}]
    components["schemas"].pop("PaginationMetadataSchema", None)  # flask-smorest's, not used
    descriptions = api.descriptions()
    webhooks = webhooks_json(descriptions) if has_webhooks else {}
    if webhooks:
        document["webhooks"] = webhooks
    used_tags = {tag for each in operations({"paths": document["paths"] | webhooks}) for tag in each["tags"]}
    document["tags"] = [{"name": name, "description": text} for name, text in TAGS.items() if name in used_tags]
    remove_unreachable(document)
    for name, schema in components["schemas"].items():
        _finish_schema(name, schema, descriptions[name])
    for path in document["paths"].values():
        for parameter in path.get("parameters", []):
            _finish_path_parameter(parameter)
    for operation in operations(document):
        _finish_operation(operation)
    share_schemas(document, api.names)
    components["responses"] = share_refusals(document)
    keep_used(document, "headers", "parameters")
    document = orjson.loads(orjson.dumps(document, option=orjson.OPT_NON_STR_KEYS))
    return dict(orjson.loads(orjson.dumps(open_document(document), option=orjson.OPT_SORT_KEYS)))


def _concepts() -> str:
    """Return the page of the concepts, with how each ruleset draws."""
    recipes = "\n".join(
        f"**{name}**\n\n{described}" for name, one in RULESETS.items() if (described := one.draws()) is not None
    )
    description = LINK.sub(_address, DESCRIPTION.read_text("utf-8").removeprefix("# Concepts\n\n"))
    return description.replace("{draws}", recipes.strip())


def _address(link: re.Match[str]) -> str:
    """Return the link to a page of docs/ with the URL of the page."""
    path = posixpath.normpath(posixpath.join("/docs/reference", link[1]))
    return "](" + path.removesuffix(".md").removesuffix("/README")


def _finish_schema(name: str, schema: Json, description: str) -> None:
    schema["description"] = description
    if "discriminator" in schema:
        schema["type"] = "object"  # keeps null out of the union for tools that only read the tag
    if not name.endswith("Request"):
        schema.pop("additionalProperties", None)
    for member in schema.get("properties", {}).values():
        if (default := member.pop("default", None)) is not None:
            member["description"] += f" Default: `{orjson.dumps(default).decode()}`."
    _adapt_to_generators(schema)


def _finish_path_parameter(parameter: Json) -> None:
    if parameter["name"] in PATH_PARAMETERS:
        parameter["description"] = PATH_PARAMETERS[parameter["name"]]
    if parameter["in"] == "path" and parameter["schema"].get("type") == "string":
        parameter["schema"]["maxLength"] = MAX_PATH_PARAMETER_LENGTH
    if parameter["name"] in {"offer", "revision"}:
        parameter["schema"]["format"] = "int64"


def _adapt_to_generators(node: Any) -> None:
    """Replace apispec's `anyOf` with `oneOf`, and add `int64` where 32 bits are too few."""
    for inner in list(objects(node)):
        if "anyOf" in inner:
            inner["oneOf"] = inner.pop("anyOf")
        if inner.get("maximum", 0) > MAX_INT32:
            inner["format"] = "int64"


def _finish_operation(operation: Json) -> None:
    operation["summary"] = operation["summary"].removesuffix(".")
    for parameter in operation.get("parameters", []):
        _adapt_to_generators(parameter.get("schema"))
        if parameter.get("schema", {}).get("default", "") is None:
            del parameter["schema"]["default"]
    for status, answer in operation["responses"].items():
        limited = ("Retry-After",) if any(map(codes.is_limit, answer.get("x-codes", ()))) else ()
        names = [*answer.pop("headers", ()), *HEADERS_OF_STATUS.get(str(status), limited)]
        if operation.get("deprecated"):
            names += ["Deprecation", "Link", *(["Sunset"] if "x-sunset" in operation else [])]
        if names:
            answer["headers"] = {SENT_AS.get(name, name): {"$ref": f"#/components/headers/{name}"} for name in names}
    for path in sorted(EXAMPLES.glob(f"{operation['operationId']}.*json")):
        _add_example(operation, orjson.loads(path.read_bytes()), path.stem.partition(".")[2] or "recorded")


def _add_example(operation: Json, recorded: Json, name: str) -> None:
    """Add a recorded example: `request`, `status`, `content_type` and `response`."""
    answer = operation["responses"][str(recorded["status"])]["content"][recorded["content_type"]]
    answer.setdefault("examples", {})[name] = {"value": recorded["response"]}
    if recorded["request"] is not None:
        content = operation["requestBody"]["content"]["application/json"]
        content.setdefault("examples", {})[name] = {"value": recorded["request"]}
