"""Positions that belong to no game."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.requests import positions
from service.web.api import Blueprint
from service.web.auth import language
from service.web.responses import json_answer, spoken
from service.web.schemas import positions as position_schemas
from service.web.schemas import requests

blueprint = Blueprint("positions", __name__, url_prefix="/v1")


@blueprint.route("/positions", methods=["POST"])
@blueprint.operation("checkPosition", "service/compiling", "notation/unreadable")
@blueprint.headers("AcceptLanguage")
@blueprint.response(
    200, position_schemas.Examined, description="The position can be.", headers=("Content-Language", "Vary")
)
@blueprint.arguments(requests.ExamineRequest)
def check_position(body: dict[str, Any]) -> Response:
    """Check a position.

    The answer tells what is legal in it, what an action would do, and how the seats stand; a position that cannot be is
    refused.
    """
    page = slice(body["first"], body["first"] + body["limit"])
    named = (body.get("id"), body.get("action"))
    about = (*named, body["form"], page, language(), body.get("notation"))
    examined = positions.examine(body["position"], *about)
    return spoken(json_answer(examined))
