"""Challenges: a player invites another one to a game."""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import Response

from service.games.state.clocks import ClockRule
from service.usecases.matchmaking import challenging
from service.usecases.matchmaking.seeking import NewSeek
from service.usecases.people import player_events
from service.web.api import Blueprint
from service.web.http import streams
from service.web.http.auth import caller, context
from service.web.http.deprecation import Deprecation
from service.web.http.preconditions import issuer
from service.web.http.responses import json_answer, with_location
from service.web.schemas.matchmaking import challenges as challenge_schemas

blueprint = Blueprint("challenges", __name__, url_prefix="/v1")
REPLACED = Deprecation(date(2026, 12, 1), date(2027, 6, 1), "`GET /v1/me/events`")
ANSWERING_CODES = ("challenge/not_found", "challenge/answered")


@blueprint.route("/players/<player>/challenges", methods=["POST"])
@blueprint.operation(
    "createChallenge",
    "player/not_found",
    "player/yourself",
    "player/blocked",
    "bot/declines",
    "bot/busy",
    "game/not_mixed",
    "limit/challenges",
    "limit/aborted_games",
    "limit/excluded",
    "limit/open_games",
    access="player",
)
@blueprint.creating()
@blueprint.response(201, challenge_schemas.Challenge, "The challenge.", headers=("Location",))
@blueprint.arguments(challenge_schemas.ChallengeRequest)
@blueprint.repeatable()
def create_challenge(body: dict[str, Any], player: str) -> Response:
    """Challenge a player to a game.

    The other player finds the challenge in `listMyChallenges`, and gets a notice by webhook or Web Push.
    Published bots reject challenges outside their limits. Bots with an endpoint accept at once; the response then has
    the game.
    """
    clock = None if body["clock"] is None else ClockRule(**body["clock"])
    options = {"keep_s": body["answer_s"], "rated": body["rated"], "mixed": body["mixed"]}
    game_settings = NewSeek(body["ruleset"], body["variant"], 2, clock, **options)
    created = challenging.create(context(), caller(), player, game_settings, issuer())
    return with_location(created, 201, f"/v1/challenges/{created['id']}")


@blueprint.route("/me/challenges")
@blueprint.operation("listMyChallenges", access="player")
@blueprint.response(200, challenge_schemas.ChallengeList, "The open challenges.")
@blueprint.arguments(challenge_schemas.ChallengesQuery, location="query")
def list_my_challenges(query: dict[str, Any]) -> Response:
    """List your open challenges, sent and received.

    With `wait`, the response is delayed until you have a received challenge.
    """
    return json_answer(challenging.list_challenges(context(), caller(), query["wait"]))


@blueprint.route("/me/challenges/events")
@blueprint.operation("streamMyChallenges", "request/not_acceptable", access="player", deprecated=REPLACED)
@blueprint.headers("LastEventId")
@blueprint.stream(
    "Challenge",
    "The version; resume the stream from it.",
    "The open challenges, then every challenge that is created, answered, withdrawn or expires.",
)
@blueprint.arguments(challenge_schemas.ChallengeStreamQuery, location="query")
def stream_my_challenges(query: dict[str, Any]) -> Response:
    """Stream your challenges, sent and received.

    Starts with the open challenges. A resumed stream sends the changes since `after` instead; changes older than a day
    are lost. Sends a keep-alive every 4 seconds.
    """
    form, after = streams.stream_form(), streams.last_seen(query["after"])
    return streams.stream(player_events.follow_challenges(context(), caller(), after), form)


@blueprint.route("/challenges/<challenge_id>")
@blueprint.operation("getChallenge", "challenge/not_found", access="player")
@blueprint.response(200, challenge_schemas.Challenge, "The challenge.")
@blueprint.arguments(challenge_schemas.ChallengeQuery, location="query")
def get_challenge(query: dict[str, Any], challenge_id: str) -> Response:
    """Get a challenge you sent or received.

    With `wait`, the response is delayed until the challenge is answered. A closed challenge remains readable for a day.
    """
    return json_answer(challenging.get(context(), caller(), challenge_id, query["wait"]))


@blueprint.route("/challenges/<challenge_id>/accept", methods=["POST"])
@blueprint.operation(
    "acceptChallenge",
    *(*ANSWERING_CODES, "game/not_mixed", "bot/busy", "limit/aborted_games", "limit/excluded", "limit/open_games"),
    access="player",
)
@blueprint.creating()
@blueprint.response(201, challenge_schemas.Challenge, "The challenge, with the id of its game.", headers=("Location",))
@blueprint.arguments(challenge_schemas.AcceptRequest, required=False)
@blueprint.repeatable()
def accept_challenge(body: dict[str, Any], challenge_id: str) -> Response:
    """Accept a challenge.

    The game starts at once. Seats and the first player are random.
    """
    accepted = challenging.accept(context(), caller(), challenge_id, mixed=body["mixed"], issuer=issuer())
    return with_location(accepted, 201, f"/v1/games/{accepted['game_id']}")


@blueprint.route("/challenges/<challenge_id>/decline", methods=["POST"])
@blueprint.operation("declineChallenge", *ANSWERING_CODES, access="player")
@blueprint.response(200, challenge_schemas.Challenge, "The updated challenge.")
@blueprint.arguments(challenge_schemas.DeclineRequest, required=False)
@blueprint.repeatable()
def decline_challenge(body: dict[str, Any], challenge_id: str) -> Response:
    """Decline a challenge."""
    return json_answer(challenging.decline(context(), caller(), challenge_id, body["reason"], issuer()))


@blueprint.route("/challenges/<challenge_id>", methods=["DELETE"])
@blueprint.operation("deleteChallenge", *ANSWERING_CODES, access="player")
@blueprint.response(204, description="The challenge is withdrawn.")
def delete_challenge(challenge_id: str) -> None:
    """Withdraw a challenge you sent."""
    challenging.withdraw(context(), caller(), challenge_id)
