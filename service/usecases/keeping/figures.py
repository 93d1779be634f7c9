"""Figures of the last days for people who run the service: players, games, and how long seeks wait."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

from service.rulesets.wire import Json
from service.storage.people.moderation import ADMIN
from service.storage.work.figures import DayFigures
from service.usecases.base import access
from service.usecases.base.context import Caller, Context


def read(context: Context, caller: Caller, days: int) -> list[Json]:
    """Return the figures of the last days in UTC, today last."""
    access.must_be_staff(context, caller, ADMIN)
    return [_day_json(figures) for figures in context.figures.read(context.now_ms(), days)]


def _day_json(figures: DayFigures) -> Json:
    games = []
    for field, count in sorted(figures.games.items()):
        ruleset, _, kind = field.partition(":")
        games.append({"ruleset": ruleset, "kind": kind, "count": count})
    return {
        "day": str(figures.day),
        "new_players": figures.new_players,
        "active_players": figures.active_players,
        "returning_players": figures.returning_players,
        "games": games,
        "paired_seeks": sum(figures.waits.values()),
        "median_wait_s": _median_bound(figures.waits),
    }


def _median_bound(waits: Mapping[int, int]) -> int | None:
    """Return the bound of the median; None if nothing was counted."""
    bounds = sorted(waits)
    reached = zip(bounds, accumulate(waits[bound] for bound in bounds), strict=True)
    return next((bound for bound, count in reached if 2 * count >= sum(waits.values())), None)
