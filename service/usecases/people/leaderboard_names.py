"""Which leaderboards there are: of each ruleset and number of seats, of people and of programs, ever and by week."""

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
    """The ISO week of a moment, in UTC: `2026-W48`."""
    year, week, _ = datetime.fromtimestamp(now_ms / 1000, UTC).isocalendar()
    return f"{year}-W{week:02}"


def board(ruleset: str, seats: str, who: str, period: str, now_ms: int) -> str:
    """The name of a board; that of the week is of the present one."""
    return f"{ruleset}:{seats}:{who}:{EVER if period == EVER else week_of(now_ms)}"


def every(rulesets: Iterable[str], kinds: Iterable[str], now_ms: int) -> list[str]:
    """The names of all boards that are kept: those of ever, of this week and of the one before."""
    return [
        f"{ruleset}:{seats}:{who}:{when}"
        for ruleset, seats, who in product(rulesets, kinds, WHO)
        for when in (EVER, week_of(now_ms), week_of(now_ms - WEEK_MS))
    ]
