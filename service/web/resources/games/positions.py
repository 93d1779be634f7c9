"""Positions without a game."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.positions import positions
from service.usecases.views import pictures
from service.web.api import Blueprint
from service.web.http.auth import language
from service.web.http.responses import PICTURE_POLICY, SVG, compress, json_answer, localize
from service.web.schemas.base import queries, requests
from service.web.schemas.games import positions as position_schemas

blueprint = Blueprint("positions", __name__, url_prefix="/v1")


@blueprint.route("/positions", methods=["POST"])
@blueprint.operation("checkPosition", "service/compiling", "notation/unreadable")
@blueprint.headers("AcceptLanguage")
@blueprint.response(200, position_schemas.Examined, "The position is valid.")
@blueprint.arguments(requests.ExamineRequest)
def check_position(body: dict[str, Any]) -> Response:
    """Check a position.

    Validates the position and returns its scores and legal actions. With an action, the response also shows the effects
    of the action. An impossible position is rejected.

    Ignores `Idempotency-Key`: nothing is stored.
    """
    page = slice(body["first"], body["first"] + body["limit"])
    forms = (body.get("id"), body.get("action"), body.get("notation"))
    action = None if forms == (None, None, None) else forms
    return localize(json_answer(positions.examine(body["position"], action, body["form"], page, language())))


@blueprint.route("/positions/board.svg")
@blueprint.operation("getPositionBoard", "notation/unreadable", "ruleset/no_picture")
@blueprint.headers("AcceptLanguage")
@blueprint.text(SVG, "The position as SVG, with the same `data-` attributes as `getBoard`.", headers=())
@blueprint.arguments(queries.PositionBoardQuery, location="query")
def get_position_board(query: dict[str, Any]) -> Response:
    """Get a position as SVG.

    Seats have numbers instead of names.
    """
    position = query.pop("position")
    names = [None] * len(position.scores)
    answer = Response(pictures.draw_position(position, names, language(), **query), content_type=SVG)
    answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    return compress(localize(answer))
