"""Schemas of player statistics."""

from __future__ import annotations

from service.web.api import Schema
from service.web.schemas.base.fields import array, choice, integer, text
from service.web.schemas.base.names import RATING_SEATS, RULESET


class RulesetStatistics(Schema):
    """Statistics for one ruleset and number of seats."""

    ruleset = choice(RULESET)
    seats = choice(RATING_SEATS)
    games = integer("", 1)
    wins = integer("Games won, including shared wins.")
    best_score = integer("Highest final score.", None)
    streak = integer("Current wins in a row.")
    longest_streak = integer("Most wins in a row.")


class OpponentStatistics(Schema):
    """Statistics of two-seat games against people or an AI level."""

    ruleset = choice(RULESET)
    level = text("Level of the AI, or null for people.", allow_none=True)
    games = integer("", 1)
    wins = integer("Games won, including shared wins.")


class PlayerStatistics(Schema):
    """Statistics of a player's finished games that are fair and began with the standard setup."""

    rulesets = array(RulesetStatistics, "One entry per ruleset and number of seats.")
    opponents = array(OpponentStatistics, "One entry per ruleset and opponent.")
