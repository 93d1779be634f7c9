"""Work for background workers, and how workers and keepers process it.

A piece of work is named `kind task number`, which is all a worker needs. Pieces wait in a backlog that divides time
fairly between callers (`service.storage.work.backlog`). Jobs in the queue are only wake-ups. A worker that takes one
processes pieces for a while and then wakes the next worker. Keepers repeat lost wake-ups and return the pieces of dead
workers to the backlog.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from service.games.errors import GameError
from service.storage.work.backlog import BacklogFullError, Taken
from service.storage.work.queue import BACKGROUND, MATCHES
from service.storage.work.tasks import FAILED
from service.usecases.base.batches import BatchResult
from service.usecases.base.context import Context

ANALYSIS, GAME, IMPORT = "analysis", "game", "import"
PIECE_LEASE_MS = 20_000
MIN_RETRY_AFTER_S, MAX_RETRY_AFTER_S = 30, 3_600
WORKER_OF = {BACKGROUND: "background", MATCHES: "dialer"}
"""Kind of worker for each backlog."""


class Piece(NamedTuple):
    """A piece of work. `number`: index of a tournament's game, else 0."""

    kind: str
    task: str
    number: int = 0

    @property
    def name(self) -> str:
        """The name in the backlog."""
        return " ".join(map(str, self))


def piece_of(name: str) -> Piece:
    """Return the piece with this name."""
    kind, task, number, *_ = name.split(" ")  # a newer version may add some
    return Piece(kind, task, int(number))


def submit(
    context: Context, payer: str, pieces: Sequence[Piece], cost_s: float, *, origin: str, dial: bool = False
) -> None:
    """Add pieces to a backlog, each of which takes about `cost_s`. `payer`: whose share of the time they use.

    `origin`: `Caller.share`. Raises: limit/background if too much work of this payer, or of this origin, is waiting.
    """
    most_s = context.settings.limit_background if context.settings.has_rate_limits else 0
    backlog = context.backlogs[MATCHES if dial else BACKGROUND]
    try:
        backlog.add(payer, [piece.name for piece in pieces], cost_s, most_s, origin)
    except BacklogFullError as full:
        excess = full.waiting_s + len(pieces) * cost_s - full.limit_s
        wait_s = round(min(MAX_RETRY_AFTER_S, max(MIN_RETRY_AFTER_S, excess)))
        raise GameError("limit/background", limit=round(full.limit_s), retry_after_s=wait_s) from None
    wake(context, backlog.name)


def wake(context: Context, name: str) -> None:
    """Wake as many idle workers as there is work for."""
    backlog = context.backlogs[name]
    able = max(1, context.queue.count_living(WORKER_OF[name]))
    awake = backlog.being_done() + context.queue.count_wake_ups(name)
    context.queue.wake_background(name, min(backlog.waiting(), able - awake))


def take(context: Context, name: str, *, short: bool = False) -> Taken | None:
    """Return the next piece, with a lease."""
    return context.backlogs[name].take(context.now_ms() + PIECE_LEASE_MS, short=short)


def renew(context: Context, name: str, piece: Piece) -> None:
    """Renew the lease of a piece."""
    context.backlogs[name].renew(piece.name, context.now_ms() + PIECE_LEASE_MS)


def finish(context: Context, name: str, piece: Piece) -> None:
    """Remove a piece that is done or has failed."""
    context.backlogs[name].drop([piece.name])


def cancel(context: Context, pieces: Sequence[Piece]) -> None:
    """Remove pieces that are no longer needed."""
    for backlog in context.backlogs.values():
        if pieces:
            backlog.drop([piece.name for piece in pieces])


def run_due(context: Context) -> BatchResult:
    """Return lost pieces to the backlogs and repeat lost wake-ups. The result counts pieces that have failed."""
    failed = 0
    for name, backlog in context.backlogs.items():
        abandoned = backlog.give_back(context.now_ms())
        for piece in map(piece_of, abandoned):
            context.tasks.report(piece.task, FAILED)
        if abandoned:
            backlog.drop(abandoned)
        failed += len(abandoned)
        if backlog.waiting():
            wake(context, name)
    return BatchResult(failed, more=False)
