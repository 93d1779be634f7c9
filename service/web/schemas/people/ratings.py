"""Schemas of ratings: of players, by day, and the changes after a game."""

from __future__ import annotations

from marshmallow import fields

from service.games.rating import TEN_TO_ONE
from service.storage.people.ratings import DAYS
from service.usecases.people.ratings import RATING_STATUSES, WHY_UNRATED
from service.web.api import Request, Schema
from service.web.schemas.base.fields import array, choice, flag, integer, number
from service.web.schemas.base.names import RATING_SEATS, RULESET

POINTS = f"Points; 1500 for new players. {TEN_TO_ONE} points more mean odds of 10 to 1."
PROVISIONAL = "Whether the rating is uncertain. It becomes uncertain again about a year after the last game."
RANKED = "Whether the rating is certain and rests on games against enough different established players."


class Rating(Schema):
    """A player's rating for one ruleset and number of seats."""

    ruleset = choice(RULESET)
    seats = choice(RATING_SEATS)
    points = integer(POINTS, None)
    provisional = flag(PROVISIONAL)
    ranked = flag(RANKED)
    games = integer("", 1)
    wins = integer("Games won, including shared wins.")
    best = integer("Highest points since the rating became certain, or null.", None, allow_none=True)


class DayOfRating(Schema):
    """A rating at the end of a day."""

    day = fields.String(required=True, metadata={"description": "Day in UTC.", "format": "date"})
    points = integer("", None)
    provisional = flag()


class PlayerRatings(Schema):
    """Ratings of a player."""

    ratings = array(Rating, "One rating per ruleset and number of seats with a counted game.")
    history = array(
        DayOfRating,
        f"Last {DAYS} days with changes of the rating, oldest first. Null unless `ruleset` and "
        "`seats` select a rating.",
        allow_none=True,
    )


class OwnRating(Rating):
    """A rating with its history."""

    history = array(DayOfRating, "Daily history, oldest first.")


class SeatRating(Schema):
    """Rating change of a seat. AI ratings are fixed."""

    before = integer("Rating before the game.", None)
    after = integer("Rating after the game.", None)
    change = integer("Points gained; negative if lost.", None)
    provisional = flag("Whether the rating after the game is still uncertain.")
    weight = number("How much the game counted, from 0 to 1.")


class GameRating(Schema):
    """Rating changes of a rated game."""

    status = choice(
        RATING_STATUSES,
        "`unfinished`: the game is not over. `pending`: it will be rated shortly. `applied`: the ratings have "
        "changed. `not_counted`: no rating changes; see `reason`.",
    )
    reason = choice(
        WHY_UNRATED,
        "`unmeasured_level`: an AI's strength is unknown. `adjudicated`: the host of a competition decided the result. "
        "`aborted`: no outcome. `removed`: an admin removed it from the ratings. `same_players`: a game of an "
        "earlier version, after five others of the same players "
        "that day. Null if the game counts.",
        allow_none=True,
    )
    seats = array(SeatRating, "Changes by seat; empty unless `status` is `applied`.")


class RatingsQuery(Request):
    """Filters. Both together select one rating, whose history is returned."""

    ruleset = choice(RULESET, "Filter by ruleset.", load_default=None)
    seats = choice(RATING_SEATS, "Filter by number of seats.", load_default=None)
