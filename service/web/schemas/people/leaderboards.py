"""Schemas of leaderboards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from service.games.rating import TWO
from service.usecases.people.leaderboard_names import EVER, PEOPLE
from service.web.api import Request, Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.fields import whole
from service.web.schemas.base.names import BOARD_OF, BOARD_PERIOD, RATING_SEATS
from service.web.schemas.base.queries import MOST

MOST_RANK = 1_000_000


class Place(Schema):
    """A place on a leaderboard."""

    rank = whole("", 1)
    player = fields.Nested(Player, required=True)
    points = whole("The player's rating.", None)


class Leaderboard(Schema):
    """A section of a leaderboard. Players are listed once their rating is no longer provisional."""

    places = fields.List(fields.Nested(Place), required=True, metadata={"description": "Highest rated first."})
    total = whole("Number of places.")
    next_first = whole("`first` of the next page, or null on the last page.", 1, allow_none=True)


class LeaderboardQuery(Request):
    """Selection and paging of a leaderboard."""

    seats = fields.String(
        load_default=TWO, validate=validate.OneOf(RATING_SEATS), metadata={"description": "Number of seats."}
    )
    of = fields.String(
        load_default=PEOPLE,
        validate=validate.OneOf(BOARD_OF),
        metadata={"description": "Kind of players."},
    )
    period = fields.String(
        load_default=EVER,
        validate=validate.OneOf(BOARD_PERIOD),
        metadata={"description": "Period of the leaderboard."},
    )
    first = fields.Integer(
        load_default=1, validate=validate.Range(1, MOST_RANK), metadata={"description": "First rank to return."}
    )
    around = fields.String(
        validate=validate.OneOf(["me"]),
        metadata={"description": "`me`: the places around the caller, among players of the same kind."},
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100), metadata={"description": MOST})

    @validates_schema(pass_original=True)
    def _around_stands_alone(self, loaded: Mapping[str, Any], given: Mapping[str, Any], **_: Any) -> None:
        if "around" in loaded:
            errors = {name: ["cannot be combined with `around`"] for name in ("first", "of") if name in given}
            if errors:
                raise ValidationError(errors)
