"""Who looks at a game, as it is told."""

from __future__ import annotations

from marshmallow import fields

from service.usecases.core.viewers import MOST_WATCHING
from service.usecases.requests.presence import MOST_NAMED
from service.web.api import Schema
from service.web.schemas.accounts import Player
from service.web.schemas.fields import seat_number, whole


class Watching(Schema):
    """People and programs that look at a game without having a seat in it."""

    count = whole(
        "How many they are. A player counts once, and so do connections that name the same `viewer`, and each other "
        f"one; connections beyond {MOST_WATCHING} are not counted."
    )
    players = fields.List(
        fields.Nested(Player),
        required=True,
        metadata={
            "description": f"The players among them, {MOST_NAMED} at most, without those who ask with `hidden=true`."
        },
    )


class Presence(Schema):
    """The seats and watchers of a game at this moment. One who leaves is gone within some 45 seconds."""

    seats = fields.List(
        seat_number("A seat."),
        required=True,
        metadata={"description": "The seats whose people, or programs, are connected; of AIs and endpoints none."},
    )
    watching = fields.Nested(Watching, required=True, metadata={"description": "Those without a seat."})
