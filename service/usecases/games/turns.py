"""An AI's turn, as a worker plays it: take the decision that is due, search, act; again while an AI's decision follows.

A lease is short and prolonged while the search lives, so that the decision of a killed worker is due again within
seconds. It keeps nobody else from deciding: the commit says who was first.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from service.games.errors import GameError
from service.games.events import DrawEvent
from service.games.session import GameSession
from service.games.state.model import Game
from service.games.state.moments import rfc3339, unix_ms
from service.operate.observability import logs, metrics
from service.rulesets.ruleset import Position
from service.usecases.base import repository, trace_context
from service.usecases.base.context import Context
from service.usecases.base.repository import Loaded

TURN_LEASE_MS = 2_000
HANDED_BACK_MS = 2_000
COMMITTED, OVERTAKEN, CANCELLED, FAILED = "committed", "overtaken", "cancelled", "failed"
OUTCOMES = (COMMITTED, OVERTAKEN, CANCELLED, FAILED)
"""It was written; another writer was faster; nobody wants it any more, seen while searching; something broke."""


@dataclass(frozen=True)
class Turn:
    """A decision that a worker has taken on."""

    game: Game
    seat: int
    position: Position
    level: str
    attempt: int  # leases granted for this decision so far, this one counted
    cause: bytes  # what it is due by, as the store keeps it
    late_ms: int = 0  # since when it was due when it was taken
    taken_at: float = field(default_factory=time.monotonic)

    @property
    def game_id(self) -> str:
        """The game's id."""
        return self.game.meta.id

    @property
    def revision(self) -> int:
        """What the action will be decided on."""
        return self.game.revision


def take(context: Context, game_id: str, revision: int, seat: int, before: int | None = None) -> Turn | None:
    """The decision, leased; None if it is no longer an AI's at that seat, or there were not just `before` attempts."""
    loaded = game_waiting_for(context, game_id, revision, seat)
    return None if loaded is None else _leased(context, loaded.game, loaded.stored.cause, before=before)


def game_waiting_for(context: Context, game_id: str, revision: int, seat: int) -> Loaded | None:
    """The game; None if it no longer waits there for that seat's decision, or its rules are newer than ours."""
    try:
        loaded = repository.load(context, game_id, look_in_archive=False)
    except GameError:  # gone, or for a newer worker
        return None
    return loaded if (loaded.game.revision, loaded.game.to_decide) == (revision, seat) else None


def _leased(context: Context, game: Game, cause: bytes, before: int | None = None) -> Turn | None:
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
    """Prolong the lease; False: somebody else has decided, searching on is in vain."""
    return context.store.schedule.renew(turn.game_id, turn.revision, context.now_ms() + TURN_LEASE_MS)


def hand_back(context: Context, turn: Turn) -> None:
    """Leave the decision to a later look: nobody can make it now."""
    context.store.schedule.hand_back(turn.game_id, turn.revision, context.now_ms() + HANDED_BACK_MS)


def act(context: Context, turn: Turn, action: int, *, with_next: bool = False) -> Turn | None:
    """Commit the action. The next decision that the same worker makes; None where another is woken, or nobody.

    It is the worker's while the seat's turn goes on, and `with_next` where another AI is next.
    """
    session = GameSession(turn.game, rfc3339(context.now_ms()))
    session.act(turn.seat, action)
    same_turn = session.game.to_decide == turn.seat and not any(
        isinstance(event, DrawEvent) for event in session.events
    )
    follows = session.game.level_to_decide is not None and (same_turn or with_next)
    cause = trace_context.present()
    is_first = commit(context, session, wake=not follows)
    ended(context, turn, COMMITTED if is_first else OVERTAKEN)
    return _leased(context, session.game, cause) if is_first and follows else None


def ended(context: Context, turn: Turn, outcome: str) -> None:
    """Count and log what came of a decision, one of `OUTCOMES`."""
    thought_s = time.monotonic() - turn.taken_at
    metrics.current.decided(turn.game.meta.ruleset, turn.level, outcome, turn.late_ms / 1000, thought_s)
    if context.settings.logs_access:
        facts = {"game": turn.game_id, "revision": turn.revision, "seat": turn.seat, "ai_level": turn.level}
        logs.direct("decisions").info(
            "decision", **facts, outcome=outcome, late_ms=turn.late_ms, duration_ms=round(1000 * thought_s, 1)
        )


def commit(context: Context, session: GameSession, *, wake: bool = True) -> bool:
    """Commit what a worker has decided, and wake who is next; False: another writer was faster, or the game is gone."""
    try:
        repository.append(context, session)
    except GameError:
        return False
    if wake:
        repository.wake(context, session.game)
    return True
