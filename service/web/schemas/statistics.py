"""Statistics of players."""

from __future__ import annotations

from marshmallow import fields

from service.web.api import Schema
from service.web.schemas.fields import choice, text, whole
from service.web.schemas.names import RATING_SEATS, RULESET


class RulesetStatistics(Schema):
    """What is counted of a player's games of one ruleset, at two seats or at more."""

    ruleset = choice(RULESET, "What is played.")
    seats = choice(RATING_SEATS, "How many sit at the table.")
    games = whole("How many games have been counted.", 1)
    wins = whole("How many of them the player won, alone or with others.")
    best_score = whole("The most points that the player has ended a game with.", None)
    streak = whole("How many of the last games the player won in a row.")
    longest_streak = whole("The most that they ever won in a row.")


class OpponentStatistics(Schema):
    """What is counted of a player's games of two seats against people, or against a level of an AI."""

    ruleset = choice(RULESET, "What is played.")
    level = text("The AI's level; null: people.", allow_none=True)
    games = whole("How many games have been counted.", 1)
    wins = whole("How many of them the player won, alone or with others.")


class PlayerStatistics(Schema):
    """Statistics of a player. Counted are finished games that are fair and began at the set-up."""

    rulesets = fields.List(
        fields.Nested(RulesetStatistics),
        required=True,
        metadata={"description": "Statistics by ruleset and number of seats."},
    )
    opponents = fields.List(
        fields.Nested(OpponentStatistics), required=True, metadata={"description": "Games of two seats, by opponent."}
    )
