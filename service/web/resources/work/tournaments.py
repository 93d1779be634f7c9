"""Tournaments between AI levels and HTTP bots. Workers play them in the background."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response

from service.usecases.base import access
from service.usecases.games.creating import NewEndpoint
from service.usecases.work import tournaments
from service.usecases.work.tournaments import Challenger, TournamentRequest
from service.web.api import READ_ONLY, STORE_CODES, TASK_CODES, Blueprint
from service.web.http import streams
from service.web.http.auth import caller, context, language
from service.web.http.preconditions import issuer
from service.web.http.responses import json_answer, link_next, localize, with_location
from service.web.schemas.base import queries
from service.web.schemas.work import task_requests
from service.web.schemas.work import tasks as task_schemas

blueprint = Blueprint("tournaments", __name__, url_prefix="/v1/tournaments")


@blueprint.route("", methods=["POST"])
@blueprint.operation("createTournament", *STORE_CODES, READ_ONLY, "outgoing/off", access="optional")
@blueprint.creating()
@blueprint.response(202, task_schemas.Tournament, "The task.", headers=("Location",))
@blueprint.arguments(task_requests.TournamentRequest)
@blueprint.repeatable("UnguessableKey")
def create_tournament(body: dict[str, Any]) -> Response:
    """Start a tournament between AI levels and HTTP bots.

    Every pair of participants plays a match. Each deal is played once from every seat. Poll the returned task with
    `getTournament`.
    """
    seed = None if body["seed"] is None else bytes.fromhex(body["seed"])
    challengers = tuple(_challenger(one) for one in body.pop("endpoints"))
    request = TournamentRequest(**{**body, "levels": tuple(body["levels"]), "seed": seed, "challengers": challengers})
    tournament = tournaments.create(context(), caller(), request, issuer())
    return with_location(tournament, 202, f"/v1/tournaments/{tournament['id']}")


def _challenger(body: dict[str, Any]) -> Challenger:
    name, level = body.pop("name"), body.pop("level")
    return Challenger(name, level, NewEndpoint(**body))


@blueprint.route("/<task_id>")
@blueprint.operation("getTournament", *STORE_CODES, "task/not_found")
@blueprint.response(200, task_schemas.Tournament, "The tournament and its progress.")
@blueprint.response(204, description="No change within `wait`.")
@blueprint.arguments(queries.TaskQuery, location="query")
def get_tournament(query: dict[str, Any], task_id: str) -> Response | None:
    """Get a tournament.

    With `after` and `wait`, the response is delayed until the version is greater than `after`.
    """
    tournament = tournaments.get(context(), task_id, query["after"], query["wait"])
    return None if tournament is None else json_answer(tournament)


@blueprint.route("/<task_id>", methods=["DELETE"])
@blueprint.operation("endTournament", *TASK_CODES, access="optional")
@blueprint.response(204, description="The tournament is cancelled.")
def end_tournament(task_id: str) -> None:
    """Cancel a tournament.

    Stops the task and deletes it. If it was started with a token, send the same token.
    """
    tournaments.cancel(context(), caller(), task_id)


@blueprint.route("/<task_id>/events")
@blueprint.operation("streamTournament", *STORE_CODES, "task/not_found", "request/not_acceptable")
@blueprint.headers("LastEventId")
@blueprint.stream("Tournament", "The version.", "The tournament after every change, until it is over.")
@blueprint.arguments(queries.FollowQuery, location="query")
def stream_tournament(query: dict[str, Any], task_id: str) -> Response:
    """Stream the progress of a tournament.

    Sends a keep-alive every 4 seconds.
    """
    form, after = streams.stream_form(), streams.last_seen(query["after"])
    followed = tournaments.follow(context(), task_id, after)
    items = access.until_revoked(context(), caller(), followed, access.CHECK_S)
    return streams.stream((None if item is None else (item["version"], item) for item in items), form)


@blueprint.route("/<task_id>/games")
@blueprint.operation("listTournamentGames", *STORE_CODES, "task/not_found")
@blueprint.headers("AcceptLanguage")
@blueprint.response(
    200,
    {"$ref": "#/components/schemas/GameRecord"},
    "One record per line. `importGame` accepts each of them.",
    content_type=streams.NDJSON,
    headers=("Link",),
)
@blueprint.arguments(queries.GamesQuery, location="query")
def list_tournament_games(query: dict[str, Any], task_id: str) -> Response:
    """List the finished games of a tournament as records.

    Sorted by number. Follow the `Link` header for the next page.
    """
    exports, following = tournaments.records(context(), task_id, query["first"], query["limit"], language())
    lines = (orjson.dumps(exported) + b"\n" for exported in exports)
    return link_next(localize(Response(lines, content_type=streams.NDJSON)), first=following)
