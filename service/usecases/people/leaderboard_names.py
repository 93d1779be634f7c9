"""Names of leaderboards: by ruleset and number of seats, for people and programs, by period."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import product

PEOPLE, BOTS = "people", "bots"
GROUPS = (PEOPLE, BOTS)
QUARTER, WEEK = "quarter", "week"
PERIODS = (QUARTER, WEEK)
"""Players with a game in the last 90 days, or in the current ISO week, are listed."""
DAY_MS = 86_400_000
WEEK_MS, QUARTER_MS = 7 * DAY_MS, 90 * DAY_MS


def week_of(now_ms: int) -> str:
    """Return the ISO week of a time in UTC, such as `2026-W48`."""
    year, week, _ = datetime.fromtimestamp(now_ms / 1000, UTC).isocalendar()
    return f"{year}-W{week:02}"


def board(ruleset: str, seats: str, group: str, period: str, now_ms: int) -> str:
    """Return the name of a leaderboard. A weekly one is of the current week."""
    return f"{ruleset}:{seats}:{group}:{QUARTER if period == QUARTER else week_of(now_ms)}"


def start_of(period: str, now_ms: int) -> int:
    """Return when the period began, in Unix ms."""
    if period == QUARTER:
        return now_ms - QUARTER_MS
    day = now_ms // DAY_MS
    return DAY_MS * (day - (day + 3) % 7)  # 1 January 1970 was a Thursday


def all_boards(rulesets: Iterable[str], kinds: Iterable[str], now_ms: int) -> list[str]:
    """Return the names of all leaderboards: of the quarter, this week and last week."""
    return [
        f"{ruleset}:{seats}:{group}:{when}"
        for ruleset, seats, group in product(rulesets, kinds, GROUPS)
        for when in (QUARTER, week_of(now_ms), week_of(now_ms - WEEK_MS))
    ]
