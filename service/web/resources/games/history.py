"""The event log, earlier positions, and the live stream."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.rulesets.wire import Json
from service.usecases.views import reading
from service.usecases.views.viewers import ViewerOptions
from service.web.api import GAME_CODES, PAST_CODES, Blueprint
from service.web.http import streams
from service.web.http.auth import caller, context
from service.web.http.responses import conditional, json_answer, link_next, localize
from service.web.schemas.base import queries
from service.web.schemas.games import events as event_schemas
from service.web.schemas.games import games as game_schemas

blueprint = Blueprint("history", __name__, url_prefix="/v1/games/<game_id>")


@blueprint.route("/history")
@blueprint.operation("getHistory", *GAME_CODES, access="optional")
@blueprint.headers("AcceptLanguage")
@blueprint.response(200, event_schemas.History, "A page of events.", headers=("Link",))
@blueprint.arguments(queries.HistoryQuery, location="query")
def get_history(query: dict[str, Any], game_id: str) -> Response:
    """Get the event log of a game.

    Each event includes its effects and a sentence for people.
    """
    page = reading.history(context(), caller(), game_id, query["after"], query["limit"])
    last = page["events"][-1]["revision"] if page["events"] else page["revision"]
    return link_next(localize(json_answer(page)), after=last if last < page["revision"] else None)


@blueprint.route("/history/<int:revision>")
@blueprint.operation("getPositionAt", *PAST_CODES, access="optional")
@blueprint.headers("IfNoneMatch")
@blueprint.response(200, game_schemas.Game, "The game at that revision.", headers=("ETag",))
@blueprint.response(304, description="You already have this revision.", headers=("ETag",))
def get_position_at(game_id: str, revision: int) -> Response:
    """Get a game at an earlier revision.

    Not available for revisions before a rules update rebased the game.
    """
    return conditional(revision, reading.view_at(context(), caller(), game_id, revision))


@blueprint.route("/events")
@blueprint.operation("streamEvents", *PAST_CODES, "request/not_acceptable", "auth/ticket_unknown", access="optional")
@blueprint.headers("LastEventId", "AcceptLanguage")
@blueprint.stream("StreamItem", "The revision.", "A snapshot, then events as they happen, until the game ends.")
@blueprint.response(204, description="The game is over and you have received every event. Do not reconnect.")
@blueprint.arguments(queries.StreamQuery, location="query")
def stream_events(query: dict[str, Any], game_id: str) -> Response | None:
    """Stream a game.

    Sends a snapshot, then every event with the game after it. Resume with the last revision you received. Sends a
    keep-alive every 4 seconds. While the stream is open, `getPresence` lists you as present.
    """
    form, after = streams.stream_form(), streams.last_seen(query.get("after"))
    options = ViewerOptions(query["hidden"], query["viewer"])
    items = reading.follow(context(), caller(query.get("ticket")), game_id, after, options=options)
    if after is not None and reading.has_ended(context(), game_id, after):
        return None
    answer = streams.stream((None if item is None else _item(item) for item in items), form)
    answer.call_on_close(items.close)
    return localize(answer)


def _item(item: Json) -> tuple[int, Json]:
    """Return the revision and the JSON of a stream item; events include the game after them."""
    revision = item["revision"]
    if item["type"] == "snapshot":
        return revision, {"kind": "snapshot", "revision": revision, "game": item["game"]}
    return revision, {**item["event"], "game": item["game"]}
