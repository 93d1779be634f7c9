"""Positions without a game."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.positions import positions
from service.web.api import Blueprint
from service.web.http.auth import language
from service.web.http.responses import json_answer, spoken
from service.web.schemas.base import requests
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
    """
    page = slice(body["first"], body["first"] + body["limit"])
    named = (body.get("id"), body.get("action"))
    about = (*named, body["form"], page, language(), body.get("notation"))
    examined = positions.examine(body["position"], *about)
    return spoken(json_answer(examined))
