"""Leaderboards, as they are told."""

from __future__ import annotations

from service.rulesets.wire import Json
from service.usecases.base import access
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.people import leaderboard_names


def page(context: Context, ruleset: str, seats: str, who: str, period: str, first: int, limit: int) -> Json:
    """The places from `first` on."""
    return _page(context, leaderboard_names.board(ruleset, seats, who, period, context.now_ms()), first, limit)


def around(context: Context, caller: Caller, ruleset: str, seats: str, period: str, limit: int) -> Json:
    """The places around the caller's, who is among those of their kind; none where they are not placed."""
    player = access.must_be_player(context, caller)
    who = leaderboard_names.BOTS if player.bot else leaderboard_names.PEOPLE
    board = leaderboard_names.board(ruleset, seats, who, period, context.now_ms())
    rank = context.leaderboards.rank(board, player.id)
    if rank is None:
        return {"places": [], "total": context.leaderboards.size(board), "next_first": None}
    return _page(context, board, max(1, rank - limit // 2), limit)


def _page(context: Context, board: str, first: int, limit: int) -> Json:
    """A page; players who are gone are taken off the board, and their places with them."""
    while True:
        placed, total = context.leaderboards.page(board, first, limit), context.leaderboards.size(board)
        found = context.players.every([one.player for one in placed])
        gone = [one.player for one, player in zip(placed, found, strict=True) if player is None]
        if not gone:
            break
        context.leaderboards.remove([board], gone)
    after = first + len(placed)
    return {
        "places": [
            {"rank": one.rank, "player": player_json(player), "points": one.points}
            for one, player in zip(placed, found, strict=True)
            if player is not None
        ],
        "total": total,
        "next_first": after if after <= total else None,
    }
