"""The progress of a player in solving puzzles, as JSON."""

from __future__ import annotations

from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.people.ratings import DAY_MS
from service.storage.puzzles.puzzle_attempts import Progress
from service.usecases.base import access
from service.usecases.base.context import Caller, Context
from service.usecases.puzzles import puzzle_ratings


def read(context: Context, caller: Caller) -> Json:
    """Return the caller's puzzle ratings and streaks."""
    player = access.must_be_player(context, caller)
    return _progress_json(context, context.puzzle_attempts.progress(player.id))


def export_json(context: Context, player_id: str) -> Json:
    """Return everything that is stored about a player's puzzles."""
    progress = context.puzzle_attempts.progress(player_id)
    results = [
        {
            "puzzle_id": puzzle_id,
            "at": rfc3339(stored.first.at_ms),
            "solved": stored.first.is_solved,
            "answers": [str(action) for action in stored.first.answers],
            "rating": {"before": stored.first.before, "after": stored.first.after},
        }
        for puzzle_id, stored in sorted(progress.attempts.items(), key=lambda one: one[1].first.at_ms)
    ]
    return {**_progress_json(context, progress), "results": results}


def _progress_json(context: Context, progress: Progress) -> Json:
    now_ms, streaks, rulesets = context.now_ms(), progress.streaks, []
    for ruleset, stored in progress.ratings.items():
        current = puzzle_ratings.current(progress, ruleset, now_ms)
        counts = {"attempts": stored.attempts, "solved": stored.solved}
        rulesets.append({"ruleset": ruleset, "rating": current.points, "provisional": current.is_provisional, **counts})
    return {
        "rulesets": rulesets,
        "streak": streaks.current,
        "best_streak": streaks.best,
        "daily_streak": streaks.daily if now_ms // DAY_MS - streaks.day <= 1 else 0,
    }
