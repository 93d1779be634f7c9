"""Competitions of players: Swiss tournaments and arenas."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.games.state.clocks import ClockRule
from service.games.state.moments import parse_ms
from service.usecases.base import access
from service.usecases.matchmaking import adjudicating, competitions
from service.usecases.matchmaking.competitions import NewCompetition
from service.web.api import STORE_CODES, TOKEN_CODES, Blueprint
from service.web.http import streams
from service.web.http.auth import caller, context
from service.web.http.preconditions import issuer
from service.web.http.responses import conditional, json_answer, link_next, with_location
from service.web.schemas.base import queries, requests
from service.web.schemas.matchmaking import competitions as competition_schemas

blueprint = Blueprint("competitions", __name__, url_prefix="/v1")
OWN_CODES = ("competition/not_found", "competition/closed")
JOIN_CODES = ("full", "not_for_you", "invitation", "removed")


@blueprint.route("/competitions", methods=["POST"])
@blueprint.operation("createCompetition", "limit/competitions", access="player")
@blueprint.creating()
@blueprint.response(
    201, competition_schemas.Competition, "The competition, including its invitation.", headers=("Location",)
)
@blueprint.arguments(competition_schemas.CompetitionRequest)
@blueprint.repeatable()
def create_competition(body: dict[str, Any]) -> Response:
    """Create a competition.

    A `swiss` competition has rounds; an `arena` runs for a fixed time. All games have two seats. It starts at
    `starts_at` or when the host starts it, and then runs on its own. Share its id so that others can join. You do not
    join automatically.
    """
    starts_at = None if body["starts_at"] is None else parse_ms(body["starts_at"])
    more = {"clock": ClockRule(**body["clock"]), "starts_at": starts_at, "public": body.pop("visibility") == "public"}
    created = competitions.announce(context(), caller(), NewCompetition(**{**body, **more}), issuer())
    return with_location(created, 201, f"/v1/competitions/{created['id']}")


@blueprint.route("/competitions")
@blueprint.operation("listCompetitions", *STORE_CODES)
@blueprint.response(200, competition_schemas.CompetitionList, "A page of competitions.", headers=("Link",))
@blueprint.arguments(competition_schemas.CompetitionsQuery, location="query")
def list_competitions(query: dict[str, Any]) -> Response:
    """List public competitions.

    Running competitions come first, newest first, then upcoming ones by start time, then those finished in the last
    30 days.
    """
    page = competitions.list_public(context(), query.get("status"), query["first"], query["limit"])
    return _page_response("competitions", *page)


def _page_response(name: str, entries: list[Any], following: int | None) -> Response:
    return link_next(json_answer({name: entries}), first=following)


@blueprint.route("/me/competitions")
@blueprint.operation("listMyCompetitions", access="player")
@blueprint.response(200, competition_schemas.OwnCompetitions, "Your competitions.")
def list_my_competitions() -> Response:
    """List the competitions you host or have joined."""
    return json_answer(competitions.list_own(context(), caller()))


@blueprint.route("/competitions/<competition_id>")
@blueprint.operation("getCompetition", *STORE_CODES, *TOKEN_CODES[1:], "competition/not_found", access="optional")
@blueprint.headers("IfNoneMatch")
@blueprint.response(200, competition_schemas.Competition, "The competition.", headers=("ETag",))
@blueprint.response(204, description="No change within `wait`.")
@blueprint.response(304, description="You already have this version.", headers=("ETag",))
@blueprint.arguments(queries.TaskQuery, location="query")
def get_competition(query: dict[str, Any], competition_id: str) -> Response | None:
    """Get a competition with its standings.

    With `after` and `wait`, the response is delayed until the version is greater than `after`. Only the host sees the
    invitation.
    """
    found = competitions.get(context(), caller(), competition_id, query["after"], query["wait"])
    return None if found is None else conditional(*found)


@blueprint.route("/competitions/<competition_id>/events")
@blueprint.operation("streamCompetition", *STORE_CODES, "competition/not_found", "request/not_acceptable")
@blueprint.headers("LastEventId")
@blueprint.stream(
    "CompetitionSummary", "The version.", "The competition without standings after every change, until it is over."
)
@blueprint.arguments(queries.FollowQuery, location="query")
def stream_competition(query: dict[str, Any], competition_id: str) -> Response:
    """Stream the changes of a competition.

    Sends a keep-alive every 4 seconds.
    """
    form, after = streams.stream_form(), streams.last_seen(query["after"])
    followed = competitions.follow(context(), competition_id, after)
    items = access.until_revoked(context(), caller(), followed, access.CHECK_S)
    return streams.stream((None if item is None else (item["version"], item) for item in items), form)


@blueprint.route("/competitions/<competition_id>/games")
@blueprint.operation("listCompetitionGames", *STORE_CODES, "competition/not_found")
@blueprint.response(200, competition_schemas.CompetitionGames, "A page of games and byes.", headers=("Link",))
@blueprint.arguments(competition_schemas.CompetitionGamesQuery, location="query")
def list_competition_games(query: dict[str, Any], competition_id: str) -> Response:
    """List the games and byes of a competition."""
    page = competitions.list_games(context(), competition_id, query.get("round"), query["first"], query["limit"])
    return _page_response("games", *page)


@blueprint.route("/competitions/<competition_id>/games/<game_id>/result", methods=["PUT"])
@blueprint.operation(
    "adjudicateGame",
    "competition/not_found",
    "auth/host_only",
    "competition/own_game",
    "game/not_found",
    "game/over",
    access="player",
)
@blueprint.response(200, competition_schemas.CompetitionGame, "The game with its result.")
@blueprint.arguments(competition_schemas.AdjudicationRequest)
def adjudicate_game(body: dict[str, Any], competition_id: str, game_id: str) -> Response:
    """Decide the result of a running game, as the host or the operator.

    The game ends, and the result counts in the competition. It changes no ratings and statistics. A host cannot decide
    a game that they play. Sending the same result again has no effect.
    """
    decided = adjudicating.adjudicate(context(), caller(), competition_id, game_id, body["result"], body["seat"])
    return json_answer(decided)


@blueprint.route("/competitions/<competition_id>/join", methods=["POST"])
@blueprint.operation(
    "joinCompetition",
    *OWN_CODES,
    *(f"competition/{code}" for code in JOIN_CODES),
    "game/not_mixed",
    *("limit/competitions", "limit/open_games", "limit/aborted_games", "limit/excluded"),
    access="player",
)
@blueprint.response(200, competition_schemas.Competition, "The updated competition.")
@blueprint.arguments(competition_schemas.EnterRequest, required=False)
@blueprint.repeatable()
def join_competition(body: dict[str, Any], competition_id: str) -> Response:
    """Join a competition, or return from a pause.

    Join a Swiss before it starts, and an arena until it ends. Your games start automatically; you receive the same
    notices as for other games.
    """
    return json_answer(competitions.join(context(), caller(), competition_id, body["invitation"], mixed=body["mixed"]))


@blueprint.route("/competitions/<competition_id>/leave", methods=["POST"])
@blueprint.operation("leaveCompetition", *OWN_CODES, access="player")
@blueprint.response(200, competition_schemas.Competition, "The updated competition.")
@blueprint.arguments(requests.NothingRequest, required=False)
@blueprint.repeatable()
def leave_competition(_body: dict[str, Any], competition_id: str) -> Response:
    """Leave a competition.

    You get no further games; a running game goes on. Once a Swiss has started, you cannot rejoin it. In an arena you
    can rejoin at any time. The call has no effect if you have not joined.
    """
    return json_answer(competitions.leave(context(), caller(), competition_id))


@blueprint.route("/competitions/<competition_id>/start", methods=["POST"])
@blueprint.operation("startCompetition", *OWN_CODES, "auth/host_only", "competition/too_few", access="player")
@blueprint.response(200, competition_schemas.Competition, "The competition. It starts within a second.")
@blueprint.arguments(requests.NothingRequest, required=False)
@blueprint.repeatable()
def start_competition(_body: dict[str, Any], competition_id: str) -> Response:
    """Start a competition, as its host.

    Use it to start before `starts_at`, or if there is none.
    """
    return json_answer(competitions.start(context(), caller(), competition_id))


@blueprint.route("/competitions/<competition_id>", methods=["DELETE"])
@blueprint.operation("cancelCompetition", *OWN_CODES, "auth/host_only", access="player")
@blueprint.response(204, description="The competition is cancelled.")
def cancel_competition(competition_id: str) -> None:
    """Cancel a competition, as its host or the operator.

    Running games go on, but no longer count.
    """
    competitions.cancel(context(), caller(), competition_id)


@blueprint.route("/competitions/<competition_id>/players/<player>", methods=["DELETE"])
@blueprint.operation(
    "removeFromCompetition",
    *OWN_CODES,
    "auth/host_only",
    "player/not_found",
    "competition/not_entered",
    access="player",
)
@blueprint.response(204, description="The player is removed and cannot rejoin.")
def remove_from_competition(competition_id: str, player: str) -> None:
    """Remove a player from a competition, as its host."""
    competitions.remove(context(), caller(), competition_id, player)
