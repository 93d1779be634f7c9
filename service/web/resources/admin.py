"""Operations for the operator. To read or abort a game, the operator uses the same operations as players."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.views import administering
from service.web.api import STORE_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.paging import game_page
from service.web.schemas.base import queries
from service.web.schemas.games import games as game_schemas

blueprint = Blueprint("admin", __name__, url_prefix="/v1/admin")


@blueprint.route("/games")
@blueprint.operation("listAllGames", *STORE_CODES, "auth/token_required", "auth/admin_only", access="required")
@blueprint.response(200, game_schemas.GamePage, "A page of games, latest expiry first.", headers=("Link",))
@blueprint.arguments(queries.ListGamesQuery, location="query")
def list_all_games(query: dict[str, Any]) -> Response:
    """List all games, as the operator.

    Includes private games. Filters apply within each page, so a page may contain fewer games than `limit`.
    """
    return game_page(query, lambda *page: administering.listing(context(), caller(), *page))
