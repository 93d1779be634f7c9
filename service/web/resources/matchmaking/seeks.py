"""Seeks: find opponents, directly or in the lobby."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.games.state.clocks import ClockRule
from service.usecases.matchmaking import seeking
from service.web.api import STORE_CODES, Blueprint
from service.web.http import streams
from service.web.http.auth import caller, context
from service.web.http.preconditions import issuer
from service.web.http.responses import json_answer, with_location
from service.web.schemas.matchmaking import seeks as seek_schemas

blueprint = Blueprint("seeks", __name__, url_prefix="/v1/seeks")


@blueprint.route("", methods=["POST"])
@blueprint.operation(
    "createSeek", "limit/seeks", "limit/aborted_games", "limit/excluded", "limit/open_games", access="player"
)
@blueprint.creating()
@blueprint.response(201, seek_schemas.Seek, "The seek.", headers=("Location",))
@blueprint.arguments(seek_schemas.SeekRequest)
@blueprint.repeatable()
def create_seek(body: dict[str, Any]) -> Response:
    """Look for opponents.

    Players with identical settings are matched, longest wait first. A seek ends unless you keep polling it, stream it,
    or set `keep_s`. When one of your seeks becomes a game, your other seeks end.
    """
    clock = None if body["clock"] is None else ClockRule(**body.pop("clock"))
    fill = None if body["fill"] is None else (body["fill"]["level"], body["fill"]["after_s"])
    seek = seeking.seek(context(), caller(), seeking.NewSeek(**{**body, "clock": clock, "fill": fill}), issuer())
    return with_location(seek, 201, f"/v1/seeks/{seek['id']}")


@blueprint.route("")
@blueprint.operation("listSeeks", *STORE_CODES)
@blueprint.response(200, seek_schemas.SeekList, "The open seeks.")
@blueprint.arguments(seek_schemas.LobbyQuery, location="query")
def list_seeks(query: dict[str, Any]) -> Response:
    """List open seeks: the lobby."""
    wanted = (query.get("ruleset"), query.get("variant"), query.get("seats"))
    return json_answer({"seeks": seeking.lobby(context(), *wanted)})


@blueprint.route("/<seek_id>")
@blueprint.operation("getSeek", "seek/not_found", access="player")
@blueprint.response(200, seek_schemas.Seek, "The seek.")
@blueprint.arguments(seek_schemas.SeekQuery, location="query")
def get_seek(query: dict[str, Any], seek_id: str) -> Response:
    """Get one of your seeks.

    With `wait`, the response is delayed until the seek becomes a game. Every request extends the seek by 30 seconds.
    """
    return json_answer(seeking.get(context(), caller(), seek_id, query["wait"]))


@blueprint.route("/<seek_id>/events")
@blueprint.operation("streamSeek", "seek/not_found", "request/not_acceptable", access="player")
@blueprint.stream(
    "Seek", "1 while the seek is open, 2 when it is a game.", "The open seek, then the seek with its game."
)
def stream_seek(seek_id: str) -> Response:
    """Stream one of your seeks until it becomes a game.

    Sends a keep-alive every 4 seconds. If you close the stream earlier, you are not matched. Open it again within 5
    seconds to resume the seek with its waiting time; otherwise it ends.
    """
    form, requester = streams.stream_form(), caller()
    answer = streams.stream(seeking.follow(context(), requester, seek_id), form)
    service = context()  # the app context is gone when the stream closes
    answer.call_on_close(lambda: seeking.leave(service, requester, seek_id))
    return answer


@blueprint.route("/<seek_id>/join", methods=["POST"])
@blueprint.operation(
    "joinSeek",
    *("seek/not_found", "player/blocked", "player/yourself", "game/not_mixed"),
    *("limit/seeks", "limit/aborted_games", "limit/excluded", "limit/open_games"),
    access="player",
)
@blueprint.creating()
@blueprint.response(201, seek_schemas.Seek, "Your new seek.", headers=("Location",))
@blueprint.arguments(seek_schemas.JoinRequest, required=False)
@blueprint.repeatable()
def join_seek(body: dict[str, Any], seek_id: str) -> Response:
    """Join a seek from the lobby.

    Creates a seek with the same settings and matches you with that player first. If the game has more seats, both of
    you wait until it is full.
    """
    seek = seeking.join(context(), caller(), seek_id, mixed=body["mixed"], issuer=issuer())
    return with_location(seek, 201, f"/v1/seeks/{seek['id']}")


@blueprint.route("/<seek_id>", methods=["DELETE"])
@blueprint.operation("deleteSeek", "seek/not_found", access="player")
@blueprint.response(204, description="The seek is withdrawn.")
def delete_seek(seek_id: str) -> None:
    """Withdraw a seek.

    A seek that has become a game cannot be withdrawn.
    """
    seeking.withdraw(context(), caller(), seek_id)
