"""The OpenAPI document: what flask-smorest collects, finished by what holds for every operation.

Five things are decided here. Answers may grow within /v1, so only requests say `additionalProperties: false`. A
default stands in the description of a member: by the keyword `default`, generators make a member required. Every header
an answer carries is told at the answer, by reference, so that generated clients know it. A set of words that has a name
stands once, so that clients have one type for it. And so does a refusal that several operations share.
"""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import orjson

from service.rulesets.registry import RULESETS
from service.web.api import VERSION, Api, component_name
from service.web.published import objects
from service.web.schemas.calls import CALLS, webhooks_json
from service.web.schemas.events import StreamItem
from service.web.schemas.games import Problem
from service.web.shared import operations, share_refusals, share_schemas

Json = dict[str, Any]
MOST_INT32 = 2**31 - 1
EXAMPLES = Path(__file__).parents[2] / "openapi" / "examples"
DESCRIPTION = Path(__file__).parents[1] / "guide" / "concepts.md"

TAGS = {
    "rulesets": "What can be played, and how strong the AIs are.",
    "games": "Games: create, list, read, start, end.",
    "seats": "Seats: claiming, handing over, and their tokens.",
    "players": "Who plays: profiles and handles, tokens for seats in many games, and what waits for a player.",
    "seeks": "Finding others to play with: seeks, and the lobby of those that wait.",
    "leaderboards": "Players by their ratings.",
    "challenges": "One player asks another for a game.",
    "competitions": "Swiss tournaments and arenas of players and bots, joined by link.",
    "bots": "Programs that one can find and play with.",
    "identities": "Signing in with providers of OpenID Connect, on any device.",
    "devices": "Phones and browsers of a player that are told the same by Web Push.",
    "webhooks": "URLs of a player that are told what happens in their games.",
    "actions": "What may be done, and doing it.",
    "offers": "Takebacks, pauses, rematches, and the answers to such offers.",
    "messages": "What the people of a game say to each other; tickets for browsers.",
    "presence": "The seats that are connected, and who watches.",
    "history": "The log, positions of the past, and the live stream.",
    "pictures": "The table as a picture.",
    "records": "Games as records, to be kept, replayed and checked elsewhere.",
    "positions": "Positions that belong to no game.",
    "analyses": "What the strongest AI thinks of a decision, or of a whole game.",
    "tournaments": "Levels against each other, many games from one request.",
    "calls": "What the service asks of bots and tells webhooks, each by a POST of its own.",
    "admin": "Operations for the operator.",
    "service": "About the service itself.",
}


def _header(description: str, example: Any = None, **schema: Any) -> Json:
    described: Json = {"description": description, "schema": {"type": "string", **schema}}
    return described if example is None else {**described, "example": example}


HEADERS: dict[str, Json] = {
    "ETag": _header("The revision, in quotes; for If-Match and If-None-Match.", '"17"', pattern='^"[0-9]+"$'),
    "DocumentETag": _header("This version of the document; for If-None-Match.", 'W/"0f1e2d3c4b5a6978"'),
    "DocumentVary": _header("The request headers the answer hangs on.", "Accept-Encoding"),
    "BoardETag": _header("Revision and language; for If-None-Match.", '"17-en"', pattern='^"[0-9]+-[a-z]{2}"$'),
    "AnimationETag": _header("Revision and language; for If-None-Match.", 'W/"82-en"', pattern='^W/"[0-9]+-[a-z]{2}"$'),
    "AnimationVary": _header("The request headers the answer hangs on.", "Accept-Language, Accept-Encoding"),
    "AnimationCacheControl": _header(
        "Anybody may keep the animation for an hour, unless the game is private.",
        "public, max-age=3600",
    ),
    "Location": _header("Where what was made can be read.", "/v1/games/q7Wz0nYk3xTb9LmA"),
    "Link": _header(
        'The next page, `rel="next"`, absent on the last; why an operation is to go, `rel="deprecation"`.',
        '</v1/games?cursor=x>; rel="next"',
    ),
    "Retry-After": _header("Seconds to wait before trying again.", "2", pattern="^[0-9]+$"),
    "RateLimit": _header("What is left of the budget, and the seconds until it is whole.", '"actions";r=599;t=60'),
    "RateLimit-Policy": _header("The budget: requests in so many seconds.", '"actions";q=600;w=60'),
    "WWW-Authenticate": _header("The credentials that are accepted.", 'Bearer realm="games"'),
    "X-Request-Id": _header("Names this request in our log; the request's own, if it brought a fit one."),
    "Cache-Control": _header("Responses may be kept, but must be revalidated.", "private, no-cache"),
    "X-Content-Type-Options": _header("The value is always `nosniff`.", "nosniff"),
    "Content-Language": _header("The language of the sentences.", "en"),
    "Vary": _header("The request headers the answer hangs on.", "Accept-Language"),
    "Idempotency-Replayed": _header("`true`: an earlier request with this key is answered again.", "true"),
    "Deprecation": _header(
        "The moment since which the operation is deprecated, in Unix time.", "@1798761600", pattern="^@[0-9]+$"
    ),
    "Sunset": _header("The date from which the operation may be gone.", "Thu, 01 Jul 2027 00:00:00 GMT"),
}
SENT_AS = {
    **dict.fromkeys(("AnimationETag", "BoardETag", "DocumentETag"), "ETag"),
    **dict.fromkeys(("AnimationVary", "DocumentVary"), "Vary"),
    "AnimationCacheControl": "Cache-Control",
}
EVERYWHERE = ("X-Request-Id", "Cache-Control", "X-Content-Type-Options")
SPOKEN = ("Content-Language", "Vary")
HEADERS_OF_STATUS = {
    "401": ("WWW-Authenticate",),
    "429": ("Retry-After", "RateLimit", "RateLimit-Policy"),
    "503": ("Retry-After",),
}


def _parameter(name: str, description: str, **schema: Any) -> Json:
    return {"in": "header", "name": name, "description": description, "schema": {"type": "string", **schema}}


def _required(name: str, description: str) -> Json:
    return {**_parameter(name, description), "required": True}


PARAMETERS: dict[str, Json] = {
    "IfMatch": _parameter("If-Match", 'The revision decided on: `"17"`.', maxLength=80, pattern='^(W/)?"[0-9]+"$'),
    "IfNoneMatch": _parameter("If-None-Match", 'The revision the caller has: `"17"`.', maxLength=400),
    "IfNoneMatchDocument": _parameter("If-None-Match", "The version that the caller has.", maxLength=400),
    "IdempotencyKey": _parameter(
        "Idempotency-Key",
        "Names this request; repeated within 24 hours with the same body, it gets the same answer.",
        pattern="^[!-~]{1,255}$",
    ),
    "UnguessableKey": _parameter(
        "Idempotency-Key",
        "Names this request; repeated within 10 minutes with the same body, it gets the same answer.",
        pattern="^[!-~]{22,255}$",
    ),
    "LastEventId": _parameter(
        "Last-Event-ID", "The id of the last event seen; goes before `after`.", pattern="^[0-9]{1,15}$"
    ),
    "AcceptLanguage": _parameter("Accept-Language", "The language of sentences: `en`, `de`.", maxLength=200),
    "WebhookId": _required("webhook-id", "The same at every attempt: what comes twice is known by it."),
    "WebhookTimestamp": _required("webhook-timestamp", "When this attempt was made, in Unix time."),
    "WebhookSignature": _required(
        "webhook-signature",
        "`v1,` and base64 of HMAC-SHA256 by the secret, of id, timestamp and body, divided by dots.",
    ),
}

LONGEST_IN_A_PATH = 200
"""Characters of what a path names: all that exists is shorter, and a server takes a line of some thousands only."""

PATH_PARAMETERS = {
    "challenge_id": "The challenge's id.",
    "competition_id": "The competition's id.",
    "game_id": "The game's id.",
    "offer": "The offer's `id` in the view.",
    "player": "The player's id or handle.",
    "provider": "The provider's id.",
    "seek_id": "The seek's id.",
    "sign_in": "The sign-in's id.",
    "revision": "The revision, from 1 to the game's.",
    "ruleset_id": "The ruleset's id.",
    "seat": "The seat, counted from 0.",
    "task_id": "The id that asking for it answered.",
    "token_id": "The token's `id` in the list; not the token itself.",
    "webhook_id": "The webhook's id.",
    "device_id": "The device's id.",
}

SECURITY: Json = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A token out of `tokens`, opaque."},
    "apiKey": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Api-Key",
        "description": "An application's, beside any token and at any operation; needed where the operator says so.",
    },
}

DECIDED_SCHEMA, SHOWN = {"$ref": "#/components/schemas/Decided"}, "submitAction"
"""What all decisions answer alike, and the operation whose example shows it."""

INFO: Json = {
    "title": "Azul games",
    "version": VERSION,
    "summary": "The Azul family of board games behind one HTTP API, with AI opponents.",
    "license": {"name": "MIT", "identifier": "MIT"},
    "x-generated": "by `python -m openapi.build` from the code; do not edit",
}


def build(api: Api) -> Json:
    """The whole document, sorted, with the examples that the tests recorded."""
    api.describe()
    api.spec.components.schema("Problem", schema=Problem)
    for schema in (StreamItem, *(schema for call in CALLS.values() for schema in call.schemas)):
        if (name := component_name(schema)) not in api.spec.components.schemas:
            api.spec.components.schema(name, schema=schema)
    document: Json = deepcopy(api.spec.to_dict())  # what fields say is theirs
    recipes = "\n".join(
        f"**{name}**\n\n{described}" for name, one in RULESETS.items() if (described := one.draws()) is not None
    )
    document["info"] = {**INFO, "description": DESCRIPTION.read_text("utf-8").replace("{draws}", recipes.strip())}
    document["servers"] = [{"url": "/", "description": "Where this document came from."}]
    document["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    components = document["components"]
    components["headers"] = HEADERS
    components["parameters"] = PARAMETERS
    components["securitySchemes"] = SECURITY
    document["security"] = [{}, {"apiKey": []}]
    components["schemas"].pop("PaginationMetadataSchema", None)  # flask-smorest's, not used
    descriptions = api.descriptions()
    document["webhooks"] = webhooks_json(descriptions)
    for name, schema in components["schemas"].items():
        _finish_schema(name, schema, descriptions[name])
    for path in document["paths"].values():
        for parameter in path.get("parameters", []):
            if parameter["name"] in PATH_PARAMETERS:
                parameter["description"] = PATH_PARAMETERS[parameter["name"]]
            if parameter["in"] == "path" and parameter["schema"].get("type") == "string":
                parameter["schema"]["maxLength"] = LONGEST_IN_A_PATH
            if parameter["name"] in {"offer", "revision"}:
                parameter["schema"]["format"] = "int64"
    for operation in operations(document):
        _finish_operation(operation)
    share_schemas(document, api.names)
    components["responses"] = share_refusals(document)
    return dict(orjson.loads(orjson.dumps(document, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)))


def _finish_schema(name: str, schema: Json, description: str) -> None:
    schema["description"] = description
    if "discriminator" in schema:
        schema["type"] = "object"  # so that null is none of its leaves, for readers that go by the tag alone
    if not name.endswith("Request"):
        schema.pop("additionalProperties", None)
    for member in schema.get("properties", {}).values():
        if (default := member.pop("default", None)) is not None:
            member["description"] += f" Default: `{orjson.dumps(default).decode()}`."
    _say_what_generators_need(schema)


def _say_what_generators_need(node: Any) -> None:
    """Say "or null" by `oneOf`, where apispec says `anyOf`; `int64` for what 32 bits cannot hold."""
    for inner in list(objects(node)):
        if "anyOf" in inner:
            inner["oneOf"] = inner.pop("anyOf")
        if inner.get("maximum", 0) > MOST_INT32:
            inner["format"] = "int64"


def _finish_operation(operation: Json) -> None:
    operation["summary"] = operation["summary"].removesuffix(".")
    for parameter in operation.get("parameters", []):
        _say_what_generators_need(parameter.get("schema"))
        if parameter.get("schema", {}).get("default", "") is None:
            del parameter["schema"]["default"]
    for status, answer in operation["responses"].items():
        names = [*EVERYWHERE, *answer.get("headers", {}), *HEADERS_OF_STATUS.get(str(status), ())]
        if "x-codes" in answer:
            names += SPOKEN
        if operation.get("deprecated"):
            names += ["Deprecation", "Link", *(["Sunset"] if "x-sunset" in operation else [])]
        answer["headers"] = {SENT_AS.get(name, name): {"$ref": f"#/components/headers/{name}"} for name in names}
    for path in sorted(EXAMPLES.glob(f"{operation['operationId']}.*json")):
        _add_example(operation, orjson.loads(path.read_bytes()), path.stem.partition(".")[2] or "recorded")


def _add_example(operation: Json, recorded: Json, name: str) -> None:
    """`recorded`: {"request": body or null, "status": 200, "content_type": …, "response": body}; by name of ruleset."""
    answer = operation["responses"][str(recorded["status"])]["content"][recorded["content_type"]]
    if answer["schema"] != DECIDED_SCHEMA or operation["operationId"] == SHOWN:
        answer.setdefault("examples", {})[name] = {"value": recorded["response"]}
    if recorded["request"] is not None:
        content = operation["requestBody"]["content"]["application/json"]
        content.setdefault("examples", {})[name] = {"value": recorded["request"]}
