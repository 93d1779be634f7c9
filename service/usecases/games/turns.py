"""Turns of AIs: a worker takes a due decision, searches and commits, and repeats this while an AI is next.

A lease is short and is renewed during the search, so the decision of a killed worker is due again within seconds. A
lease does not prevent other commits: the first commit wins.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import structlog

from service.games.errors import GameError
from service.games.events import DrawEvent
from service.games.session import GameSession
from service.games.state.model import Game
from service.games.state.moments import rfc3339, unix_ms
from service.operate.observability import logs, metrics
from service.rulesets.ruleset import Position
from service.stored_json import UnreadableRecordError
from service.usecases.base import repository, trace_context
from service.usecases.base.context import Context
from service.usecases.base.repository import Loaded

TURN_LEASE_MS = 2_000
HANDED_BACK_MS = 2_000
COMMITTED, OVERTAKEN, CANCELLED, FAILED = "committed", "overtaken", "cancelled", "failed"
OUTCOMES = (COMMITTED, OVERTAKEN, CANCELLED, FAILED)
"""Committed; another writer was faster; cancelled during the search; an error occurred."""


@dataclass(frozen=True)
class Turn:
    """A decision that a worker has taken."""

    game: Game
    seat: int
    position: Position
    level: str
    attempt: int  # number of leases for this decision, including this one
    cause: bytes  # stored trace context of the request that made it due
    late_ms: int = 0  # time from when it was due until it was taken
    taken_at: float = field(default_factory=time.monotonic)

    @property
    def game_id(self) -> str:
        """The game's id."""
        return self.game.meta.id

    @property
    def revision(self) -> int:
        """The revision that the action is decided on."""
        return self.game.revision


def take(context: Context, game_id: str, revision: int, seat: int, before: int | None = None) -> Turn | None:
    """Return the decision with a lease, or None if it is not due from an AI at that seat.

    With `before`, also return None unless there were exactly that many attempts.
    """
    loaded = game_waiting_for(context, game_id, revision, seat)
    return None if loaded is None else _lease(context, loaded.game, loaded.stored.cause, before=before)


def game_waiting_for(context: Context, game_id: str, revision: int, seat: int) -> Loaded | None:
    """Return the game, or None if it does not wait for that decision or its rules are newer than this process's."""
    try:
        loaded = repository.load(context, game_id, look_in_archive=False)
    except (GameError, UnreadableRecordError):  # deleted, damaged, or for a newer worker
        return None
    return loaded if (loaded.game.revision, loaded.game.to_decide) == (revision, seat) else None


def _lease(context: Context, game: Game, cause: bytes, before: int | None = None) -> Turn | None:
    level, seat = game.level_to_decide, game.to_decide
    if level is None or seat is None or game.position is None:
        return None
    now_ms = context.now_ms()
    attempt = context.store.schedule.lease(game.meta.id, game.revision, now_ms + TURN_LEASE_MS, before)
    if attempt is None:
        return None
    late_ms = max(0, now_ms - unix_ms(game.updated_at))
    return Turn(game, seat, game.position, level, attempt, cause, late_ms)


def renew(context: Context, turn: Turn) -> bool:
    """Renew the lease. Return False if the decision was made elsewhere, so the search can stop."""
    return context.store.schedule.renew(turn.game_id, turn.revision, context.now_ms() + TURN_LEASE_MS)


def hand_back(context: Context, turn: Turn) -> None:
    """Return the decision to the due queue, to be retried a little later."""
    context.store.schedule.hand_back(turn.game_id, turn.revision, context.now_ms() + HANDED_BACK_MS)


def act(context: Context, turn: Turn, action: int, *, with_next: bool = False) -> Turn | None:
    """Commit the action. Return the same worker's next decision, or None if another worker is woken or no AI is next.

    The worker keeps the decision while the seat's turn continues and, if `with_next`, if another AI is next.
    """
    session = GameSession(turn.game, rfc3339(context.now_ms()))
    session.act(turn.seat, action)
    same_turn = session.game.to_decide == turn.seat and not any(
        isinstance(event, DrawEvent) for event in session.events
    )
    follows = session.game.level_to_decide is not None and (same_turn or with_next)
    cause = trace_context.serialize()
    is_first = commit(context, session, wake=not follows)
    record_outcome(context, turn, COMMITTED if is_first else OVERTAKEN)
    return _lease(context, session.game, cause) if is_first and follows else None


def record_outcome(context: Context, turn: Turn, outcome: str) -> None:
    """Count and log the outcome of a decision, one of `OUTCOMES`."""
    thought_s = time.monotonic() - turn.taken_at
    metrics.current.record_decision(turn.game.meta.ruleset, turn.level, outcome, turn.late_ms / 1000, thought_s)
    if context.settings.has_access_log:
        request_id = structlog.contextvars.get_contextvars().get("request_id")
        facts = {"request_id": request_id, "game": turn.game_id, "revision": turn.revision, "seat": turn.seat}
        times = {"late_ms": turn.late_ms, "duration_ms": round(1000 * thought_s, 1)}
        logs.write("decisions", "decision", {**facts, "ai_level": turn.level, "outcome": outcome, **times})


def commit(context: Context, session: GameSession, *, wake: bool = True) -> bool:
    """Commit a decision and wake the next decider. Return False if another writer was faster or the game is gone."""
    try:
        repository.append(context, session)
    except GameError:
        return False
    if wake:
        repository.wake(context, session.game)
    return True
