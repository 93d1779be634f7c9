"""Players, their tokens, and what waits for them."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.requests import listings, player_exports, players, ratings, statistics
from service.web.api import PLAYER_CODES, PLAYER_WRITING_CODES, STORE_CODES, Blueprint
from service.web.auth import caller
from service.web.paging import game_page
from service.web.resources import context
from service.web.responses import json_answer, located
from service.web.schemas import accounts, queries, requests
from service.web.schemas import games as game_schemas
from service.web.schemas import player_exports as player_export_schemas
from service.web.schemas import ratings as rating_schemas
from service.web.schemas import statistics as statistics_schemas

blueprint = Blueprint("players", __name__, url_prefix="/v1")


@blueprint.route("/players", methods=["POST"])
@blueprint.operation("createPlayer", *STORE_CODES)
@blueprint.response(201, accounts.CreatedPlayer, description="The player and the token.", headers=("Location",))
@blueprint.arguments(accounts.CreatePlayerRequest, required=False)
def create_player(body: dict[str, Any]) -> Response:
    """Create a player.

    A player is anonymous: a token for seats in any number of games.
    """
    return located(players.create(context(), body), 201, "/v1/me")


@blueprint.route("/players/<player>")
@blueprint.operation("getPlayer", *STORE_CODES, "player/not_found")
@blueprint.response(200, accounts.Player, description="The player.")
@blueprint.arguments(queries.NoQuery, location="query")
def get_player(_query: dict[str, Any], player: str) -> Response:
    """Get a player by id or handle."""
    return json_answer(players.look(context(), player))


@blueprint.route("/players/<player>/games")
@blueprint.operation("listPlayerGames", *STORE_CODES, "player/not_found", "auth/token_unknown", access="optional")
@blueprint.response(200, game_schemas.GamePage, description="A page, last changed first.", headers=("Link",))
@blueprint.arguments(queries.FilteredQuery, location="query")
def list_player_games(query: dict[str, Any], player: str) -> Response:
    """List the public games in which a player has a seat.

    To the player themselves, all of their games are listed.
    """
    return game_page(query, lambda *page: listings.of_player(context(), caller(), player, *page))


@blueprint.route("/players/<player>/ratings")
@blueprint.operation("getPlayerRatings", *STORE_CODES, "player/not_found")
@blueprint.response(200, rating_schemas.PlayerRatings, description="The ratings.")
@blueprint.arguments(rating_schemas.RatingsQuery, location="query")
def get_player_ratings(query: dict[str, Any], player: str) -> Response:
    """Get a player's ratings.

    There is one for each ruleset at two seats, and one at three and four. With `ruleset` and `seats`, its history, too.
    """
    return json_answer(ratings.of_player(context(), player, query["ruleset"], query["seats"]))


@blueprint.route("/players/<player>/statistics")
@blueprint.operation("getPlayerStatistics", *STORE_CODES, "player/not_found")
@blueprint.response(200, statistics_schemas.PlayerStatistics, description="The statistics.")
@blueprint.arguments(queries.NoQuery, location="query")
def get_player_statistics(_query: dict[str, Any], player: str) -> Response:
    """Get a player's statistics.

    A game is counted shortly after its end, whether it was rated or not.
    """
    return json_answer(statistics.of_player(context(), player))


@blueprint.route("/me")
@blueprint.operation("getMe", *PLAYER_CODES, access="required")
@blueprint.response(200, accounts.Player, description="The caller.")
@blueprint.arguments(queries.NoQuery, location="query")
def get_me(_query: dict[str, Any]) -> Response:
    """Get the player whose token is sent."""
    return json_answer(players.me(context(), caller()))


@blueprint.route("/me", methods=["PATCH"])
@blueprint.operation("changeMe", *PLAYER_WRITING_CODES, access="required")
@blueprint.response(200, accounts.Player, description="The caller after that.")
@blueprint.arguments(accounts.ChangePlayerRequest)
def change_me(body: dict[str, Any]) -> Response:
    """Change the player's name, colour or country.

    Seats that were taken before keep the name they were taken with.
    """
    return json_answer(players.change(context(), caller(), body))


@blueprint.route("/me/handle", methods=["PUT"])
@blueprint.operation(
    "setMyHandle", *PLAYER_WRITING_CODES, "player/handle_taken", "player/handle_too_soon", access="required"
)
@blueprint.response(200, accounts.Player, description="The caller after that.")
@blueprint.arguments(accounts.HandleRequest)
def set_my_handle(body: dict[str, Any]) -> Response:
    """Choose a handle.

    The one before is free at once. A week has to pass between two changes.
    """
    return json_answer(players.set_handle(context(), caller(), body["handle"]))


@blueprint.route("/me/handle", methods=["DELETE"])
@blueprint.operation("deleteMyHandle", *PLAYER_WRITING_CODES, "player/handle_too_soon", access="required")
@blueprint.response(204, description="The player has no handle.")
@blueprint.arguments(queries.NoQuery, location="query")
def delete_my_handle(_query: dict[str, Any]) -> Response:
    """Give up the handle."""
    players.set_handle(context(), caller(), None)
    return Response(status=204)


@blueprint.route("/me/token", methods=["POST"])
@blueprint.operation("rotateMyToken", *PLAYER_WRITING_CODES, access="required")
@blueprint.response(201, accounts.CreatedPlayer, description="The new token.")
@blueprint.arguments(requests.NothingRequest, required=False)
def rotate_my_token(_body: dict[str, Any]) -> Response:
    """Replace the token that is sent.

    It ends; the player's other tokens stay. The player keeps their seats.
    """
    return json_answer(players.rotate(context(), caller()), 201)


@blueprint.route("/me/tokens", methods=["POST"])
@blueprint.operation("createMyToken", *PLAYER_WRITING_CODES, "limit/tokens", access="required")
@blueprint.response(201, accounts.CreatedToken, description="The new token.")
@blueprint.arguments(accounts.CreateTokenRequest, required=False)
def create_my_token(body: dict[str, Any]) -> Response:
    """Make one more token of the player, for another device or program.

    It is told only this once.
    """
    return json_answer(players.add_token(context(), caller(), body["name"], body["scopes"]), 201)


@blueprint.route("/me/tokens")
@blueprint.operation("listMyTokens", *PLAYER_CODES, access="required")
@blueprint.response(200, accounts.TokenList, description="The tokens.")
@blueprint.arguments(queries.NoQuery, location="query")
def list_my_tokens(_query: dict[str, Any]) -> Response:
    """List the player's tokens."""
    return json_answer({"tokens": players.tokens(context(), caller())})


@blueprint.route("/me/tokens/<token_id>", methods=["DELETE"])
@blueprint.operation("deleteMyToken", *PLAYER_WRITING_CODES, "token/not_found", access="required")
@blueprint.response(204, description="It is good for nothing any more.")
@blueprint.arguments(queries.NoQuery, location="query")
def delete_my_token(_query: dict[str, Any], token_id: str) -> Response:
    """End one of the player's tokens.

    The token that is sent may be ended, too, to sign out.
    """
    players.drop_token(context(), caller(), token_id)
    return Response(status=204)


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
@blueprint.arguments(queries.FilteredQuery, location="query")
def list_my_games(query: dict[str, Any]) -> Response:
    """List the games in which the player has a seat."""
    return game_page(query, lambda *page: listings.own(context(), caller(), *page))


@blueprint.route("/me/blocked")
@blueprint.operation("listBlocked", *PLAYER_CODES, access="required")
@blueprint.response(200, accounts.BlockedList, description="The players.")
@blueprint.arguments(queries.NoQuery, location="query")
def list_blocked(_query: dict[str, Any]) -> Response:
    """List the players whom the player has blocked."""
    return json_answer({"blocked": players.blocked(context(), caller())})


@blueprint.route("/me/blocked/<player>", methods=["PUT"])
@blueprint.operation(
    "blockPlayer", *PLAYER_WRITING_CODES, "player/not_found", "player/yourself", "limit/blocked", access="required"
)
@blueprint.response(204, description="The player is blocked.")
@blueprint.arguments(requests.NothingRequest, required=False)
def block_player(_body: dict[str, Any], player: str) -> Response:
    """Block a player.

    They take no seat in a game in which the caller has one, and send no messages there. Games that have begun go on.
    """
    players.block(context(), caller(), player)
    return Response(status=204)


@blueprint.route("/me/blocked/<player>", methods=["DELETE"])
@blueprint.operation("unblockPlayer", *PLAYER_WRITING_CODES, access="required")
@blueprint.response(204, description="The player is not blocked.")
@blueprint.arguments(queries.NoQuery, location="query")
def unblock_player(_query: dict[str, Any], player: str) -> Response:
    """Unblock a player."""
    players.unblock(context(), caller(), player)
    return Response(status=204)


@blueprint.route("/me/export")
@blueprint.operation("exportMe", *PLAYER_CODES, access="required")
@blueprint.response(200, player_export_schemas.PlayerExport, description="All that is kept of the caller.")
@blueprint.arguments(queries.NoQuery, location="query")
def export_me(_query: dict[str, Any]) -> Response:
    """Get all that is kept of the player.

    The games are named by their ids; `exportGame` tells what each of them holds.
    """
    return json_answer(player_exports.export(context(), caller()))


@blueprint.route("/me", methods=["DELETE"])
@blueprint.operation("deleteMe", *PLAYER_WRITING_CODES, access="required")
@blueprint.response(204, description="The player is no more.")
@blueprint.arguments(queries.NoQuery, location="query")
def delete_me(_query: dict[str, Any]) -> Response:
    """Delete the player.

    Their tokens end at once, the handle is free, and their ratings are deleted. They resign in games that go on, and
    games that have not begun are aborted. The games in which they have a seat forget their name, id and messages; that
    may take a moment.
    """
    players.delete(context(), caller())
    return Response(status=204)
