"""For the operator: which games there are. Reading one and aborting it are the same operations as everybody's."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.requests import administering
from service.usecases.requests.reading import Filters
from service.web.api import STORE_CODES, Blueprint
from service.web.auth import caller
from service.web.problems import abort
from service.web.resources import context
from service.web.responses import json_answer, link_next
from service.web.schemas import games as game_schemas
from service.web.schemas import queries

blueprint = Blueprint("admin", __name__, url_prefix="/v1/admin")


@blueprint.route("/games")
@blueprint.operation("listAllGames", *STORE_CODES, "auth/token_required", "auth/admin_only", access="required")
@blueprint.response(200, game_schemas.GamePage, description="A page, those that live longest first.", headers=("Link",))
@blueprint.arguments(queries.ListGamesQuery, location="query")
def list_all_games(query: dict[str, Any]) -> Response:
    """List all games, as the operator.

    Private games are listed too. The filters are applied to each page, so a page may hold fewer games than its limit.
    """
    cursor, limit = query.pop("cursor", None), query.pop("limit")
    try:
        games, cursor = administering.listing(context(), caller(), Filters(**query), cursor, limit)
    except ValueError:
        abort("request/invalid", errors={"/cursor": "is not a cursor"}, where="query")
    answer = json_answer({"games": games, "next_cursor": cursor})
    if cursor is not None:
        link_next(answer, cursor=cursor)
    return answer
