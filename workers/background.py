"""Jobs of background workers and dialers: long work in pieces.

A job performs pieces for about a second, or one longer piece, and wakes the next job. Short pieces do not wait for a
long one, such as a review: they are performed between its decisions. They get at most half of the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import structlog

from service.rulesets import code_cache
from service.rulesets.registry import RULESETS
from service.storage.work.backlog import Taken
from service.storage.work.queue import BACKGROUND
from service.storage.work.tasks import FAILED
from service.usecases.work import background
from service.usecases.work.background import ANALYSIS, GAME, IMPORT, Piece, piece_of
from workers import jobs
from workers.processes.job_arguments import job

WORK_SLICE_S = 1.0
RENEW_S = background.PIECE_LEASE_MS / 4000

log = structlog.get_logger(__name__)


@job
def do_next(name: str) -> None:
    """Perform the next pieces of a backlog."""
    end = time.monotonic() + WORK_SLICE_S
    while time.monotonic() < end and (taken := background.take(jobs.context(), name)) is not None:
        perform(name, taken)
    background.wake(jobs.context(), name)


def perform(name: str, taken: Taken, *, alone: bool = False) -> None:
    """Perform a piece, and report a failure to its task. `alone`: do not perform others between its decisions."""
    piece = piece_of(taken.name)
    between = Between(name, piece, serves=name == BACKGROUND and not alone)
    try:
        if piece.kind != IMPORT:
            _wait_until_compiled(between)
        PERFORM[piece.kind](piece, between)
    except Exception:
        log.exception("work_failed", piece=taken.name, attempt=taken.attempt)
        jobs.context().tasks.report(piece.task, FAILED)
    background.finish(jobs.context(), name, piece)


def _wait_until_compiled(between: Callable[[], None]) -> None:
    while not all(map(jobs.may_search, RULESETS.values())):
        between()
        time.sleep(code_cache.CHECK_S)


class Between:
    """Callable for the time between two decisions of a piece: renews its lease and performs short pieces."""

    def __init__(self, name: str, piece: Piece, *, serves: bool) -> None:
        self._name, self._piece, self._serves = name, piece, serves
        self._since = self._renewed = time.monotonic()

    def __call__(self) -> None:
        """Renew the lease if necessary, and perform short pieces."""
        now = time.monotonic()
        if now - self._renewed >= RENEW_S:
            self._renewed = now
            background.renew(jobs.context(), self._name, self._piece)
        if self._serves:
            end = now + (now - self._since)
            while time.monotonic() < end and (taken := self._next_short()) is not None:
                perform(self._name, taken, alone=True)
        self._since = time.monotonic()

    def _next_short(self) -> Taken | None:
        return background.take(jobs.context(), self._name, short=True)


PERFORM: Mapping[str, Callable[[Piece, Between], None]] = {
    ANALYSIS: lambda piece, between: jobs.analyse(piece.task, between),
    IMPORT: lambda piece, _between: jobs.read_in(piece.task),
    GAME: lambda piece, between: jobs.play_game(piece.task, piece.number, between),
}
