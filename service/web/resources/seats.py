"""Who sits where, and by which token."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.cases import seating
from service.web import requests, schemas
from service.web.answers import json_answer, with_game
from service.web.api import GAME_CODES, KEY_CODES, TOKEN_CODES, Blueprint
from service.web.callers import caller
from service.web.conditions import idempotency
from service.web.resources import cases

blueprint = Blueprint("seats", __name__, url_prefix="/v1/games/<game_id>")


@blueprint.route("/seats", methods=["POST"])
@blueprint.operation(
    "claimSeat",
    *GAME_CODES,
    "auth/token_unknown",
    "auth/invite_required",
    "game/full",
    "game/seat_taken",
    "game/resigned",
    "game/timed_out",
    "game/log_full",
    access="optional",
)
@blueprint.headers("UnguessableKey", codes=KEY_CODES)
@blueprint.response(201, schemas.GivenSeat, description="The seat.", headers=("Location", "ETag"))
@blueprint.arguments(requests.ClaimSeatRequest, required=False)
def claim_seat(body: dict[str, Any], game_id: str) -> Response:
    """Claim an open seat, or that of a person who is gone; the game starts when no seat is open."""
    key = idempotency(scoped=False)
    given = seating.claim(cases(), caller(), game_id, body["seat"], body["name"], body["token"], key)
    return with_game(given)


@blueprint.route("/seats/<int:seat>/handover", methods=["POST"])
@blueprint.operation(
    "handOverSeat",
    *GAME_CODES,
    *TOKEN_CODES,
    "auth/wrong_seat",
    "game/over",
    "game/resigned",
    "game/timed_out",
    "game/log_full",
    access="required",
)
@blueprint.headers("IdempotencyKey", codes=KEY_CODES)
@blueprint.response(201, schemas.GivenSeat, description="The seat.", headers=("Location", "ETag"))
@blueprint.arguments(requests.HandOverRequest, required=False)
def hand_over_seat(body: dict[str, Any], game_id: str, seat: int) -> Response:
    """Give the caller's seat to whoever gets the token in the answer; the caller has it no more."""
    key = idempotency()
    given = seating.hand_over(cases(), caller(), game_id, seat, body["name"], key)
    return with_game(given)


@blueprint.route("/tokens", methods=["POST"])
@blueprint.operation("rotateToken", *GAME_CODES, *TOKEN_CODES, "auth/host_only", access="required")
@blueprint.response(201, schemas.GivenToken, description="The new token.")
@blueprint.arguments(requests.RotateRequest)
def rotate_token(body: dict[str, Any], game_id: str) -> Response:
    """Change the host's, the invited's or the watchers' token; the old one ends."""
    return json_answer(seating.rotate(cases(), caller(), game_id, body["role"]), 201)
