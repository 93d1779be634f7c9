"""Leaderboards of the rulesets."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.rulesets.registry import RULESETS
from service.usecases.people import leaderboards
from service.web.api import PLAYER_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.problems import abort
from service.web.http.responses import json_answer
from service.web.schemas.people import leaderboards as leaderboard_schemas

blueprint = Blueprint("leaderboards", __name__, url_prefix="/v1")


@blueprint.route("/leaderboards/<ruleset_id>")
@blueprint.operation("getLeaderboard", *PLAYER_CODES, "ruleset/not_found", access="optional")
@blueprint.response(200, leaderboard_schemas.Leaderboard, "A page of the leaderboard.")
@blueprint.arguments(leaderboard_schemas.LeaderboardQuery, location="query")
def get_leaderboard(query: dict[str, Any], ruleset_id: str) -> Response:
    """Get a leaderboard.

    Choose the number of seats, people or bots, and the period. With `around=me`, the page is centred on your player.
    Until 20 players are ranked, everybody is listed, those who are not ranked as provisional.
    """
    if ruleset_id not in RULESETS:
        abort("ruleset/not_found")
    seats, period, limit = query["seats"], query["period"], query["limit"]
    if "around" in query:
        return json_answer(leaderboards.page_around(context(), caller(), ruleset_id, seats, period, limit))
    return json_answer(leaderboards.page(context(), ruleset_id, seats, query["of"], period, query["first"], limit))
