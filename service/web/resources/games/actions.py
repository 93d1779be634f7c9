"""List legal actions, get them as choices, and submit one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response
from marshmallow import fields, validate

from service.games.errors import GameError
from service.usecases.games import playing
from service.usecases.games.commands import Request
from service.usecases.positions.action_filters import Value, filters_by_ruleset
from service.usecases.views import reading
from service.web.api import GAME_CODES, READ_ONLY, ROLE_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.preconditions import expected_revisions, request_of
from service.web.http.responses import WRITTEN, command_response, conditional, link_next, localize
from service.web.resources.games.decision_route import ACTIVE_CODES, PLAYING_CODES
from service.web.schemas.base import queries, requests
from service.web.schemas.games import events as event_schemas
from service.web.schemas.games import games as game_schemas

blueprint = Blueprint("actions", __name__, url_prefix="/v1/games/<game_id>")

FILTERS = filters_by_ruleset()


def _filter_field(name: str, values: Mapping[str, Sequence[Value]]) -> fields.Field[Any]:
    """Return the field of a query for a filter. `values`: by the ids of the rulesets that have it."""
    known = [*dict.fromkeys(value for of_ruleset in values.values() for value in of_ruleset)]
    owners: dict[str, list[str]] = {}
    for ruleset, of_ruleset in values.items():
        owners.setdefault(_list_values(of_ruleset), []).append(f"`{ruleset}`")
    listed = " ".join(f"{', '.join(rulesets)}: {names}." for names, rulesets in owners.items())
    metadata = {"description": f"Only actions with this `{name}`. {listed}", "x-rulesets": [*values]}
    numbers = [value for value in known if isinstance(value, int)]
    if len(numbers) == len(known):
        return fields.Integer(validate=validate.Range(min(numbers), max(numbers)), metadata=metadata)
    return fields.String(validate=validate.OneOf([*map(str, known)]), metadata=metadata)


def _list_values(values: Sequence[Value]) -> str:
    if all(isinstance(value, int) for value in values):
        return f"`{values[0]}` to `{values[-1]}`"
    return ", ".join(f"`{value}`" for value in values)


FilteredQuery = type(
    "FilteredQuery",
    (queries.ListActionsQuery,),
    {name: _filter_field(name, values) for name, values in FILTERS.items()},
)


@blueprint.route("/actions")
@blueprint.operation("listLegalActions", *GAME_CODES, "game/stale_revision", "service/compiling", access="optional")
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.response(200, game_schemas.LegalActions, "A page of legal actions.", headers=("ETag", "Link"))
@blueprint.response(304, description="You already have this revision.", headers=("ETag",))
@blueprint.arguments(FilteredQuery, location="query")
def list_legal_actions(query: dict[str, Any], game_id: str) -> Response:
    """List legal actions.

    Returns the legal actions of the seat to decide, in pages. All query parameters besides `cursor` and `limit` are
    filters: an action must have all these values. Each description lists the rulesets that have the filter, with its
    values. A filter or a value that the game's ruleset or the given `type` does not have gets `request/invalid` with
    the name of the filter.

    A position can have thousands of legal actions. `getLegalChoices` returns all of them in a short form.

    Actions with identical effects are listed once, by the first that passes the filters. The others are legal, too.
    """
    cursor_revision, _, cursor_first = query.get("cursor", ".0").partition(".")
    first = int(cursor_first)
    last = first + query["limit"]
    filters = {name: query[name] for name in FILTERS if name in query}
    legal = reading.list_legal_actions(context(), caller(), game_id, filters, slice(first, last))
    revision = legal["revision"]
    if cursor_revision and int(cursor_revision) != revision:  # the pages would mix two lists
        raise GameError("game/stale_revision", revision=revision)
    cursor = f"{revision}.{last}" if last < legal["total"] else None
    return link_next(localize(conditional(revision, {**legal, "next_cursor": cursor})), cursor=cursor)


@blueprint.route("/choices")
@blueprint.operation("getLegalChoices", *GAME_CODES, "service/compiling", access="optional")
@blueprint.headers("IfNoneMatch")
@blueprint.response(200, game_schemas.LegalChoices, "The legal actions as choices.", headers=("ETag",))
@blueprint.response(304, description="You already have this revision.", headers=("ETag",))
def get_legal_choices(game_id: str) -> Response:
    """Get the legal actions as choices.

    Returns all legal actions of the seat to decide in a short form, for front ends that let players choose step by
    step. The first step is the type of the action: `choices.draft` has the options for `azul.draft`. Each option
    contains fields of the action, and the options for the next step. Its schema describes the steps. Choose until all
    fields have a value, and send the action to `submitAction`.

    The complete choices are exactly the actions of `listLegalActions`.
    """
    offered = reading.legal_choices(context(), caller(), game_id)
    return conditional(offered["revision"], offered)


CODES_OF_AN_ACTION = (
    *(*GAME_CODES, *ROLE_CODES, *PLAYING_CODES, *ACTIVE_CODES),
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
