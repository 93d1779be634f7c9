"""Claim seats, hand them over and rotate tokens."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.games import seating
from service.web.api import GAME_CODES, READ_ONLY, ROLE_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.preconditions import idempotency, issuer
from service.web.http.responses import WRITTEN, json_answer, with_game
from service.web.schemas.base import requests
from service.web.schemas.games import games as game_schemas

blueprint = Blueprint("seats", __name__, url_prefix="/v1/games/<game_id>")

SEAT_CODES = ("game/resigned", "game/timed_out", "game/log_full")


@blueprint.route("/seats", methods=["POST"])
@blueprint.operation(
    "claimSeat",
    *GAME_CODES,
    "auth/token_unknown",
    READ_ONLY,
    "auth/invite_required",
    "auth/player_required",
    "player/blocked",
    "game/already_seated",
    "game/not_mixed",
    "limit/aborted_games",
    "limit/excluded",
    "game/full",
    "game/seat_taken",
    "game/not_ready",
    "bot/busy",
    *SEAT_CODES,
    access="optional",
)
@blueprint.headers("UnguessableKey")
@blueprint.response(201, game_schemas.GivenSeat, "The seat.", headers=WRITTEN)
@blueprint.arguments(requests.ClaimSeatRequest, required=False)
def claim_seat(body: dict[str, Any], game_id: str) -> Response:
    """Claim a seat.

    Takes an open seat, or replaces a player who is away. The game starts once no seat is open. Rated games require a
    player's token, and each player can claim one seat.
    """
    key = idempotency(scoped=False)
    wanted = (body["seat"], body["name"], body["token"])
    given = seating.claim(context(), caller(), game_id, *wanted, key, mixed=body["mixed"])
    return with_game(given)


@blueprint.route("/seats/<int:seat>/handover", methods=["POST"])
@blueprint.operation(
    "transferSeat",
    *GAME_CODES,
    *ROLE_CODES,
    READ_ONLY,
    "auth/wrong_seat",
    "game/over",
    "game/rated",
    "game/in_competition",
    *SEAT_CODES,
    access="required",
)
@blueprint.headers("IdempotencyKey")
@blueprint.response(201, game_schemas.GivenSeat, "The seat.", headers=WRITTEN)
@blueprint.arguments(requests.HandOverRequest, required=False)
def transfer_seat(body: dict[str, Any], game_id: str, seat: int) -> Response:
    """Hand a seat over.

    Give the token from the response to the new player. Your own token no longer works for the seat. Not possible in
    rated games and in competitions.
    """
    key = idempotency()
    given = seating.hand_over(context(), caller(), game_id, seat, body["name"], key)
    return with_game(given)


@blueprint.route("/tokens", methods=["POST"])
@blueprint.operation("rotateToken", *GAME_CODES, *ROLE_CODES, READ_ONLY, "auth/host_only", access="required")
@blueprint.response(201, game_schemas.GivenToken, "The new token.")
@blueprint.arguments(requests.RotateRequest)
@blueprint.repeatable("UnguessableKey")
def rotate_token(body: dict[str, Any], game_id: str) -> Response:
    """Replace a token of a game.

    The host can replace the `host`, `invite` and `watch` tokens. The old token stops working.
    """
    return json_answer(seating.rotate(context(), caller(), game_id, body["role"], issuer()), 201)
