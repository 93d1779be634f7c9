"""Schemas of leaderboards."""

from __future__ import annotations

from service.games.rating import TWO
from service.usecases.people.leaderboard_names import PEOPLE, QUARTER
from service.web.api import Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.fields import array, choice, flag, instant, integer, nest
from service.web.schemas.base.names import BOARD_OF, BOARD_PERIOD, RATING_SEATS
from service.web.schemas.base.queries import limit_field, query_integer

MAX_RANK = 1_000_000


class Place(Schema):
    """A place on a leaderboard."""

    rank = integer("Equal points share a rank.", 1)
    player = nest(Player)
    points = integer("The player's rating.", None)
    provisional = flag("Whether the player is not ranked yet.")


class Leaderboard(Schema):
    """A section of a leaderboard. Until it has enough ranked players, it lists everybody."""

    places = array(Place, "Highest rated first.")
    total = integer("Number of places.")
    next_first = integer("`first` of the next page, or null on the last page.", 1, allow_none=True)
    played_since = instant("Start of the period. Only players with a rated game since then are listed.")


class LeaderboardQuery(CheckedRequest):
    """Selection and paging of a leaderboard."""

    seats = choice(RATING_SEATS, "Number of seats.", load_default=TWO)
    of = choice(BOARD_OF, "Kind of players.", load_default=PEOPLE)
    period = choice(BOARD_PERIOD, "Period of the leaderboard.", load_default=QUARTER)
    first = query_integer("First place to return, counted from 1.", 1, MAX_RANK, load_default=1)
    around = choice(["me"], "`me`: the places around the caller, among players of the same kind.", required=False)
    limit = limit_field()

    def contradictions(self, members: Members) -> Faults:
        """Return the parameters that `around` excludes."""
        excluded = [name for name in ("first", "of") if name in members.given and "around" in members.valid]
        return {f"/{name}": "cannot be combined with `around`" for name in excluded}
