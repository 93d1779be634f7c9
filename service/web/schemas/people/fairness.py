"""Schemas of what the staff sees and changes so that rated play is fair."""

from __future__ import annotations

from marshmallow import validate

from service.usecases.keeping.rated_games import MAX_CHANGED, MAX_SHOWN_GAMES
from service.web.api import Request, Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.fields import array, choice, flag, instant, integer, nest, text
from service.web.schemas.base.names import RATING_ACT, RATING_SEATS, RULESET
from service.web.schemas.base.request_fields import line_field, moment

MAX_NAMED = 100


class LinkedPlayer(Schema):
    """A player who was seen at the same address as another."""

    player = nest(Player)
    last_seen_at = instant("When the player was last seen at a shared address.")


class LinkedPlayers(Schema):
    """Players who share an address with another."""

    since = instant(
        "Begin of the period in which addresses are compared; null if LINK_PLAYERS is off.", allow_none=True
    )
    players = array(LinkedPlayer, "The last seen first, at most 100.")


class RatedGame(Schema):
    """A rated game of a player."""

    game_id = text()
    ended_at = instant()
    ruleset = choice(RULESET)
    seats = choice(RATING_SEATS)
    opponents = array(text(), "Ids of the other players.")
    change = integer("Points that the player got when the game was rated; negative if lost.", None)
    removed = flag("Whether the game no longer counts.")


class RatedGames(Schema):
    """Rated games of a player."""

    games = array(RatedGame, f"The last ended first, at most {MAX_SHOWN_GAMES}.")


class RatedGamesActRequest(Request):
    """The rated games of a player to remove or restore."""

    act = choice(RATING_ACT, required=True)
    games = array(
        text("Id of a game."),
        f"Only these games, at most {MAX_NAMED}. Without them and without `since`: the newest {MAX_CHANGED} games.",
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, MAX_NAMED),
    )
    since = instant("Only games that have ended since this time.", load_default=None, allow_none=True, validate=moment)
    reason = line_field("Reason for the audit log.")
