"""Connected seats and watchers of a game."""

from __future__ import annotations

from flask import Response

from service.usecases.views import presence
from service.web.api import STORE_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.responses import json_answer
from service.web.schemas.games import presence as presence_schemas

blueprint = Blueprint("presence", __name__, url_prefix="/v1/games/<game_id>")


@blueprint.route("/presence")
@blueprint.operation("getPresence", *("game/not_found", "request/not_found"), *STORE_CODES, access="optional")
@blueprint.response(200, presence_schemas.Presence, "The connected seats and watchers.")
def get_presence(game_id: str) -> Response:
    """Get the connected seats and watchers.

    Clients count as present while they stream the game, or wait for it with `getGame` for 10 seconds or longer.
    """
    return json_answer(presence.get(context(), caller(), game_id))
