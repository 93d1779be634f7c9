"""What may be done, and doing it."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response
from marshmallow import fields, validate

from service.cases import playing, reading
from service.games.errors import GameError
from service.rulesets.registry import RULESETS
from service.web import requests, schemas
from service.web.answers import conditional, link_next, spoken, written
from service.web.api import GAME_CODES, KEY_CODES, REVISION_CODES, TOKEN_CODES, Blueprint
from service.web.callers import caller
from service.web.conditions import expected_revision, idempotency
from service.web.resources import cases
from service.web.resources.games import WRITTEN

blueprint = Blueprint("actions", __name__, url_prefix="/v1/games/<game_id>")

FILTERS = sorted(
    {name for ruleset in RULESETS.values() for schema in ruleset.action_schemas.values() for name in schema().fields}
)
_members: dict[str, Any] = {
    name: fields.String(
        validate=validate.Length(1, 200), metadata={"description": f"Only actions whose `{name}` is this."}
    )
    for name in FILTERS
}
FilteredQuery = type("FilteredQuery", (requests.ListActionsQuery,), _members)


@blueprint.route("/actions")
@blueprint.operation("listLegalActions", *GAME_CODES, "game/stale_revision", access="optional")
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.response(
    200, schemas.LegalActions, description="A page.", headers=("ETag", "Link", "Content-Language", "Vary")
)
@blueprint.response(304, description="The caller has this revision already.", headers=("ETag",))
@blueprint.arguments(FilteredQuery, location="query")
def list_legal_actions(query: dict[str, Any], game_id: str) -> Response:
    """List what the seat to decide may do; any field of an action can be a filter."""
    legal = reading.legal(cases(), caller(), game_id)
    first, last = _page(query, legal["revision"])
    wanted = {name: query[name] for name in FILTERS if name in query}
    found = [entry for entry in legal["actions"] if _fits(entry["action"], wanted)]
    cursor = f"{legal['revision']}.{last}" if last < len(found) else None
    page = {**legal, "total": len(found), "actions": found[first:last], "next_cursor": cursor}
    answer = spoken(conditional(legal["revision"], page))
    if cursor is not None:
        link_next(answer, cursor=cursor)
    return answer


def _page(query: dict[str, Any], revision: int) -> tuple[int, int]:
    """Which of the actions; a cursor of an older revision would mix two lists. game/stale_revision."""
    told, _, first = query.get("cursor", f"{revision}.0").partition(".")
    if int(told) != revision:
        raise GameError("game/stale_revision", revision=revision)
    return int(first), int(first) + query["limit"]


def _fits(action: dict[str, Any], wanted: dict[str, str]) -> bool:
    return all(name in action and _as_text(action[name]) == value for name, value in wanted.items())


def _as_text(value: Any) -> str:
    """How a query names a value: strings bare, the rest as compact JSON."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()


@blueprint.route("/actions", methods=["POST"])
@blueprint.operation(
    "act",
    *GAME_CODES,
    *TOKEN_CODES,
    "auth/wrong_seat",
    "game/revision_required",
    "game/not_started",
    "game/over",
    "game/not_your_turn",
    "game/illegal_action",
    "game/resigned",
    access="required",
)
@blueprint.headers("IfMatch", "IdempotencyKey", "AcceptLanguage", codes=(*REVISION_CODES, *KEY_CODES))
@blueprint.response(201, schemas.Decided, description="What it did.", headers=WRITTEN)
@blueprint.response(
    200, schemas.Decided, description="With `dry_run`: what it would do.", headers=("Content-Language", "Vary")
)
@blueprint.arguments(requests.ActQuery, location="query")
@blueprint.arguments(requests.ActRequest)
def act(query: dict[str, Any], body: dict[str, Any], game_id: str) -> Response:
    """Take one action, by `id` or by its fields, on the revision it was decided on."""
    chosen = (game_id, body.get("id"), body.get("action"), expected_revision(body))
    if query["dry_run"]:
        return written(playing.dry_run(cases(), caller(), *chosen), tried=True)
    return written(playing.act(cases(), caller(), *chosen, idempotency()))
