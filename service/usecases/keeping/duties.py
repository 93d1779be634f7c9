"""The keeper's batches of due work. This module does not load the rules, so a keeper starts fast.

Due work is split into small batches, and timeouts are applied between any two of them, however much other work is
waiting. If processing a game fails, for example because its stored data is damaged, the error is logged and the game is
postponed with growing delays. Other games are not affected.
"""

from __future__ import annotations

from collections.abc import Callable

import orjson
import structlog
from cachetools import LRUCache

from service.games.state.statuses import CALL, TIME
from service.storage.base.connect import outage
from service.storage.games.stored_game import StoredGame
from service.storage.work.queue import WakeResult
from service.usecases.base import game_facts, outgoing
from service.usecases.base.batches import BatchResult
from service.usecases.base.context import Context
from service.usecases.matchmaking import bot_arena, competing, pairing
from service.usecases.notifications import dispatch
from service.usecases.people import follow_ups
from service.usecases.work import background

LOG = structlog.get_logger()
REPEAT_MS = 1_000  # delay before a wake-up without effect is repeated
WAITING_MS = 2_000  # delay before a wake-up that waits in the queue is checked again
QUEUED_MS = 5_000  # delay before a call in the queue of outgoing calls is checked again
FIRST_BACK_OFF_MS, LONGEST_BACK_OFF_MS = 1_000, 300_000
MAX_FAILING_GAMES = 10_000  # games whose failures a keeper counts
GAMES_PER_BATCH = dispatch.DELIVERIES_PER_BATCH


class BackOff:
    """Delays before a failing game is processed again, doubled with each failure."""

    def __init__(self) -> None:
        self._failures = LRUCache[str, int](MAX_FAILING_GAMES)

    def next_delay_ms(self, game_id: str) -> int:
        """Count a failure and return the milliseconds until the next attempt."""
        self._failures[game_id] = failures = self._failures.get(game_id, 0) + 1
        return int(min(FIRST_BACK_OFF_MS * 2 ** (failures - 1), LONGEST_BACK_OFF_MS))

    def reset(self, game_id: str) -> None:
        """Forget the failures of a game after a success."""
        self._failures.pop(game_id, None)


def run_due(context: Context, back_off: BackOff) -> bool:
    """Apply all timeouts that are due and a batch of each other kind of work. Return whether more may be due."""
    calls = (dispatch.drain, dispatch.send_due) if context.settings.allows_calls else ()
    outgoing.wake_dialers(context)
    more = False
    for part in (
        lambda context: wake_due(context, back_off),
        *calls,
        competing.run_due,
        pairing.run_due,
        bot_arena.run_due,
        follow_ups.run_due,
        background.run_due,
    ):
        apply_timeouts(context, back_off)
        more = part(context).more or more
    return more


def apply_timeouts(context: Context, back_off: BackOff) -> int:
    """Apply all timeouts that are due. Return the number of changed games."""
    changed = 0
    while due := context.store.schedule.timeouts(context.now_ms(), GAMES_PER_BATCH):
        changed += sum(_process(context, back_off, game_id, _apply_timeout) for game_id in due)
    return changed


def wake_due(context: Context, back_off: BackOff) -> BatchResult:
    """Wake workers and dialers for due decisions without a lease. The result counts the wake-ups."""
    due = context.store.schedule.due(context.now_ms(), GAMES_PER_BATCH)
    done = sum(_process(context, back_off, game_id, _wake) for game_id in due)
    return BatchResult(done, len(due) == GAMES_PER_BATCH)


def _process(
    context: Context, back_off: BackOff, game_id: str, action: Callable[[Context, str, StoredGame], bool]
) -> bool:
    """Run the action on a stored game and return its result. Log and postpone a failure."""
    has_changed = False
    try:
        stored = context.store.load(game_id)
        if stored is None:  # expired
            context.store.schedule.forget_due(game_id)
        else:
            has_changed = action(context, game_id, stored)
        back_off.reset(game_id)
    except Exception as error:
        if outage(error) is not None:
            raise
        delay_ms = back_off.next_delay_ms(game_id)
        LOG.exception("cannot process a game", game=game_id, again_in_ms=delay_ms)
        context.store.schedule.put_off(game_id, context.now_ms() + delay_ms)
    return has_changed


def _wake(context: Context, game_id: str, stored: StoredGame) -> bool:
    facts = game_facts.facts_of(stored)
    if facts.due == TIME:  # older versions stored everything due in one list
        return _apply_timeout(context, game_id, stored)

    def postpone(delay_ms: int, due_ms: int | None = None) -> bool:
        """Postpone the decision, unless it has been leased since it was listed as due: that would end the lease."""
        until_ms, before = context.now_ms() + delay_ms, stored.attempts
        return context.store.schedule.postpone(game_id, stored.revision, until_ms, before=before, due_ms=due_ms)

    if facts.to_decide is None or not postpone(QUEUED_MS if facts.due == CALL else REPEAT_MS, context.now_ms()):
        return False
    decision = outgoing.Decision(game_id, stored.revision, facts.to_decide, stored.attempts)
    if facts.due == CALL:
        endpoint = orjson.loads(stored.meta)["endpoints"][facts.to_decide]
        outgoing.add_decision(context, decision, endpoint["url"], endpoint.get("owner"))
        return True
    woken = context.queue.wake(*decision)
    if woken is WakeResult.WAITING:
        postpone(WAITING_MS)
    return woken is WakeResult.SENT


def _apply_timeout(context: Context, game_id: str, stored: StoredGame) -> bool:
    from service.usecases.games import timeouts  # loads the rules

    if timeouts.keep_time(context, game_id):
        return True
    # another keeper was faster, or this process is older than the game
    context.store.schedule.postpone(game_id, stored.revision, context.now_ms() + REPEAT_MS, timed=True)
    return False


def load_rules() -> None:
    """Import the rules, so that the first timeout does not wait for them."""
    import service.usecases.games.timeouts  # noqa: F401


def sweep(context: Context, between: Callable[[], object] = lambda: None) -> int:
    """Delete expired games and return their number. `between` is called after each batch."""
    context.players.index.sweep()
    return context.store.sweep(context.now_ms(), between)
