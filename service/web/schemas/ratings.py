"""Ratings: of players, by day, and what a game has brought."""

from __future__ import annotations

from marshmallow import fields, validate

from service.games.rating import TEN_TO_ONE
from service.storage.ratings import DAYS
from service.usecases.requests.ratings import RATING_STATUSES, WHY_UNRATED
from service.web.api import Request, Schema
from service.web.schemas.fields import choice, flag, whole
from service.web.schemas.names import RATING_SEATS, RULESET

POINTS = f"Points; {TEN_TO_ONE} more are ten to one. Who has not played has 1500."
PROVISIONAL = "Whether it is too uncertain yet to be taken for what it says."


class Rating(Schema):
    """How strong a player is at one ruleset, at two seats or at more."""

    ruleset = choice(RULESET, "What is played.")
    seats = choice(RATING_SEATS, "How many sit at the table.")
    points = whole(POINTS, None)
    provisional = flag(PROVISIONAL)
    games = whole("How many games have been counted.", 1)
    wins = whole("How many of them the player won, alone or with others.")
    best = whole(
        "The most points since the rating was first not provisional; null: it never was.", None, allow_none=True
    )


class DayOfRating(Schema):
    """A rating at the end of a day."""

    day = fields.String(required=True, metadata={"description": "The day, in UTC.", "format": "date"})
    points = whole(POINTS, None)
    provisional = flag(PROVISIONAL)


class PlayerRatings(Schema):
    """The ratings of a player."""

    ratings = fields.List(
        fields.Nested(Rating),
        required=True,
        metadata={"description": "One for each ruleset and number of seats that the player has a counted game of."},
    )
    history = fields.List(
        fields.Nested(DayOfRating),
        required=True,
        allow_none=True,
        metadata={
            "description": f"The history of the rating that `ruleset` and `seats` name: the last {DAYS} days on which "
            "it changed, oldest first; null where they do not name one."
        },
    )


class OwnRating(Rating):
    """A rating and its history."""

    history = fields.List(
        fields.Nested(DayOfRating), required=True, metadata={"description": "The history by day, oldest first."}
    )


class SeatRating(Schema):
    """What a game has brought a seat. An AI's rating is fixed."""

    before = whole("Points before the game.", None)
    after = whole("Points after it.", None)
    change = whole("Points won; below 0: lost.", None)
    provisional = flag("Whether the rating is provisional after the game.")


class GameRating(Schema):
    """What a rated game has brought its seats."""

    status = choice(
        RATING_STATUSES,
        "`unfinished`: the game is not over; `pending`: it is, and will be rated in a moment; `applied`: the ratings "
        "have changed; `not_counted`: no rating changes, `reason` says why.",
    )
    reason = choice(
        WHY_UNRATED,
        "`same_players`: two of its players have ended five rated games that day before; `unmeasured_level`: it is not "
        "known how strong an AI of it plays; `aborted`: it has no outcome; null: it counts.",
        allow_none=True,
    )
    seats = fields.List(
        fields.Nested(SeatRating),
        required=True,
        metadata={
            "description": "What each seat got, once the ratings have changed; empty before, and if it is not counted."
        },
    )


class RatingsQuery(Request):
    """Which ratings; both together name one, whose history is told."""

    ruleset = fields.String(
        load_default=None, validate=validate.OneOf(RULESET), metadata={"description": "What is played."}
    )
    seats = fields.String(
        load_default=None,
        validate=validate.OneOf(RATING_SEATS),
        metadata={"description": "How many sit at the table."},
    )
