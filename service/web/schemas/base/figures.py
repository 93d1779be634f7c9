"""Schemas of the figures of the service."""

from __future__ import annotations

from marshmallow import fields

from service.usecases.games.new_games import KINDS_OF_GAMES
from service.web.api import Request, Schema
from service.web.schemas.base.fields import array, choice, integer, text
from service.web.schemas.base.queries import query_integer


class GamesOfDay(Schema):
    """New games of a ruleset and kind."""

    ruleset = text()
    kind = choice(
        KINDS_OF_GAMES,
        "`rated`; `people`: not rated, with seats for several people; `computer`: with a seat for one person at most.",
    )
    count = integer("", 1)


class DayOfFigures(Schema):
    """The figures of a day."""

    day = fields.String(required=True, metadata={"description": "Day in UTC.", "format": "date"})
    new_players = integer("Players who were created on this day and still exist, with bots.")
    active_players = integer("People with a seat in a game that ended on this day, to within 2 %.")
    returning_players = integer("Those of them who were created on an earlier day, to within 2 %.")
    games = array(GamesOfDay, "Games that were created on this day, without imported ones.")
    paired_seeks = integer("Seeks that became a game on this day.")
    median_wait_s = integer(
        "Median of the time that these seeks waited, in seconds, rounded up to 1, 2, 5, 10, 20 or 30 seconds, 1, 2, 5, "
        "10 or 30 minutes, an hour or a day. Null without such seeks.",
        allow_none=True,
    )


class FigureList(Schema):
    """Figures of the last days."""

    days = array(DayOfFigures, "Oldest first. The last is today.")


class FiguresQuery(Request):
    """Number of days."""

    days = query_integer("Number of days, with today.", 1, 90, load_default=30)
