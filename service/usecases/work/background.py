"""Long work: what is asked of background workers, and how they and the keepers go about it.

A piece of work is named `kind task number`, all that is needed to do it. Pieces wait in a backlog that shares the time
out among callers (service.storage.work.backlog); the jobs on the queue are wake-ups, each of which does the pieces
whose turn it is for a while, and wakes the next. The keepers see to wake-ups that were lost, and to pieces whose worker
was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from service.games.errors import GameError
from service.storage.work.backlog import BacklogFullError, Taken
from service.storage.work.queue import BACKGROUND, MATCHES
from service.storage.work.tasks import FAILED
from service.usecases.base.batches import Look
from service.usecases.base.context import Context

ANALYSIS, GAME, IMPORT = "analysis", "game", "import"
PIECE_LEASE_MS = 20_000
SHORTEST_WAIT_S, LONGEST_WAIT_S = 30, 3_600  # for Retry-After
WORKER_OF = {BACKGROUND: "background", MATCHES: "dialer"}
"""Who does what waits in a backlog."""


class Piece(NamedTuple):
    """A piece of work. `number`: of a tournament's game, else 0."""

    kind: str
    task: str
    number: int = 0

    @property
    def name(self) -> str:
        """As the backlog knows it."""
        return " ".join(map(str, self))


def piece_of(name: str) -> Piece:
    """The piece of that name."""
    kind, task, number = name.split(" ")
    return Piece(kind, task, int(number))


def ask(context: Context, payer: str, pieces: Sequence[Piece], cost_s: float, *, dial: bool = False) -> None:
    """Have pieces done, each of which takes about so long; `payer`: whose share of the time it is.

    limit/background where they have too much waiting, and limits hold.
    """
    most_s = context.settings.limit_background if context.settings.limited else 0
    backlog = context.backlogs[MATCHES if dial else BACKGROUND]
    try:
        backlog.add(payer, [piece.name for piece in pieces], cost_s, most_s)
    except BacklogFullError as full:
        excess = full.waiting_s + len(pieces) * cost_s - most_s
        wait_s = round(min(LONGEST_WAIT_S, max(SHORTEST_WAIT_S, excess)))
        raise GameError("limit/background", limit=most_s, retry_after_s=wait_s) from None
    wake(context, backlog.name)


def wake(context: Context, name: str) -> None:
    """Wake as many as can do something, and are not awake yet."""
    backlog = context.backlogs[name]
    able = max(1, context.queue.alive(WORKER_OF[name]))
    awake = backlog.being_done() + context.queue.looking(name)
    context.queue.wake_background(name, min(backlog.waiting(), able - awake))


def take(context: Context, name: str, *, short: bool = False) -> Taken | None:
    """The piece whose turn it is, leased."""
    return context.backlogs[name].take(context.now_ms() + PIECE_LEASE_MS, short=short)


def renew(context: Context, name: str, piece: Piece) -> None:
    """It is still being done."""
    context.backlogs[name].renew(piece.name, context.now_ms() + PIECE_LEASE_MS)


def done(context: Context, name: str, piece: Piece) -> None:
    """It is done, whatever came of it."""
    context.backlogs[name].drop([piece.name])


def forget(context: Context, pieces: Sequence[Piece]) -> None:
    """Nobody wants them any more."""
    for backlog in context.backlogs.values():
        if pieces:
            backlog.drop([piece.name for piece in pieces])


def look_after(context: Context) -> Look:
    """The keeper's part: lost pieces wait again, lost wake-ups are sent again."""
    done = 0
    for name, backlog in context.backlogs.items():
        given_up = backlog.give_back(context.now_ms())
        for piece in map(piece_of, given_up):
            context.tasks.report(piece.task, FAILED)
        if given_up:
            backlog.drop(given_up)
        done += len(given_up)
        if backlog.waiting():
            wake(context, name)
    return Look(done, more=False)
