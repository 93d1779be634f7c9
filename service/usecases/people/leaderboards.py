"""Leaderboards as JSON.

Until a leaderboard has enough ranked players, it lists everybody. Those who are not ranked are provisional.
"""

from __future__ import annotations

from service.games import rating
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.usecases.base import access
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.people import leaderboard_names, rating_games


def page(context: Context, ruleset: str, seats: str, group: str, period: str, first: int, limit: int) -> Json:
    """Return the places from the position `first` on."""
    ranked_only = _is_mature(context, ruleset, seats, group)
    return _page(context, (ruleset, seats, group, period), first, limit, ranked_only=ranked_only)


def page_around(context: Context, caller: Caller, ruleset: str, seats: str, period: str, limit: int) -> Json:
    """Return the places around the caller among people or among bots; no places if they have none."""
    group, now = rating_games.group_of(player := access.must_be_player(context, caller)), context.now_ms()
    ranked_only = _is_mature(context, ruleset, seats, group)
    board = leaderboard_names.board(ruleset, seats, group, period, now)
    position = context.leaderboards.position(board, player.id, ranked_only=ranked_only)
    first, limit = (1, 0) if position is None else (max(1, position - limit // 2), limit)
    return _page(context, (ruleset, seats, group, period), first, limit, ranked_only=ranked_only)


def _is_mature(context: Context, ruleset: str, seats: str, group: str) -> bool:
    """Return whether the leaderboard lists ranked players only. Remove those who no longer play."""
    now = context.now_ms()
    board = leaderboard_names.board(ruleset, seats, group, leaderboard_names.QUARTER, now)
    context.leaderboards.remove_idle(board, leaderboard_names.start_of(leaderboard_names.QUARTER, now))
    return context.leaderboards.count_ranked(board) >= rating.MATURE


def _page(context: Context, names: tuple[str, str, str, str], first: int, limit: int, *, ranked_only: bool) -> Json:
    """Return a page. Deleted players are removed from the leaderboard."""
    *_, period = names
    now, boards = context.now_ms(), context.leaderboards
    board = leaderboard_names.board(*names, now)
    while True:
        placed = boards.page(board, first, limit, ranked_only=ranked_only) if limit else []
        total = boards.size(board, ranked_only=ranked_only)
        players = context.players.get_many([one.player for one in placed])
        deleted = [one.player for one, player in zip(placed, players, strict=True) if player is None]
        if not deleted:
            break
        boards.remove([board], deleted)
    after = first + len(placed)
    return {
        "places": [
            {"rank": one.rank, "player": player_json(player), "points": one.points, "provisional": not one.is_ranked}
            for one, player in zip(placed, players, strict=True)
            if player is not None
        ],
        "total": total,
        "next_first": after if placed and after <= total else None,
        "played_since": rfc3339(leaderboard_names.start_of(period, now)),
    }
