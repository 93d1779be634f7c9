"""The duties of a keeper. This module loads no rules, so a keeper starts at once.

A look at what is due is cut into small parts, and time comes first: however many AIs, webhooks and expired games are
waiting, between two parts the clocks are looked at. A game that cannot be looked after, because what is stored of it
is damaged, is logged and put off, later and later; the others go on.
"""

from __future__ import annotations

from collections.abc import Callable

import structlog
from cachetools import LRUCache

from service.games.state.statuses import CALL, TIME
from service.storage.base.connect import outage
from service.storage.games.stored import Stored
from service.storage.work.queue import Woken
from service.usecases.base import game_facts
from service.usecases.base.batches import Look
from service.usecases.base.context import Context
from service.usecases.matchmaking import bot_arena, competing, pairing
from service.usecases.notifications import dispatch
from service.usecases.people import follow_ups
from service.usecases.work import background

LOG = structlog.get_logger()
AGAIN_MS = 1_000  # a wake-up that nobody followed is repeated after so long
WAITING_MS = 2_000  # one that waits in the queue is looked for after so long
FIRST_BACK_OFF_MS, LONGEST_BACK_OFF_MS = 1_000, 300_000
MAX_TROUBLED = 10_000  # games whose failures a keeper remembers
GAMES_A_LOOK = dispatch.DELIVERIES_A_LOOK


class BackOff:
    """How long a game is left alone that could not be looked after: each time twice as long."""

    def __init__(self) -> None:
        self._failures = LRUCache[str, int](MAX_TROUBLED)

    def after(self, game_id: str) -> int:
        """It has failed once more: milliseconds until it is looked at again."""
        self._failures[game_id] = failures = self._failures.get(game_id, 0) + 1
        return int(min(FIRST_BACK_OFF_MS * 2 ** (failures - 1), LONGEST_BACK_OFF_MS))

    def over(self, game_id: str) -> None:
        """It has gone well."""
        self._failures.pop(game_id, None)


def look(context: Context, back_off: BackOff) -> bool:
    """Look after all times that are up, and a part of whatever else is due; whether there is more."""
    calls = (dispatch.drain, dispatch.send_due) if context.settings.calls else ()
    more = False
    for part in (
        lambda doors: wake_due(doors, back_off),
        *calls,
        competing.look_after,
        pairing.look_after,
        bot_arena.look_after,
        follow_ups.look_after,
        background.look_after,
    ):
        keep_times(context, back_off)
        more = part(context).more or more
    return more


def keep_times(context: Context, back_off: BackOff) -> int:
    """Write what time has brought, however much; in how many games."""
    done = 0
    while due := context.store.schedule.timeouts(context.now_ms(), GAMES_A_LOOK):
        done += sum(_looked_after(context, back_off, game_id, _keep_time) for game_id in due)
    return done


def wake_due(context: Context, back_off: BackOff) -> Look:
    """Wake workers and dialers for decisions that are due and not leased; how many were woken."""
    due = context.store.schedule.due(context.now_ms(), GAMES_A_LOOK)
    done = sum(_looked_after(context, back_off, game_id, _wake) for game_id in due)
    return Look(done, len(due) == GAMES_A_LOOK)


def _looked_after(
    context: Context, back_off: BackOff, game_id: str, look: Callable[[Context, str, Stored], bool]
) -> bool:
    """Whether something was done."""
    done = False
    try:
        stored = context.store.load(game_id)
        if stored is None:  # it has expired
            context.store.schedule.forget_due(game_id)
        else:
            done = look(context, game_id, stored)
        back_off.over(game_id)
    except Exception as error:
        if outage(error) is not None:
            raise
        again_in_ms = back_off.after(game_id)
        LOG.exception("a game cannot be looked after", game=game_id, again_in_ms=again_in_ms)
        context.store.schedule.put_off(game_id, context.now_ms() + again_in_ms)
    return done


def _wake(context: Context, game_id: str, stored: Stored) -> bool:
    facts = game_facts.facts_of(stored)
    if facts.due == TIME:  # stored by a version that kept all that is due in one list
        return _keep_time(context, game_id, stored)
    again_ms = context.now_ms() + AGAIN_MS
    if facts.to_decide is None or not context.store.schedule.postpone(game_id, stored.revision, again_ms):
        return False
    call = facts.due == CALL
    woken = context.queue.wake(game_id, stored.revision, facts.to_decide, stored.attempts, call=call)
    if woken is Woken.WAITING:
        context.store.schedule.postpone(game_id, stored.revision, context.now_ms() + WAITING_MS)
    return woken is Woken.SENT


def _keep_time(context: Context, game_id: str, stored: Stored) -> bool:
    """As `times.keep_time`, which needs the rules: they are loaded with the first game whose time is up, or before."""
    from service.usecases.games import timeouts

    if timeouts.keep_time(context, game_id):
        return True
    # another keeper was faster, or this process is older than the game
    context.store.schedule.postpone(game_id, stored.revision, context.now_ms() + AGAIN_MS, timed=True)
    return False


def learn_the_rules() -> None:
    """Load what keeping the time needs, so that the first game whose time is up need not wait for it."""
    import service.usecases.games.timeouts  # noqa: F401


def sweep(context: Context, between: Callable[[], object] = bool) -> int:
    """Forget what has expired; how many games. `between` is called after each batch."""
    return context.store.sweep(context.now_ms(), between)
