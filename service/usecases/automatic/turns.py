"""An AI's turn, as a worker plays it: take the decision that is due, search, act; again while an AI's decision follows.

A lease is short and prolonged while the search lives, so that the decision of a killed worker is due again within
seconds. It keeps nobody else from deciding: the commit says who was first.
"""

from __future__ import annotations

from dataclasses import dataclass

from service.games.errors import GameError
from service.games.events import DrawEvent
from service.games.model import Game
from service.games.moments import rfc3339
from service.games.session import GameSession
from service.rulesets.ruleset import Position
from service.usecases.core import repository
from service.usecases.core.context import Context

TURN_LEASE_MS = 2_000
HANDED_BACK_MS = 2_000


@dataclass(frozen=True)
class Turn:
    """A decision that a worker has taken on."""

    game: Game
    seat: int
    position: Position
    level: str
    attempt: int  # leases granted for this decision so far, this one counted
    goes_on: bool = False  # the seat's decision before was the worker's, too, and nothing was drawn since

    @property
    def game_id(self) -> str:
        """The game's id."""
        return self.game.meta.id

    @property
    def revision(self) -> int:
        """What the action will be decided on."""
        return self.game.revision


def take(context: Context, game_id: str, revision: int, seat: int) -> Turn | None:
    """The decision, leased; None if it is no longer an AI's at that seat."""
    game = game_waiting_for(context, game_id, revision, seat)
    return None if game is None else _leased(context, game)


def game_waiting_for(context: Context, game_id: str, revision: int, seat: int) -> Game | None:
    """The game; None if it no longer waits there for that seat's decision, or its rules are newer than ours."""
    try:
        game = repository.load(context, game_id).game
    except GameError:  # gone, or for a newer worker
        return None
    return game if (game.revision, game.to_decide) == (revision, seat) else None


def _leased(context: Context, game: Game, *, goes_on: bool = False) -> Turn | None:
    level, seat = game.level_to_decide, game.to_decide
    if level is None or seat is None or game.position is None:
        return None
    attempt = context.store.lease(game.meta.id, game.revision, context.now_ms() + TURN_LEASE_MS)
    return None if attempt is None else Turn(game, seat, game.position, level, attempt, goes_on)


def renew(context: Context, turn: Turn) -> bool:
    """Prolong the lease; False: somebody else has decided, searching on is in vain."""
    return context.store.renew(turn.game_id, turn.revision, context.now_ms() + TURN_LEASE_MS)


def hand_back(context: Context, turn: Turn) -> None:
    """Leave the decision to a later look: nobody can make it now."""
    context.store.hand_back(turn.game_id, turn.revision, context.now_ms() + HANDED_BACK_MS)


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
    if not commit(context, session, wake=not follows):
        return None
    return _leased(context, session.game, goes_on=same_turn) if follows else None


def commit(context: Context, session: GameSession, *, wake: bool = True) -> bool:
    """Commit what a worker has decided, and wake who is next; False: another writer was faster, or the game is gone."""
    try:
        repository.append(context, session)
    except GameError:
        return False
    if wake:
        repository.wake(context, session.game)
    return True
