"""The puzzle that a caller is to solve next."""

from __future__ import annotations

from collections.abc import Sequence

from service.games.errors import GameError
from service.puzzles.model import Puzzle
from service.rulesets.wire import Json
from service.storage.puzzles.puzzle_attempts import Progress
from service.usecases.base import access
from service.usecases.base.context import Caller, Context
from service.usecases.puzzles import puzzle_ratings, puzzle_views


def find_next(context: Context, caller: Caller, ruleset: str | None, theme: str | None, after: str | None) -> Json:
    """Return a puzzle of the ruleset and with the theme; None selects all.

    For a player: a puzzle without attempt that is as difficult as the player is strong. For others: the puzzle after
    `after` in a fixed order, or the first. Raises: request/invalid for an unknown theme, puzzle/not_found.
    """
    player, puzzles = access.player_of(context, caller), puzzle_views.all_puzzles()
    themes = sorted({one for puzzle in puzzles for one in puzzle.themes})
    if theme not in (None, *themes):
        raise GameError("request/invalid", errors={"/theme": f"must be one of: {', '.join(themes)}"})
    fitting = [
        puzzle for puzzle in puzzles if ruleset in (None, puzzle.ruleset) and (theme is None or theme in puzzle.themes)
    ]
    if not fitting:
        raise GameError("puzzle/not_found")
    if player is None:
        return puzzle_views.puzzle_json(context, _follow(fitting, after))
    return puzzle_views.puzzle_json(context, _choose(context, player.id, fitting, f"{ruleset or ''}:{theme or ''}"))


def _follow(fitting: Sequence[Puzzle], after: str | None) -> Puzzle:
    """Return the puzzle after this id, which need not exist any more. The first puzzle follows the last."""
    start = "" if after is None else puzzle_views.place(after)
    return next((puzzle for puzzle in fitting if puzzle_views.place(puzzle.id) > start), fitting[0])


def _choose(context: Context, player_id: str, fitting: Sequence[Puzzle], filters: str) -> Puzzle:
    """Return the same puzzle until the player has tried it. If all were tried: failed ones, longest ago, first."""
    progress = context.puzzle_attempts.progress(player_id)
    untried = {puzzle.id: puzzle for puzzle in fitting if puzzle.id not in progress.attempts}
    if not untried:
        return min(fitting, key=lambda puzzle: _last_result(progress, puzzle.id))
    if (chosen := untried.get(progress.chosen.get(filters, ""))) is not None:
        return chosen
    nearest = _nearest(context, progress, [*untried.values()])
    context.puzzle_attempts.choose(player_id, filters, nearest.id)
    return nearest


def _last_result(progress: Progress, puzzle_id: str) -> tuple[bool, int]:
    attempt = progress.attempts[puzzle_id]
    return attempt.is_solved, attempt.last_ms


def _nearest(context: Context, progress: Progress, puzzles: Sequence[Puzzle]) -> Puzzle:
    """Return the puzzle whose rating is nearest to the player's in its ruleset."""
    ratings = puzzle_views.ratings_of(context, puzzles)
    distances = [
        abs(one.mu - puzzle_ratings.current(progress, puzzle.ruleset, context.now_ms()).mu)
        for puzzle, one in zip(puzzles, ratings, strict=True)
    ]
    return puzzles[distances.index(min(distances))]
