"""Schemas of player statistics."""

from __future__ import annotations

from service.web.api import Schema
from service.web.schemas.base.fields import choice, many, text, whole
from service.web.schemas.base.names import RATING_SEATS, RULESET


class RulesetStatistics(Schema):
    """Statistics for one ruleset and number of seats."""

    ruleset = choice(RULESET)
    seats = choice(RATING_SEATS)
    games = whole("", 1)
    wins = whole("Games won, including shared wins.")
    best_score = whole("Highest final score.", None)
    streak = whole("Current wins in a row.")
    longest_streak = whole("Most wins in a row.")


class OpponentStatistics(Schema):
    """Statistics of two-seat games against people or an AI level."""

    ruleset = choice(RULESET)
    level = text("Level of the AI, or null for people.", allow_none=True)
    games = whole("", 1)
    wins = whole("Games won, including shared wins.")


class PlayerStatistics(Schema):
    """Statistics of a player's finished games that are fair and began with the standard setup."""

    rulesets = many(RulesetStatistics, "One entry per ruleset and number of seats.")
    opponents = many(OpponentStatistics, "One entry per ruleset and opponent.")
