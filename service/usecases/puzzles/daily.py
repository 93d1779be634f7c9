"""The daily puzzle: the same for everybody on a service, from 00:00 to 24:00 UTC.

The rulesets take turns. No puzzle of a ruleset repeats before all of them had a day. The choice depends only on the day
and the shipped puzzles.
"""

from __future__ import annotations

from datetime import UTC, datetime

from service.games.state.moments import rfc3339
from service.puzzles.model import Puzzle
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.storage.people.ratings import DAY_MS
from service.usecases.base import i18n
from service.usecases.base.context import Context
from service.usecases.base.i18n import TEXTS
from service.usecases.puzzles import puzzle_views

PAGE = "play#/puzzles/daily"
"""Where people solve it, from the root of the service."""


def puzzle_of(day: int) -> Puzzle:
    """Return the puzzle of a day, in days since 1970."""
    puzzles = puzzle_views.all_puzzles()
    queues = [queue for name in RULESETS if (queue := [one for one in puzzles if one.ruleset == name])]
    queue = queues[day % len(queues)]
    return queue[day // len(queues) % len(queue)]


def today(context: Context) -> int:
    """Return the current day, in days since 1970."""
    return context.now_ms() // DAY_MS


def rest_of_day_s(context: Context) -> int:
    """Return the number of whole seconds until the puzzle changes."""
    return (DAY_MS - context.now_ms() % DAY_MS) // 1000


def read(context: Context, language: str, root: str) -> Json:
    """Return the puzzle of today, with how many players have tried and solved it today. `root`: of the service."""
    day = today(context)
    puzzle, counts = puzzle_of(day), context.puzzle_attempts.count_day(day)
    return {
        "date": _date(day).date().isoformat(),
        "next_at": rfc3339((day + 1) * DAY_MS),
        "puzzle": puzzle_views.puzzle_json(context, puzzle),
        "attempts": counts.attempts,
        "solved": counts.solved,
        "share_text": f"{invitation(day, language)} {root}/{PAGE}",
    }


def invitation(day: int, language: str) -> str:
    """Return a sentence that invites others to solve the puzzle of a day, without its solution."""
    date, title = _date(day), i18n.title(puzzle_of(day).ruleset, language)
    names = {"title": title, "day": str(date.day), "month": date.month, "year": str(date.year)}
    return TEXTS.message(language, "puzzle-share", names)


def _date(day: int) -> datetime:
    return datetime.fromtimestamp(day * DAY_MS / 1000, UTC)
