"""Follow-ups: doing what a change of a player or a game leaves to be done in other slots, at once or by a keeper.

Whoever does one may die at any step, and two may do the same one: each handler can be run again, and changes nothing
where everything is done.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from types import MappingProxyType

from service.storage.base.connect import RedisError
from service.storage.base.follow_ups import RESULT, FollowUp
from service.usecases.base import claims
from service.usecases.base.batches import Look, logged
from service.usecases.base.context import Context

NAMES, FAREWELL = "names", "farewell"
DUE_AFTER_MS = 10_000  # whoever wrote it has done it by then, or never will
RETRY_MS = 15_000  # of one that failed, or whose keeper lost the store or died
FOLLOW_UPS_A_LOOK = 20  # of a bucket


def _settle_names(context: Context, follow_up: FollowUp) -> None:
    claims.settle(context, follow_up.owner, follow_up.facts)


def _say_farewell(context: Context, follow_up: FollowUp) -> None:
    """It needs the rules, which a keeper loads with the first game that asks for them, or before."""
    from service.usecases.people import account_deletion

    account_deletion.say_farewell(context, follow_up)


def _count(context: Context, follow_up: FollowUp) -> None:
    """It needs the rules, too, and what computes ratings."""
    from service.usecases.matchmaking import competing
    from service.usecases.people import rating_games

    rating_games.count(context, follow_up.owner)
    competing.record(context, follow_up.owner)


HANDLERS: Mapping[str, Callable[[Context, FollowUp], None]] = MappingProxyType(
    {NAMES: _settle_names, FAREWELL: _say_farewell, RESULT: _count}
)
"""By kind."""


def due_at(context: Context) -> int:
    """Unix ms when a keeper does what is written now."""
    return context.now_ms() + DUE_AFTER_MS


def do(context: Context, follow_up: FollowUp) -> None:
    """Do it, all of it."""
    HANDLERS[follow_up.kind](context, follow_up)
    context.follow_ups.done(follow_up)


def do_at_once(context: Context, follow_up: FollowUp) -> None:
    """Do it for who has just written it; where the store is away, a keeper will."""
    with contextlib.suppress(RedisError):
        do(context, follow_up)


def look_after(context: Context) -> Look:
    """Do what is due; how many. One that fails is logged, and tried again after a while."""
    now, done = context.now_ms(), 0
    due = context.follow_ups.take(now, now + RETRY_MS, FOLLOW_UPS_A_LOOK)
    for follow_up in due:
        with logged("a follow-up cannot be done", kind=follow_up.kind, owner=follow_up.owner):
            do(context, follow_up)
            done += 1
    return Look(done, done >= FOLLOW_UPS_A_LOOK)
