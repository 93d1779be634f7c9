"""Offers between the players of a game: takebacks, pauses, rematches, and the answers."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.games import offering
from service.web.api import Blueprint
from service.web.http.auth import context
from service.web.http.preconditions import request_of
from service.web.http.responses import command_response
from service.web.resources.games.decision_route import ACTIVE_CODES, OFFER_CODES, PLAYING_CODES, decision
from service.web.schemas.base import requests

blueprint = Blueprint("offers", __name__, url_prefix="/v1/games/<game_id>")
REMATCH_CODES = ("player/blocked", "bot/declines", "bot/busy")


@blueprint.route("/takebacks", methods=["POST"])
@decision(
    blueprint,
    "requestTakeback",
    *OFFER_CODES,
    "game/rated",
    "game/in_competition",
    "offer/nothing_to_take_back",
    "game/rebased",
    body=requests.SeatDecideRequest,
)
def request_takeback(body: dict[str, Any], game_id: str) -> Response:
    """Request a takeback of your last turn.

    Happens at once if all opponents are AIs; otherwise the other players must accept. Not possible in rated
    games and in competitions.
    """
    return command_response(offering.take_back(context(), request_of(game_id, body), body["seat"]))


@blueprint.route("/pauses", methods=["POST"])
@decision(
    blueprint,
    "offerPause",
    *OFFER_CODES,
    "game/rated",
    "game/in_competition",
    "bot/declines",
    body=requests.PauseRequest,
)
def offer_pause(body: dict[str, Any], game_id: str) -> Response:
    """Offer a pause.

    Once all players accept, the game and its clock stop until the pause ends or all agree to resume. In rated games at
    least one other player must accept. Games of a competition and games with a called bot cannot be paused.
    """
    return command_response(offering.pause(context(), request_of(game_id, body), body["seat"], body["seconds"]))


@blueprint.route("/resumption", methods=["POST"])
@decision(
    blueprint,
    "offerResume",
    *PLAYING_CODES,
    *ACTIVE_CODES,
    "game/not_paused",
    "game/log_full",
    "offer/open",
    body=requests.SeatDecideRequest,
)
def offer_resume(body: dict[str, Any], game_id: str) -> Response:
    """Offer to resume a paused game.

    Once all players accept, the game continues before the pause ends.
    """
    return command_response(offering.resume(context(), request_of(game_id, body), body["seat"]))


@blueprint.route("/rematch", methods=["POST"])
@decision(
    blueprint,
    "offerRematch",
    "auth/wrong_seat",
    "game/not_over",
    "game/log_full",
    "offer/open",
    "offer/declined",
    *REMATCH_CODES,
    "limit/aborted_games",
    "limit/excluded",
    body=requests.SeatDecideRequest,
)
@blueprint.creating()
def offer_rematch(body: dict[str, Any], game_id: str) -> Response:
    """Offer a rematch.

    Once all players accept, `rematch` of the game is the id of a new game with the same seats and tokens. The offer
    lapses at `ends_at`, or earlier if you start another game with a live clock.
    """
    return command_response(offering.rematch(context(), request_of(game_id, body), body["seat"]))


@blueprint.route("/offers/<int:offer>/answer", methods=["POST"])
@decision(
    blueprint,
    "answerOffer",
    "auth/wrong_seat",
    "offer/not_found",
    "offer/not_asked",
    "game/rebased",
    "limit/open_games",
    *REMATCH_CODES,
    "limit/aborted_games",
    "limit/excluded",
    body=requests.AnswerRequest,
    required=True,
)
def answer_offer(body: dict[str, Any], game_id: str, offer: int) -> Response:
    """Accept or decline an offer.

    The last acceptance carries the offer out. Decline your own offer to withdraw it.
    """
    request = request_of(game_id, body)
    return command_response(offering.answer(context(), request, offer, body["seat"], accept=body["accept"]))
