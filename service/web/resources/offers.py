"""Between the people of a game: takebacks, pauses, a rematch, and the answers."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.requests import offering
from service.web.api import Blueprint
from service.web.decision_route import ACTIVE_CODES, OFFER_CODES, PLAYING_CODES, decision, request_of
from service.web.resources import context
from service.web.responses import written
from service.web.schemas import requests

blueprint = Blueprint("offers", __name__, url_prefix="/v1/games/<game_id>")


@blueprint.route("/takebacks", methods=["POST"])
@decision(
    blueprint,
    "requestTakeback",
    *OFFER_CODES,
    "game/rated",
    "offer/nothing_to_take_back",
    "game/rebased",
    body=requests.SeatDecideRequest,
)
def request_takeback(body: dict[str, Any], game_id: str) -> Response:
    """Request a takeback of the caller's last turn.

    It is done at once if all others are AIs, and offered to the others if not. In a rated game nothing is taken back.
    """
    return written(offering.take_back(context(), request_of(game_id, body), body["seat"]))


@blueprint.route("/pauses", methods=["POST"])
@decision(blueprint, "offerPause", *OFFER_CODES, "game/rated", body=requests.PauseRequest)
def offer_pause(body: dict[str, Any], game_id: str) -> Response:
    """Offer a pause.

    Once all agree, the game and its clock stand still until the pause is over or all agree to go on. In a rated game
    somebody else has to agree.
    """
    return written(offering.pause(context(), request_of(game_id, body), body["seat"], body["seconds"]))


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

    Once all agree, the game goes on before the pause is over.
    """
    return written(offering.resume(context(), request_of(game_id, body), body["seat"]))


@blueprint.route("/rematch", methods=["POST"])
@decision(
    blueprint,
    "offerRematch",
    "auth/wrong_seat",
    "game/not_over",
    "game/log_full",
    "offer/open",
    "offer/declined",
    body=requests.SeatDecideRequest,
)
def offer_rematch(body: dict[str, Any], game_id: str) -> Response:
    """Offer a rematch.

    Once all agree, the view's `rematch` names a game with the same seats and tokens.
    """
    return written(offering.rematch(context(), request_of(game_id, body), body["seat"]))


@blueprint.route("/offers/<int:offer>/answer", methods=["POST"])
@decision(
    blueprint,
    "answerOffer",
    "auth/wrong_seat",
    "offer/not_found",
    "offer/not_asked",
    "game/rebased",
    "limit/open_games",
    body=requests.AnswerRequest,
    required=True,
)
def answer_offer(body: dict[str, Any], game_id: str, offer: int) -> Response:
    """Accept or decline an offer.

    The last one to accept carries it out. Declining one's own offer withdraws it.
    """
    request = request_of(game_id, body)
    return written(offering.answer(context(), request, offer, body["seat"], accept=body["accept"]))
