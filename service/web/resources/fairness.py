"""Operations for the staff so that rated play is fair: linked players."""

from __future__ import annotations

from flask import Response

from service.usecases.keeping import linked_players
from service.web.api import Blueprint
from service.web.http.auth import caller, context
from service.web.http.responses import json_answer
from service.web.schemas.people import fairness as schemas

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
