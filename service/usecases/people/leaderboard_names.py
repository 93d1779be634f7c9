"""Names of leaderboards: by ruleset and number of seats, for people and programs, all-time and weekly."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import product

PEOPLE, BOTS = "people", "bots"
WHO = (PEOPLE, BOTS)
EVER, WEEK = "ever", "week"
PERIODS = (EVER, WEEK)
WEEK_MS = 7 * 86_400_000


def week_of(now_ms: int) -> str:
    """Return the ISO week of a time in UTC, such as `2026-W48`."""
    year, week, _ = datetime.fromtimestamp(now_ms / 1000, UTC).isocalendar()
    return f"{year}-W{week:02}"


def board(ruleset: str, seats: str, who: str, period: str, now_ms: int) -> str:
    """Return the name of a leaderboard. A weekly one is of the current week."""
    return f"{ruleset}:{seats}:{who}:{EVER if period == EVER else week_of(now_ms)}"


def all_boards(rulesets: Iterable[str], kinds: Iterable[str], now_ms: int) -> list[str]:
    """Return the names of all leaderboards: all-time, this week and last week."""
    return [
        f"{ruleset}:{seats}:{who}:{when}"
        for ruleset, seats, who in product(rulesets, kinds, WHO)
        for when in (EVER, week_of(now_ms), week_of(now_ms - WEEK_MS))
    ]
