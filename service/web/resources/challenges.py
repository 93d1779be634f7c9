"""Challenges: one player asks another for a game."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.games.clocks import ClockRule
from service.usecases.requests import challenging
from service.usecases.requests.seeking import NewSeek
from service.web import streams
from service.web.api import IDEMPOTENCY_CODES, PLAYER_CODES, PLAYER_WRITING_CODES, Blueprint
from service.web.auth import caller
from service.web.preconditions import idempotency
from service.web.resources import context
from service.web.responses import json_answer, located
from service.web.schemas import challenges as challenge_schemas
from service.web.schemas import queries

blueprint = Blueprint("challenges", __name__, url_prefix="/v1")
ANSWERING_CODES = (*PLAYER_WRITING_CODES, "challenge/not_found", "challenge/answered")


@blueprint.route("/players/<player>/challenges", methods=["POST"])
@blueprint.operation(
    "createChallenge",
    *PLAYER_WRITING_CODES,
    "player/not_found",
    "player/yourself",
    "player/blocked",
    "bot/declines",
    "bot/busy",
    "game/not_mixed",
    "limit/challenges",
    access="required",
)
@blueprint.headers("IdempotencyKey", codes=IDEMPOTENCY_CODES)
@blueprint.response(201, challenge_schemas.Challenge, description="The challenge.", headers=("Location",))
@blueprint.arguments(challenge_schemas.ChallengeRequest)
def create_challenge(body: dict[str, Any], player: str) -> Response:
    """Challenge a player to a game.

    They are told by a webhook, or find it in their list. A bot that one can find is asked for what it plays alone, and
    one that is called accepts at once: the challenge has its game.
    """
    clock = None if body["clock"] is None else ClockRule(**body["clock"])
    said = {"keep_s": body["answer_s"], "rated": body["rated"], "mixed": body["mixed"]}
    wanted = NewSeek(body["ruleset"], body["variant"], 2, clock, **said)
    made = challenging.challenge(context(), caller(), player, wanted, idempotency())
    return located(made, 201, f"/v1/challenges/{made['id']}")


@blueprint.route("/me/challenges")
@blueprint.operation("listMyChallenges", *PLAYER_CODES, access="required")
@blueprint.response(200, challenge_schemas.ChallengeList, description="The challenges that wait.")
@blueprint.arguments(challenge_schemas.ChallengesQuery, location="query")
def list_my_challenges(query: dict[str, Any]) -> Response:
    """List the challenges that wait for the player, and those that they have sent.

    With `wait`, the answer comes as soon as one waits for the player.
    """
    return json_answer(challenging.listed(context(), caller(), query["wait"]))


@blueprint.route("/me/challenges/events")
@blueprint.operation("streamMyChallenges", *PLAYER_CODES, "request/not_acceptable", access="required")
@blueprint.headers("LastEventId")
@blueprint.stream(
    "Challenge",
    "The version of what has been seen, to resume the stream with.",
    description="The challenges that wait, then each that is new, answered, withdrawn or expired.",
)
@blueprint.arguments(challenge_schemas.ChallengeStreamQuery, location="query")
def stream_my_challenges(query: dict[str, Any]) -> Response:
    """Follow the player's challenges live, received and sent.

    The stream sends a keep-alive every 15 seconds. It begins with the challenges that wait or, resumed, with all that
    have changed since; what changed a day ago is forgotten.
    """
    form, after = streams.stream_form(), streams.last_seen(query["after"])
    return streams.stream(challenging.follow(context(), caller(), after), form)


@blueprint.route("/challenges/<challenge_id>")
@blueprint.operation("getChallenge", *PLAYER_CODES, "challenge/not_found", access="required")
@blueprint.response(200, challenge_schemas.Challenge, description="The challenge.")
@blueprint.arguments(challenge_schemas.ChallengeQuery, location="query")
def get_challenge(query: dict[str, Any], challenge_id: str) -> Response:
    """Get a challenge that the player has sent or received.

    With `wait`, the answer comes as soon as it is answered. It can be read for a day after its end.
    """
    return json_answer(challenging.look(context(), caller(), challenge_id, query["wait"]))


@blueprint.route("/challenges/<challenge_id>/accept", methods=["POST"])
@blueprint.operation("acceptChallenge", *ANSWERING_CODES, "game/not_mixed", access="required")
@blueprint.response(
    201, challenge_schemas.Challenge, description="The challenge, with its game.", headers=("Location",)
)
@blueprint.arguments(challenge_schemas.AcceptRequest, required=False)
def accept_challenge(body: dict[str, Any], challenge_id: str) -> Response:
    """Accept a challenge.

    The game begins at once. Who sits where, and who begins, is drawn.
    """
    accepted = challenging.accept(context(), caller(), challenge_id, mixed=body["mixed"])
    return located(accepted, 201, f"/v1/games/{accepted['game_id']}")


@blueprint.route("/challenges/<challenge_id>/decline", methods=["POST"])
@blueprint.operation("declineChallenge", *ANSWERING_CODES, access="required")
@blueprint.response(200, challenge_schemas.Challenge, description="The challenge after that.")
@blueprint.arguments(challenge_schemas.DeclineRequest, required=False)
def decline_challenge(body: dict[str, Any], challenge_id: str) -> Response:
    """Decline a challenge."""
    return json_answer(challenging.decline(context(), caller(), challenge_id, body["reason"]))


@blueprint.route("/challenges/<challenge_id>", methods=["DELETE"])
@blueprint.operation("deleteChallenge", *ANSWERING_CODES, access="required")
@blueprint.response(204, description="The player does not ask any more.")
@blueprint.arguments(queries.NoQuery, location="query")
def delete_challenge(_query: dict[str, Any], challenge_id: str) -> Response:
    """Withdraw a challenge that the player has sent."""
    challenging.withdraw(context(), caller(), challenge_id)
    return Response(status=204)
