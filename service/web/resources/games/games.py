"""Create, list, read, start and end games."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response

from service.games.state.clocks import ClockRule
from service.usecases.base.context import Caller
from service.usecases.games import creating, playing
from service.usecases.games.creating import NewEndpoint, NewGame, NewSeat
from service.usecases.people import ratings
from service.usecases.views import listings, reading
from service.usecases.views.viewers import ViewerOptions
from service.web.api import GAME_CODES, READ_ONLY, STORE_CODES, TOKEN_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.paging import game_page
from service.web.http.preconditions import has_current, idempotency, known_revisions, request_of
from service.web.http.responses import (
    WRITTEN,
    command_response,
    conditional,
    json_answer,
    localize,
    not_modified,
    with_game,
)
from service.web.resources.games.decision_route import PLAYING_CODES, decision
from service.web.schemas.base import queries, requests
from service.web.schemas.base.fields import PAGE
from service.web.schemas.games import games as game_schemas
from service.web.schemas.people import ratings as rating_schemas

blueprint = Blueprint("games", __name__, url_prefix="/v1")


@blueprint.route("/games", methods=["POST"])
@blueprint.operation(
    "createGame",
    *(*STORE_CODES, *TOKEN_CODES, READ_ONLY),
    *(
        "auth/player_required",
        "bot/busy",
        "outgoing/off",
        "notation/unreadable",
        "limit/aborted_games",
        "limit/excluded",
    ),
    access="optional",
)
@blueprint.creating()
@blueprint.headers("UnguessableKey")
@blueprint.response(201, game_schemas.CreatedGame, "The game and its tokens.", headers=WRITTEN)
@blueprint.arguments(requests.CreateGameRequest)
def create_game(body: dict[str, Any]) -> Response:
    """Create a game.

    The game starts at once if no seat is open. The response contains the game's tokens; they are shown only once. Rated
    games require a player's token.
    """
    seats = tuple(_new_seat(seat) for seat in body.pop("seats"))
    seed = None if body["seed"] is None else bytes.fromhex(body["seed"])
    clock = None if body["clock"] is None else ClockRule(**body["clock"])
    new = NewGame(**{**body, "seats": seats, "seed": seed, "clock": clock})
    created = creating.create(context(), caller(), new, idempotency(scoped=False))
    return with_game(created)


def _new_seat(seat: dict[str, Any]) -> NewSeat:
    endpoint = seat.pop("endpoint")
    return NewSeat(**seat, endpoint=None if endpoint is None else NewEndpoint(**endpoint))


@blueprint.route("/games")
@blueprint.operation("listGames", *STORE_CODES)
@blueprint.response(
    200, game_schemas.GamePage, "A page of public games, most recently changed first.", headers=("Link",)
)
@blueprint.arguments(queries.ListGamesQuery, location="query")
def list_games(query: dict[str, Any]) -> Response:
    """List public games.

    The most recently changed come first. Follow the `Link` header for the next page.
    """
    return game_page(query, lambda *page: listings.listing(context(), *page))


@blueprint.route("/games/<game_id>")
@blueprint.operation("getGame", *GAME_CODES, "service/compiling", access="optional")
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.response(200, game_schemas.Game, "The game.", headers=("ETag",))
@blueprint.response(304, description="You already have this revision.", headers=("ETag",))
@blueprint.arguments(queries.GetGameQuery, location="query")
def get_game(query: dict[str, Any], game_id: str) -> Response:
    """Get a game.

    With `wait`, the response is delayed until the revision is newer than the one in `If-None-Match`.
    """
    requester = caller()
    revision, view = reading.glance(context(), requester, game_id)
    if query["wait"] and has_current(revision) and revision in known_revisions():
        newer = reading.wait(
            context(), requester, game_id, revision, query["wait"], ViewerOptions(query["hidden"], query["viewer"])
        )
        revision, view = newer or (revision, view)
    if "include" in query:
        return _with_actions(requester, game_id, revision, view)
    return conditional(revision, view)


def _with_actions(requester: Caller, game_id: str, revision: int, view: bytes) -> Response:
    if has_current(revision):
        answer = not_modified()
        answer.headers["ETag"] = f'"{revision}"'
        return localize(answer)
    legal = reading.list_legal_actions(context(), requester, game_id, page=slice(PAGE))
    if legal["revision"] != revision:
        view = reading.view_at(context(), requester, game_id, legal["revision"])
    actions = {"actions": legal["actions"], "actions_total": legal["total"]}
    content = b"%b,%b" % (view[:-1], orjson.dumps(actions)[1:])  # one object out of two, without decoding the view
    return localize(conditional(legal["revision"], content))


@blueprint.route("/games/<game_id>/rating")
@blueprint.operation("getGameRating", *GAME_CODES, "game/not_rated", access="optional")
@blueprint.response(200, rating_schemas.GameRating, "The rating changes.")
def get_game_rating(game_id: str) -> Response:
    """Get the rating changes of a rated game.

    Available shortly after the game ends.
    """
    return json_answer(ratings.of_game(context(), caller(), game_id))


@blueprint.route("/games/<game_id>/start", methods=["POST"])
@decision(
    blueprint,
    "startGame",
    "auth/host_only",
    "game/already_started",
    "game/not_ready",
    "limit/aborted_games",
    "limit/excluded",
)
def start_game(body: dict[str, Any], game_id: str) -> Response:
    """Start a game.

    Requires the host's token. AIs take the open seats.
    """
    return command_response(creating.start(context(), request_of(game_id, body)))


@blueprint.route("/games/<game_id>/resignation", methods=["POST"])
@decision(blueprint, "resignGame", *PLAYING_CODES, "game/resigned", "game/timed_out", body=requests.SeatDecideRequest)
def resign_game(body: dict[str, Any], game_id: str) -> Response:
    """Resign.

    An AI plays on for your seat. If only one seat remains, the game ends. A rated game is aborted until every player
    has made a decision.
    """
    return command_response(playing.resign(context(), request_of(game_id, body), body["seat"]))


@blueprint.route("/games/<game_id>/abort", methods=["POST"])
@decision(blueprint, "abortGame", "auth/host_only", "game/over", "game/too_late_to_abort")
def abort_game(body: dict[str, Any], game_id: str) -> Response:
    """Abort a game.

    The game ends without a result. The host can abort until every player has made a decision; the operator can abort at
    any time. A host who has a seat in a rated game leaves it by aborting; a player who often leaves early gets no rated
    games for an hour.
    """
    return command_response(playing.abort(context(), request_of(game_id, body)))
