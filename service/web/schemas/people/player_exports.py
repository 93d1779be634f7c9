"""Schemas of the export of a player's data."""

from __future__ import annotations

from service.web.api import Schema
from service.web.schemas.base.accounts import Blocked, Followed, LinkedIdentity, Player, PlayerStanding, Token
from service.web.schemas.base.fields import array, instant, nest, seat_number, text
from service.web.schemas.games.games import Message
from service.web.schemas.matchmaking.bots import Bot
from service.web.schemas.matchmaking.competitions import OwnCompetitions
from service.web.schemas.notifications.devices import Device
from service.web.schemas.notifications.webhooks import Webhook
from service.web.schemas.people.ratings import OwnRating
from service.web.schemas.people.reports import OwnReport
from service.web.schemas.people.statistics import PlayerStatistics
from service.web.schemas.puzzles.puzzles import PuzzleExport


class OwnGame(Schema):
    """The player's part of a game."""

    id = text()
    seats = array(seat_number(), "The player's seats; empty if handed over.")
    messages = array(Message, "The player's stored messages.")


class SeenAddress(Schema):
    """An address of the player in the current period of 14 days. Only its keyed digest is stored."""

    digest = text()
    last_seen_at = instant()


class PlayerExport(Schema):
    """All data stored about a player, except secrets."""

    player = nest(Player)
    standing = nest(PlayerStanding)
    tokens = array(Token)
    identities = array(LinkedIdentity)
    blocked = array(Blocked)
    following = array(Followed)
    webhooks = array(Webhook)
    devices = array(Device)
    bot = nest(Bot, "The published bot, or null.", allow_none=True)
    ratings = array(OwnRating)
    statistics = nest(PlayerStatistics)
    puzzles = nest(PuzzleExport)
    competitions = nest(OwnCompetitions)
    reports = array(OwnReport)
    addresses = array(SeenAddress)
    games = array(OwnGame)
