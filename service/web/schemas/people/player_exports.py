"""Schemas of the export of a player's data."""

from __future__ import annotations

from marshmallow import fields

from service.web.api import Schema
from service.web.schemas.base.accounts import Blocked, LinkedIdentity, Player, Token
from service.web.schemas.base.fields import seat_number, text
from service.web.schemas.games.games import Message
from service.web.schemas.matchmaking.bots import Bot
from service.web.schemas.matchmaking.competitions import OwnCompetitions
from service.web.schemas.notifications.devices import Device
from service.web.schemas.notifications.webhooks import Webhook
from service.web.schemas.people.ratings import OwnRating
from service.web.schemas.people.statistics import PlayerStatistics


class OwnGame(Schema):
    """The player's part of a game."""

    id = text()
    seats = fields.List(
        seat_number(),
        required=True,
        metadata={"description": "The player's seats; empty if handed over."},
    )
    messages = fields.List(
        fields.Nested(Message), required=True, metadata={"description": "The player's stored messages."}
    )


class PlayerExport(Schema):
    """All data stored about a player, except secrets."""

    player = fields.Nested(Player, required=True)
    tokens = fields.List(fields.Nested(Token), required=True)
    identities = fields.List(fields.Nested(LinkedIdentity), required=True)
    blocked = fields.List(fields.Nested(Blocked), required=True)
    webhooks = fields.List(fields.Nested(Webhook), required=True)
    devices = fields.List(fields.Nested(Device), required=True)
    bot = fields.Nested(
        Bot,
        required=True,
        allow_none=True,
        metadata={"description": "The published bot, or null."},
    )
    ratings = fields.List(fields.Nested(OwnRating), required=True)
    statistics = fields.Nested(PlayerStatistics, required=True)
    competitions = fields.Nested(OwnCompetitions, required=True)
    games = fields.List(fields.Nested(OwnGame), required=True)
