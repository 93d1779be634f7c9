"""Players, their tokens, and the games that wait for them."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.people import player_events, player_exports, players, ratings, relations, standings, statistics
from service.usecases.views import listings
from service.web.api import STORE_CODES, Blueprint
from service.web.http import streams
from service.web.http.auth import caller, context
from service.web.http.paging import game_page
from service.web.http.preconditions import issuer
from service.web.http.responses import json_answer, with_location
from service.web.schemas.base import accounts, queries, requests
from service.web.schemas.games import games as game_schemas
from service.web.schemas.people import player_events as player_event_schemas
from service.web.schemas.people import player_exports as player_export_schemas
from service.web.schemas.people import ratings as rating_schemas
from service.web.schemas.people import statistics as statistics_schemas

blueprint = Blueprint("players", __name__, url_prefix="/v1")


@blueprint.route("/players", methods=["POST"])
@blueprint.operation("createPlayer", *STORE_CODES)
@blueprint.response(201, accounts.CreatedPlayer, "The player and the token.", headers=("Location",))
@blueprint.arguments(accounts.CreatePlayerRequest, required=False)
@blueprint.repeatable("UnguessableKey")
def create_player(body: dict[str, Any]) -> Response:
    """Create a player.

    Players are anonymous. The returned token works in any number of games; it is shown only once.
    """
    return with_location(players.create(context(), body, issuer=issuer(), caller=caller()), 201, "/v1/me")


@blueprint.route("/players/<player>")
@blueprint.operation("getPlayer", *STORE_CODES, "player/not_found")
@blueprint.response(200, accounts.Player, "The player.")
def get_player(player: str) -> Response:
    """Get a player by id or handle."""
    return json_answer(players.get(context(), player))


@blueprint.route("/players/<player>/games")
@blueprint.operation("listPlayerGames", *STORE_CODES, "player/not_found", "auth/token_unknown", access="optional")
@blueprint.response(200, game_schemas.GamePage, "A page of games, most recently changed first.", headers=("Link",))
@blueprint.arguments(queries.FilteredQuery, location="query")
def list_player_games(query: dict[str, Any], player: str) -> Response:
    """List the public games of a player.

    With that player's own token, all of their games are listed.
    """
    return game_page(query, lambda *page: listings.of_player(context(), caller(), player, *page))


@blueprint.route("/players/<player>/ratings")
@blueprint.operation("getPlayerRatings", *STORE_CODES, "player/not_found")
@blueprint.response(200, rating_schemas.PlayerRatings, "The ratings.")
@blueprint.arguments(rating_schemas.RatingsQuery, location="query")
def get_player_ratings(query: dict[str, Any], player: str) -> Response:
    """Get the ratings of a player.

    A player has one rating per ruleset for two seats, and one for three or four. With `ruleset` and `seats`, the
    response includes the history.
    """
    return json_answer(ratings.of_player(context(), player, query["ruleset"], query["seats"]))


@blueprint.route("/players/<player>/statistics")
@blueprint.operation("getPlayerStatistics", *STORE_CODES, "player/not_found")
@blueprint.response(200, statistics_schemas.PlayerStatistics, "The statistics.")
def get_player_statistics(player: str) -> Response:
    """Get the statistics of a player.

    Rated and unrated games count, shortly after they end.
    """
    return json_answer(statistics.of_player(context(), player))


@blueprint.route("/me")
@blueprint.operation("getMe", "auth/banned", access="player")
@blueprint.response(200, accounts.OwnPlayer, "Your player.")
def get_me() -> Response:
    """Get your player, and what moderators have imposed on you.

    If you are banned, the response says until when and why. Other operations refuse your token as unknown.
    """
    return json_answer(standings.get_own(context(), caller()))


@blueprint.route("/me", methods=["PATCH"])
@blueprint.operation("changeMe", access="player")
@blueprint.response(200, accounts.Player, "Your updated player.")
@blueprint.arguments(accounts.ChangePlayerRequest)
def change_me(body: dict[str, Any]) -> Response:
    """Update your name, colour or country.

    Seats you have already taken keep the old name.
    """
    return json_answer(players.change(context(), caller(), body))


@blueprint.route("/me/handle", methods=["PUT"])
@blueprint.operation("setMyHandle", "player/handle_taken", "player/handle_too_soon", access="player")
@blueprint.response(200, accounts.Player, "Your updated player.")
@blueprint.arguments(accounts.HandleRequest)
def set_my_handle(body: dict[str, Any]) -> Response:
    """Set your handle.

    Your previous handle becomes free at once. You can change the handle once a week.
    """
    return json_answer(players.set_handle(context(), caller(), body["handle"]))


@blueprint.route("/me/handle", methods=["DELETE"])
@blueprint.operation("deleteMyHandle", "player/handle_too_soon", access="player")
@blueprint.response(204, description="You have no handle.")
def delete_my_handle() -> None:
    """Delete your handle."""
    players.set_handle(context(), caller(), None)


@blueprint.route("/me/token", methods=["POST"])
@blueprint.operation("rotateMyToken", access="player")
@blueprint.response(201, accounts.CreatedPlayer, "The new token.")
@blueprint.arguments(requests.NothingRequest, required=False)
@blueprint.repeatable("UnguessableKey")
def rotate_my_token(_body: dict[str, Any]) -> Response:
    """Replace the current token.

    The token in the request stops working, with its streams and the game tokens that you received with it. Your other
    tokens and your own seats are not affected.
    """
    return json_answer(players.rotate(context(), caller(), issuer()), 201)


@blueprint.route("/me/tokens", methods=["POST"])
@blueprint.operation("createMyToken", "limit/tokens", access="player")
@blueprint.response(201, accounts.CreatedToken, "The new token.")
@blueprint.arguments(accounts.CreateTokenRequest, required=False)
@blueprint.repeatable("UnguessableKey")
def create_my_token(body: dict[str, Any]) -> Response:
    """Create another token, for a second device or a program.

    The token is shown only once.
    """
    return json_answer(players.add_token(context(), caller(), body["name"], body["scopes"], issuer()), 201)


@blueprint.route("/me/tokens")
@blueprint.operation("listMyTokens", access="player")
@blueprint.response(200, accounts.TokenList, "The tokens.")
def list_my_tokens() -> Response:
    """List your tokens."""
    return json_answer({"tokens": players.tokens(context(), caller())})


@blueprint.route("/me/tokens/<token_id>", methods=["DELETE"])
@blueprint.operation("deleteMyToken", "token/not_found", access="player")
@blueprint.response(204, description="The token no longer works.")
def delete_my_token(token_id: str) -> None:
    """Delete one of your tokens.

    Its streams end, and the game tokens that you received with it stop working. Your own seats are not affected. To
    sign out, delete the token in use.
    """
    players.drop_token(context(), caller(), token_id)


@blueprint.route("/me/turns")
@blueprint.operation("listMyTurns", access="player")
@blueprint.response(200, game_schemas.Turns, "The games.")
@blueprint.arguments(queries.TurnsQuery, location="query")
def list_my_turns(query: dict[str, Any]) -> Response:
    """List the games that wait for your decision.

    With `wait`, the response is delayed until there is one.
    """
    return json_answer({"games": players.turns(context(), caller(), query["wait"])})


@blueprint.route("/me/events")
@blueprint.operation("streamMyEvents", "request/not_acceptable", access="player")
@blueprint.headers("LastEventId")
@blueprint.stream(
    "PlayerEvent",
    "Unix time in ms of the change; resume the stream from it.",
    "The unfinished games and open challenges, then the state of each game or challenge that changes; the standing.",
)
@blueprint.arguments(player_event_schemas.PlayerEventsQuery, location="query")
def stream_my_events(query: dict[str, Any]) -> Response:
    """Stream changes of all your games and challenges.

    Starts with your unfinished games and open challenges. A resumed stream sends what has changed since `after`
    instead, and can repeat events. An event is the current state of one game or challenge, so several changes can
    become one event. An event `standing` says what moderators have imposed on you. Sends a keep-alive every 4 seconds.

    While the stream is open, you are online for players who follow you, unless `hidden` is true.
    """
    form, after = streams.stream_form(), streams.last_seen(query["after"])
    return streams.stream(player_events.follow(context(), caller(), after, hidden=query["hidden"]), form)


@blueprint.route("/me/games")
@blueprint.operation("listMyGames", "player/not_found", access="player")
@blueprint.response(200, game_schemas.GamePage, "A page of games, most recently changed first.", headers=("Link",))
@blueprint.arguments(queries.OwnGamesQuery, location="query")
def list_my_games(query: dict[str, Any]) -> Response:
    """List your games.

    With `opponent`, list your games with that player.
    """
    return game_page(query, lambda *page: listings.list_own(context(), caller(), *page))


@blueprint.route("/me/blocked")
@blueprint.operation("listBlocked", access="player")
@blueprint.response(200, accounts.BlockedList, "The players.")
def list_blocked() -> Response:
    """List the players you have blocked."""
    return json_answer({"blocked": relations.list_blocked(context(), caller())})


@blueprint.route("/me/blocked/<player>", methods=["PUT"])
@blueprint.operation("blockPlayer", "player/not_found", "player/yourself", "limit/blocked", access="player")
@blueprint.response(204, description="The player is blocked.")
@blueprint.arguments(requests.NothingRequest, required=False)
def block_player(_body: dict[str, Any], player: str) -> None:
    """Block a player.

    They cannot join games in which you have a seat, or send messages there. Running games go on. Neither of you follows
    the other any longer.
    """
    relations.block(context(), caller(), player)


@blueprint.route("/me/blocked/<player>", methods=["DELETE"])
@blueprint.operation("unblockPlayer", access="player")
@blueprint.response(204, description="The player is not blocked.")
def unblock_player(player: str) -> None:
    """Unblock a player."""
    relations.unblock(context(), caller(), player)


@blueprint.route("/me/following")
@blueprint.operation("listFollowing", access="player")
@blueprint.response(200, accounts.FollowingList, "The players.")
def list_following() -> Response:
    """List the players you follow, and who of them is online.

    Nobody else can see the list.
    """
    return json_answer({"following": relations.list_following(context(), caller())})


@blueprint.route("/me/following/<player>", methods=["PUT"])
@blueprint.operation(
    "followPlayer", "player/not_found", "player/yourself", "player/blocked", "limit/following", access="player"
)
@blueprint.response(204, description="You follow the player.")
@blueprint.arguments(requests.NothingRequest, required=False)
def follow_player(_body: dict[str, Any], player: str) -> None:
    """Follow a player.

    They are not notified, and there is no list of followers. A block by either player ends it.
    """
    relations.follow(context(), caller(), player)


@blueprint.route("/me/following/<player>", methods=["DELETE"])
@blueprint.operation("unfollowPlayer", access="player")
@blueprint.response(204, description="You do not follow the player.")
def unfollow_player(player: str) -> None:
    """Stop following a player."""
    relations.unfollow(context(), caller(), player)


@blueprint.route("/me/export")
@blueprint.operation("exportMe", access="player")
@blueprint.response(200, player_export_schemas.PlayerExport, "Your data.")
def export_me() -> Response:
    """Export your data.

    Contains everything stored about the player except secrets. Games are listed by id; get their content with
    `exportGame`.
    """
    return json_answer(player_exports.export(context(), caller()))


@blueprint.route("/me", methods=["DELETE"])
@blueprint.operation("deleteMe", access="player")
@blueprint.response(204, description="The player is deleted.")
def delete_me() -> None:
    """Delete your player.

    This is permanent:

    - All tokens stop working, the handle becomes free, and the ratings are deleted.
    - The player is resigned from running games. Games that have not started are aborted.
    - Shortly afterwards, the player's name, id and messages are removed from all games.
    """
    players.delete(context(), caller())
