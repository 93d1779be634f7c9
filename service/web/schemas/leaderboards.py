"""Leaderboards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from service.games.rating import TWO
from service.usecases.core.boards import EVER, PEOPLE
from service.web.api import Request, Schema
from service.web.schemas.accounts import Player
from service.web.schemas.fields import whole
from service.web.schemas.names import BOARD_OF, BOARD_PERIOD, RATING_SEATS
from service.web.schemas.queries import MOST

MOST_RANK = 1_000_000


class Place(Schema):
    """A player's place on a leaderboard."""

    rank = whole("The rank, from 1.", 1)
    player = fields.Nested(Player, required=True)
    points = whole("The player's rating.", None)


class Leaderboard(Schema):
    """Part of a leaderboard. Players stand on it once their rating is not provisional."""

    places = fields.List(fields.Nested(Place), required=True, metadata={"description": "The places, best first."})
    total = whole("How many players stand on the board.")
    next_first = whole("The `first` of the next page; null on the last.", 1, allow_none=True)


class LeaderboardQuery(Request):
    """Which board, and which part of it."""

    seats = fields.String(
        load_default=TWO, validate=validate.OneOf(RATING_SEATS), metadata={"description": "How many sit at the table."}
    )
    of = fields.String(
        load_default=PEOPLE,
        validate=validate.OneOf(BOARD_OF),
        metadata={"description": "The kind of players whose places are told."},
    )
    period = fields.String(
        load_default=EVER,
        validate=validate.OneOf(BOARD_PERIOD),
        metadata={"description": "The time that the board is of."},
    )
    first = fields.Integer(
        load_default=1, validate=validate.Range(1, MOST_RANK), metadata={"description": "The rank to begin with."}
    )
    around = fields.String(
        validate=validate.OneOf(["me"]),
        metadata={"description": "`me`: the places around the caller's, among players of their kind."},
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100), metadata={"description": MOST})

    @validates_schema(pass_original=True)
    def _around_stands_alone(self, loaded: Mapping[str, Any], given: Mapping[str, Any], **_: Any) -> None:
        if "around" in loaded:
            errors = {name: ["does not go with `around`"] for name in ("first", "of") if name in given}
            if errors:
                raise ValidationError(errors)
