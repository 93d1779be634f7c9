"""Operations for the staff so that play is fair: linked players, reviews for reports, rated games that do not count."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.games.state.moments import parse_ms
from service.usecases.keeping import linked_players, rated_games
from service.usecases.people import reports
from service.web.api import Blueprint
from service.web.http.auth import caller, context
from service.web.http.responses import json_answer
from service.web.schemas.base import requests
from service.web.schemas.people import fairness as schemas
from service.web.schemas.people import reports as report_schemas

blueprint = Blueprint("fairness", __name__, url_prefix="/v1/admin")


@blueprint.route("/players/<player>/linked")
@blueprint.operation("listLinkedPlayers", "player/not_found", access="moderator")
@blueprint.response(200, schemas.LinkedPlayers, "The players.")
def list_linked_players(player: str) -> Response:
    """List the players who were seen at the same address as a player, as a moderator.

    The key of the digests changes every 14 days, and older digests are deleted. A shared address is a hint, no proof:
    families, schools and mobile networks share one.
    """
    return json_answer(linked_players.list_linked(context(), caller(), player))


@blueprint.route("/reports/<report_id>/reviews", methods=["POST"])
@blueprint.operation("requestReportReviews", "report/not_found", "limit/background", access="moderator")
@blueprint.response(202, report_schemas.FullReport, "The report.")
@blueprint.arguments(requests.NothingRequest, required=False)
@blueprint.repeatable()
def request_report_reviews(_body: dict[str, Any], report_id: str) -> Response:
    """Request the reviews that a report's `fair_play` needs, as a moderator.

    Background workers review the reported game, or the last rated games of the reported player. Reviews that exist
    already are used.
    """
    return json_answer(reports.request_reviews(context(), caller(), report_id), 202)


@blueprint.route("/players/<player>/rated-games")
@blueprint.operation("listRatedGames", "player/not_found", access="moderator")
@blueprint.response(200, schemas.RatedGames, "The games.")
def list_rated_games(player: str) -> Response:
    """List the rated games of a player, as a moderator.

    Includes private games. Games that are no longer stored are missing.
    """
    return json_answer({"games": rated_games.list_rated(context(), caller(), player)})


@blueprint.route("/players/<player>/rated-games/acts", methods=["POST"])
@blueprint.operation("actOnRatedGames", "player/not_found", access="admin")
@blueprint.response(201, schemas.RatedGames, "The games after the act.")
@blueprint.arguments(schemas.RatedGamesActRequest)
@blueprint.repeatable()
def act_on_rated_games(body: dict[str, Any], player: str) -> Response:
    """Remove rated games of a player from the ratings, or restore them, as an admin.

    The ratings of all players of these games are computed again. The first ten steps are done at once, and a keeper
    continues. The guide on moderation explains what changes. An act that would change nothing has no entry in the
    audit log.
    """
    since_ms = None if body["since"] is None else parse_ms(body["since"])
    games = rated_games.change(context(), caller(), player, body["act"], body["games"], since_ms, body["reason"])
    return json_answer({"games": games}, 201)
