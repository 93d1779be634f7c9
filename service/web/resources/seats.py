"""Claiming seats."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.cases import creating
from service.web import requests, schemas
from service.web.answers import json_answer, url
from service.web.api import GAME_CODES, KEY_CODES, Blueprint
from service.web.callers import caller
from service.web.conditions import idempotency
from service.web.resources import cases

blueprint = Blueprint("seats", __name__, url_prefix="/v1/games/<game_id>")


@blueprint.route("/seats", methods=["POST"])
@blueprint.operation(
    "claimSeat", *GAME_CODES, "auth/invite_required", "game/full", "game/seat_taken", access="optional"
)
@blueprint.headers("UnguessableKey", codes=KEY_CODES)
@blueprint.response(201, schemas.ClaimedSeat, description="The seat's token.", headers=("Location", "ETag"))
@blueprint.arguments(requests.ClaimSeatRequest, required=False)
def claim_seat(body: dict[str, Any], game_id: str) -> Response:
    """Claim an open seat; the game starts when it was the last."""
    key = idempotency(scoped=False)
    claimed = creating.claim(cases(), caller(), game_id, body["seat"], body["name"], key)
    answer = json_answer(claimed, 201)
    answer.headers["Location"] = url(f"/v1/games/{game_id}")
    answer.headers["ETag"] = f'"{claimed["game"]["revision"]}"'
    return answer
