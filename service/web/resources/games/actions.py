"""List legal actions, and submit one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from flask import Response
from marshmallow import fields, validate

from service.games.errors import GameError
from service.rulesets.registry import RULESETS
from service.usecases.games import playing
from service.usecases.games.commands import Request
from service.usecases.views import reading
from service.web.api import GAME_CODES, READ_ONLY, TOKEN_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.preconditions import expected_revisions, request_of
from service.web.http.responses import command_response, conditional, link_next, localize
from service.web.resources.games.decision_route import ACTIVE_CODES, PLAYING_CODES, WRITTEN
from service.web.schemas.base import queries, requests
from service.web.schemas.games import events as event_schemas
from service.web.schemas.games import games as game_schemas

blueprint = Blueprint("actions", __name__, url_prefix="/v1/games/<game_id>")

LONGEST_FILTER = 500  # characters; several filters must fit the request line
PLAIN = r"^[\t\n\r -~]+$"  # characters of fields of actions, and white space of JSON


def _filters() -> Mapping[str, list[str]]:
    """Return the fields of actions, each with the rulesets that have it."""
    values: dict[str, list[str]] = {}
    for ruleset in RULESETS.values():
        for name in {name for schema in ruleset.wire.action_schemas.values() for name in schema().fields}:
            values.setdefault(name, []).append(ruleset.id)
    return dict(sorted(values.items()))


def _filter(name: str, rulesets: list[str]) -> fields.String:
    where = ", ".join(f"`{ruleset}`" for ruleset in rulesets)
    explained = f"Only actions with this `{name}`: plain text, or JSON for other types. Rulesets: {where}."
    return fields.String(
        validate=[validate.Length(1, LONGEST_FILTER), validate.Regexp(PLAIN)], metadata={"description": explained}
    )


FILTERS = _filters()
FilteredQuery = type(
    "FilteredQuery", (queries.ListActionsQuery,), {name: _filter(name, rulesets) for name, rulesets in FILTERS.items()}
)


@blueprint.route("/actions")
@blueprint.operation("listLegalActions", *GAME_CODES, "game/stale_revision", "service/compiling", access="optional")
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.response(200, game_schemas.Legal, "A page of actions, or the choices.", headers=("ETag", "Link"))
@blueprint.response(304, description="You already have this revision.", headers=("ETag",))
@blueprint.arguments(FilteredQuery, location="query")
def list_legal_actions(query: dict[str, Any], game_id: str) -> Response:
    """List legal actions.

    Returns the legal actions of the seat to decide, in pages. Any field of an action works as a filter. `form=choices`
    returns them in factored form instead.

    Actions with identical effects are listed once, by the first that passes the filters. The others are legal, too.
    """
    if query["form"] == "choices":
        offered = reading.choices(context(), caller(), game_id)
        return conditional(offered["revision"], {"form": "choices", **offered})
    cursor_revision, _, cursor_first = query.get("cursor", ".0").partition(".")
    first = int(cursor_first)
    last = first + query["limit"]
    filters = {name: _read(query[name]) for name in FILTERS if name in query}
    legal = reading.list_legal_actions(context(), caller(), game_id, filters, slice(first, last))
    revision = legal["revision"]
    if cursor_revision and int(cursor_revision) != revision:  # the pages would mix two lists
        raise GameError("game/stale_revision", revision=revision)
    cursor = f"{revision}.{last}" if last < legal["total"] else None
    content = {"form": "list", **legal, "next_cursor": cursor}
    return link_next(localize(conditional(revision, content)), cursor=cursor)


def _read(value: str) -> Any:
    """Parse the value of a filter: JSON, or else plain text."""
    try:
        return orjson.loads(value)
    except ValueError:
        return value


CODES_OF_AN_ACTION = (
    *(*GAME_CODES, *TOKEN_CODES, *PLAYING_CODES, *ACTIVE_CODES),
    *("notation/unreadable", "game/not_your_turn", "game/illegal_action", "game/paused", "game/time_is_up"),
)


@blueprint.route("/actions", methods=["POST"])
@blueprint.operation("submitAction", *CODES_OF_AN_ACTION, READ_ONLY, "game/revision_required", access="required")
@blueprint.headers("IfMatch", "IdempotencyKey", "AcceptLanguage")
@blueprint.response(201, event_schemas.Decided, "The new events, and the game after them.", headers=WRITTEN)
@blueprint.arguments(requests.ActRequest)
def submit_action(body: dict[str, Any], game_id: str) -> Response:
    """Submit an action.

    Name the action by `id`, `action` or `notation`, and the revision it is based on.
    """
    named = body.get("id"), body.get("action"), body.get("notation")
    return command_response(playing.act(context(), request_of(game_id, body), *named))


@blueprint.route("/actions/preview", methods=["POST"])
@blueprint.operation("previewAction", *CODES_OF_AN_ACTION, access="required")
@blueprint.headers("IfMatch", "AcceptLanguage")
@blueprint.response(200, event_schemas.Decided, "The events that the action would cause, up to the first draw.")
@blueprint.arguments(requests.ActRequest)
def preview_action(body: dict[str, Any], game_id: str) -> Response:
    """Preview an action.

    The request is that of `submitAction`, but the game does not change. Ignores `Idempotency-Key`.
    """
    named = body.get("id"), body.get("action"), body.get("notation")
    tried = Request(caller(changes=False), game_id, expected_revisions(body))
    return command_response(playing.preview(context(), tried, *named), 200)
