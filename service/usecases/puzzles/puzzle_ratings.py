"""Rate a player and a puzzle against each other, once: the first attempt counts.

One transaction stores everything that an attempt changes. If another attempt of the player was counted since the
progress was read, the change is computed again. So simultaneous and repeated attempts count once, and a process that
dies leaves nothing half done. Repeating the answers of the first attempt returns its result.
"""

from __future__ import annotations

from typing import NamedTuple

from service.games import rating
from service.games.errors import GameError
from service.games.rating import Rating
from service.puzzles.model import Puzzle
from service.storage.base.optimistic import LostRaceError, optimistic
from service.storage.people.ratings import DAY_MS
from service.storage.puzzles.puzzle_attempts import (
    FirstAttempt,
    NewAttempt,
    Progress,
    PuzzleRating,
    StoredAttempt,
)
from service.usecases.base.context import Context
from service.usecases.puzzles import daily, puzzle_views


class Counted(NamedTuple):
    """The result of an attempt for its player. `first`: None if an earlier attempt with other answers counts."""

    first: FirstAttempt | None
    streak: int


def current(progress: Progress, ruleset: str, now_ms: int) -> Rating:
    """Return the player's puzzle rating at a time; its uncertainty grows from the last attempt on."""
    stored = progress.ratings.get(ruleset)
    if stored is None:
        return rating.NEW
    return Rating(stored.mu, stored.sigma).age((now_ms - stored.at_ms) / DAY_MS)


def count(context: Context, player_id: str, puzzle: Puzzle, answers: tuple[int, ...], *, is_solved: bool) -> Counted:
    """Store a finished attempt. Raises: auth/token_unknown if the player has been deleted."""

    def attempt() -> Counted:
        progress = context.puzzle_attempts.progress(player_id)
        new = _compute(context, progress, puzzle, answers, is_solved=is_solved)
        is_stored = context.puzzle_attempts.count(player_id, progress, new)
        if is_stored is None:
            raise GameError("auth/token_unknown")
        if not is_stored:
            raise LostRaceError
        first = new.attempt.first
        return Counted(first, first.streak) if first.answers == answers else Counted(None, new.streaks.current)

    return optimistic(attempt)


def _compute(
    context: Context, progress: Progress, puzzle: Puzzle, answers: tuple[int, ...], *, is_solved: bool
) -> NewAttempt:
    """Return what the attempt changes."""
    now_ms, streaks = context.now_ms(), progress.streaks
    today = now_ms // DAY_MS
    is_daily = daily.puzzle_of(today).id == puzzle.id and streaks.day != today
    if is_daily:
        days = (streaks.daily if streaks.day == today - 1 else 0) + 1
        streaks = streaks._replace(daily=days if is_solved else 0, day=today)
    day = today if is_daily else None
    earlier = progress.attempts.get(puzzle.id)
    if earlier is not None:
        repeated = StoredAttempt(earlier.first, now_ms, is_solved)
        return NewAttempt(puzzle.id, puzzle.ruleset, repeated, streaks, day=day)
    in_a_row = streaks.current + 1 if is_solved else 0
    streaks = streaks._replace(current=in_a_row, best=max(streaks.best, in_a_row))
    before, (puzzle_before,) = current(progress, puzzle.ruleset, now_ms), puzzle_views.ratings_of(context, [puzzle])
    after, puzzle_after = rating.rate_game([before, puzzle_before], [1, 2] if is_solved else [2, 1])
    stored = progress.ratings.get(puzzle.ruleset) or PuzzleRating(*rating.NEW, 0, 0, 0)
    rated = PuzzleRating(*after, stored.attempts + 1, stored.solved + int(is_solved), now_ms)
    first = FirstAttempt(now_ms, is_solved, answers, before.points, after.points, in_a_row)
    moved = puzzle_after.mu - puzzle_before.mu
    return NewAttempt(puzzle.id, puzzle.ruleset, StoredAttempt(first, now_ms, is_solved), streaks, rated, moved, day)
