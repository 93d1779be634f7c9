"""Games: create, list, read, start, end."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response

from service.games.clocks import ClockRule
from service.usecases.core.context import Caller
from service.usecases.core.viewers import Look
from service.usecases.requests import creating, listings, playing, ratings, reading
from service.usecases.requests.creating import NewEndpoint, NewGame, NewSeat
from service.web.api import GAME_CODES, IDEMPOTENCY_CODES, READ_ONLY, STORE_CODES, TOKEN_CODES, Blueprint
from service.web.auth import caller
from service.web.decision_route import PLAYING_CODES, decision, request_of
from service.web.paging import game_page
from service.web.preconditions import idempotency, known_revisions, knows
from service.web.resources import context
from service.web.responses import conditional, json_answer, not_modified, spoken, with_game, written
from service.web.schemas import games as game_schemas
from service.web.schemas import queries, requests
from service.web.schemas import ratings as rating_schemas
from service.web.schemas.fields import PAGE

blueprint = Blueprint("games", __name__, url_prefix="/v1")


@blueprint.route("/games", methods=["POST"])
@blueprint.operation(
    "createGame",
    *(*STORE_CODES, *TOKEN_CODES, READ_ONLY),
    *("auth/player_required", "outgoing/off", "notation/unreadable"),
    access="optional",
)
@blueprint.headers("UnguessableKey", codes=IDEMPOTENCY_CODES)
@blueprint.response(201, game_schemas.CreatedGame, description="The game and its tokens.", headers=("Location", "ETag"))
@blueprint.arguments(requests.CreateGameRequest)
def create_game(body: dict[str, Any]) -> Response:
    """Create a game.

    It starts at once if no seat is open. The tokens in the answer are told only this once. Only a player creates a
    rated game.
    """
    seats = tuple(_new_seat(seat) for seat in body.pop("seats"))
    seed = None if body["seed"] is None else bytes.fromhex(body["seed"])
    clock = None if body["clock"] is None else ClockRule(**body["clock"])
    new = NewGame(**{**body, "seats": seats, "seed": seed, "clock": clock})
    made = creating.create(context(), caller(), new, idempotency(scoped=False))
    return with_game(made)


def _new_seat(seat: dict[str, Any]) -> NewSeat:
    endpoint = seat.pop("endpoint")
    return NewSeat(**seat, endpoint=None if endpoint is None else NewEndpoint(**endpoint))


@blueprint.route("/games")
@blueprint.operation("listGames", *STORE_CODES)
@blueprint.response(
    200, game_schemas.GamePage, description="A page of public games, last changed first.", headers=("Link",)
)
@blueprint.arguments(queries.ListGamesQuery, location="query")
def list_games(query: dict[str, Any]) -> Response:
    """List public games.

    Those that changed last come first; follow `Link` for the next page.
    """
    return game_page(query, lambda *page: listings.listing(context(), *page))


@blueprint.route("/games/<game_id>")
@blueprint.operation("getGame", *GAME_CODES, "service/compiling", access="optional")
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.response(200, game_schemas.Game, description="The game.", headers=("ETag", "Content-Language", "Vary"))
@blueprint.response(304, description="The caller has this revision already.", headers=("ETag",))
@blueprint.arguments(queries.GetGameQuery, location="query")
def get_game(query: dict[str, Any], game_id: str) -> Response:
    """Get a game.

    With `wait`, the answer comes as soon as the game is newer than the revision in `If-None-Match`.
    """
    asking = caller()
    revision, view = reading.glance(context(), asking, game_id)
    if query["wait"] and knows(revision) and revision in known_revisions():
        newer = reading.wait(
            context(), asking, game_id, revision, query["wait"], Look(query["hidden"], query["viewer"])
        )
        revision, view = newer or (revision, view)
    if "include" in query:
        return _with_actions(asking, game_id, revision, view)
    return conditional(revision, view)


def _with_actions(asking: Caller, game_id: str, revision: int, view: bytes) -> Response:
    if knows(revision):
        answer = not_modified()
        answer.headers["ETag"] = f'"{revision}"'
        return spoken(answer)
    legal = reading.legal(context(), asking, game_id, page=slice(PAGE))
    if legal["revision"] != revision:
        view = reading.at(context(), asking, game_id, legal["revision"])
    actions = {"actions": legal["actions"], "actions_total": legal["total"]}
    content = b"%b,%b" % (view[:-1], orjson.dumps(actions)[1:])  # one object out of two, without decoding the view
    return spoken(conditional(legal["revision"], content))


@blueprint.route("/games/<game_id>/rating")
@blueprint.operation("getGameRating", *GAME_CODES, "game/not_rated", access="optional")
@blueprint.response(200, rating_schemas.GameRating, description="What it has brought.")
@blueprint.arguments(queries.NoQuery, location="query")
def get_game_rating(_query: dict[str, Any], game_id: str) -> Response:
    """Get what a rated game has brought its seats.

    Ratings change in a moment after its end.
    """
    return json_answer(ratings.of_game(context(), caller(), game_id))


@blueprint.route("/games/<game_id>/start", methods=["POST"])
@decision(blueprint, "startGame", "auth/host_only", "game/already_started")
def start_game(body: dict[str, Any], game_id: str) -> Response:
    """Start a game.

    The host starts it. AIs take the seats that are still open.
    """
    return written(creating.start(context(), request_of(game_id, body)))


@blueprint.route("/games/<game_id>/resignation", methods=["POST"])
@decision(blueprint, "resignGame", *PLAYING_CODES, "game/resigned", "game/timed_out", body=requests.SeatDecideRequest)
def resign_game(body: dict[str, Any], game_id: str) -> Response:
    """Resign.

    An AI plays on for the caller's seat, or the game ends if one seat is left.
    """
    return written(playing.resign(context(), request_of(game_id, body), body["seat"]))


@blueprint.route("/games/<game_id>/abort", methods=["POST"])
@decision(blueprint, "abortGame", "auth/host_only", "game/over", "game/too_late_to_abort")
def abort_game(body: dict[str, Any], game_id: str) -> Response:
    """Abort a game.

    It ends without an outcome. The host may abort it early on, the operator until it is over.
    """
    return written(playing.abort(context(), request_of(game_id, body)))
