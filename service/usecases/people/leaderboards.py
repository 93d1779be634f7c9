"""Leaderboards as JSON."""

from __future__ import annotations

from service.rulesets.wire import Json
from service.usecases.base import access
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.people import leaderboard_names


def page(context: Context, ruleset: str, seats: str, who: str, period: str, first: int, limit: int) -> Json:
    """Return the places from `first` on."""
    return _page(context, leaderboard_names.board(ruleset, seats, who, period, context.now_ms()), first, limit)


def page_around(context: Context, caller: Caller, ruleset: str, seats: str, period: str, limit: int) -> Json:
    """Return the places around the caller among people or among bots; no places if they have none."""
    player = access.must_be_player(context, caller)
    who = leaderboard_names.BOTS if player.bot else leaderboard_names.PEOPLE
    board = leaderboard_names.board(ruleset, seats, who, period, context.now_ms())
    rank = context.leaderboards.rank(board, player.id)
    if rank is None:
        return {"places": [], "total": context.leaderboards.size(board), "next_first": None}
    return _page(context, board, max(1, rank - limit // 2), limit)


def _page(context: Context, board: str, first: int, limit: int) -> Json:
    """Return a page. Deleted players are removed from the leaderboard."""
    while True:
        placed, total = context.leaderboards.page(board, first, limit), context.leaderboards.size(board)
        players = context.players.get_many([one.player for one in placed])
        deleted = [one.player for one, player in zip(placed, players, strict=True) if player is None]
        if not deleted:
            break
        context.leaderboards.remove([board], deleted)
    after = first + len(placed)
    return {
        "places": [
            {"rank": one.rank, "player": player_json(player), "points": one.points}
            for one, player in zip(placed, players, strict=True)
            if player is not None
        ],
        "total": total,
        "next_first": after if after <= total else None,
    }
