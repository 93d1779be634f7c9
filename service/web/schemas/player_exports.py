"""Schemas of the export of a player's data."""

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
