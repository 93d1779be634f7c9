"""Players, and what waits for them."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.requests import players
from service.web.api import PLAYER_CODES, STORE_CODES, Blueprint
from service.web.auth import caller
from service.web.problems import abort
from service.web.resources import context
from service.web.responses import json_answer, link_next, located
from service.web.schemas import games as game_schemas
from service.web.schemas import queries, requests

blueprint = Blueprint("players", __name__, url_prefix="/v1")


@blueprint.route("/players", methods=["POST"])
@blueprint.operation("createPlayer", *STORE_CODES)
@blueprint.response(201, game_schemas.CreatedPlayer, description="The player and the token.", headers=("Location",))
@blueprint.arguments(requests.CreatePlayerRequest, required=False)
def create_player(body: dict[str, Any]) -> Response:
    """Create a player.

    A player is anonymous: one token for seats in any number of games.
    """
    return located(players.create(context(), body["name"]), 201, "/v1/me")


@blueprint.route("/me")
@blueprint.operation("getMe", *PLAYER_CODES, access="required")
@blueprint.response(200, game_schemas.Player, description="The caller.")
@blueprint.arguments(queries.NoQuery, location="query")
def get_me(_query: dict[str, Any]) -> Response:
    """Get the player whose token is sent."""
    return json_answer(players.me(context(), caller()))


@blueprint.route("/me/token", methods=["POST"])
@blueprint.operation("rotateMyToken", *PLAYER_CODES, access="required")
@blueprint.response(201, game_schemas.CreatedPlayer, description="The new token.")
@blueprint.arguments(requests.NothingRequest, required=False)
def rotate_my_token(_body: dict[str, Any]) -> Response:
    """Replace the player's token.

    The old one ends. The player keeps their seats.
    """
    return json_answer(players.rotate(context(), caller()), 201)


@blueprint.route("/me/turns")
@blueprint.operation("listMyTurns", *PLAYER_CODES, access="required")
@blueprint.response(200, game_schemas.Turns, description="The games.")
@blueprint.arguments(queries.TurnsQuery, location="query")
def list_my_turns(query: dict[str, Any]) -> Response:
    """List the games that wait for the player.

    With `wait`, the answer comes as soon as one does.
    """
    return json_answer({"games": players.turns(context(), caller(), query["wait"])})


@blueprint.route("/me/games")
@blueprint.operation("listMyGames", *PLAYER_CODES, access="required")
@blueprint.response(200, game_schemas.GamePage, description="A page, last changed first.", headers=("Link",))
@blueprint.arguments(queries.PageQuery, location="query")
def list_my_games(query: dict[str, Any]) -> Response:
    """List the games in which the player has a seat."""
    try:
        games, cursor = players.games(context(), caller(), query.get("cursor"), query["limit"])
    except ValueError:
        abort("request/invalid", errors={"/cursor": "is not a cursor"}, where="query")
    answer = json_answer({"games": games, "next_cursor": cursor})
    if cursor is not None:
        link_next(answer, cursor=cursor)
    return answer
