"""All that is kept of a player, as they get it."""

from __future__ import annotations

from marshmallow import fields

from service.web.api import Schema
from service.web.schemas.accounts import Blocked, LinkedIdentity, Player, Token
from service.web.schemas.bots import Bot
from service.web.schemas.competitions import OwnCompetitions
from service.web.schemas.devices import Device
from service.web.schemas.fields import seat_number, text
from service.web.schemas.games import Message
from service.web.schemas.ratings import OwnRating
from service.web.schemas.statistics import PlayerStatistics
from service.web.schemas.webhooks import Webhook


class OwnGame(Schema):
    """What of a game is the player's."""

    id = text("The game's id.")
    seats = fields.List(
        seat_number("A seat."),
        required=True,
        metadata={"description": "The player's seats; none where they have handed them over."},
    )
    messages = fields.List(
        fields.Nested(Message), required=True, metadata={"description": "What the player has said there, and is kept."}
    )


class PlayerExport(Schema):
    """All that is kept of a player, but for secrets."""

    player = fields.Nested(Player, required=True)
    tokens = fields.List(fields.Nested(Token), required=True, metadata={"description": "The player's tokens."})
    identities = fields.List(
        fields.Nested(LinkedIdentity), required=True, metadata={"description": "The identities linked to the player."}
    )
    blocked = fields.List(fields.Nested(Blocked), required=True, metadata={"description": "Whom they have blocked."})
    webhooks = fields.List(fields.Nested(Webhook), required=True, metadata={"description": "The player's webhooks."})
    devices = fields.List(
        fields.Nested(Device), required=True, metadata={"description": "The player's devices that get notices."}
    )
    bot = fields.Nested(
        Bot,
        required=True,
        allow_none=True,
        metadata={"description": "What the player says that it plays, as a bot that one can find; null: nothing."},
    )
    ratings = fields.List(
        fields.Nested(OwnRating), required=True, metadata={"description": "The player's ratings, with their history."}
    )
    statistics = fields.Nested(PlayerStatistics, required=True)
    competitions = fields.Nested(OwnCompetitions, required=True)
    games = fields.List(
        fields.Nested(OwnGame), required=True, metadata={"description": "All games in which the player has a seat."}
    )
