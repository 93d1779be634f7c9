"""Long work, a piece at a time: what a job on the queues of background workers and dialers does.

A job does pieces for about a second, or one that takes longer, and wakes the next. While a long piece is being done
(a game of a tournament, a review), short ones need not wait for its end: between two decisions they are done at once,
for as long as the decisions themselves have taken, so that half of the time at least goes to the long piece.
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

WORK_SLICE_S = 1.0
RENEW_S = background.PIECE_LEASE_MS / 4000

log = structlog.get_logger(__name__)


def do_next(name: str) -> None:
    """Do what is next in the backlog of that name."""
    end = time.monotonic() + WORK_SLICE_S
    while time.monotonic() < end and (taken := background.take(jobs.context(), name)) is not None:
        perform(name, taken)
    background.wake(jobs.context(), name)


def perform(name: str, taken: Taken, *, alone: bool = False) -> None:
    """Do a piece; its task reports a failure. `alone`: nothing else is done between its decisions."""
    piece = piece_of(taken.name)
    between = Between(name, piece, serves=name == BACKGROUND and not alone)
    try:
        if piece.kind != IMPORT:
            _wait_until_compiled(between)
        PERFORM[piece.kind](piece, between)
    except Exception:
        log.exception("work_failed", piece=taken.name, attempt=taken.attempt)
        jobs.context().tasks.report(piece.task, FAILED)
    background.done(jobs.context(), name, piece)


def _wait_until_compiled(between: Callable[[], None]) -> None:
    while not all(map(jobs.may_search, RULESETS.values())):
        between()
        time.sleep(code_cache.LOOK_S)


class Between:
    """Called between the decisions of a piece: prolongs its lease, and does short pieces that wait."""

    def __init__(self, name: str, piece: Piece, *, serves: bool) -> None:
        self._name, self._piece, self._serves = name, piece, serves
        self._since = self._renewed = time.monotonic()

    def __call__(self) -> None:
        """A decision has been made."""
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
    GAME: lambda piece, between: jobs.play_games(piece.task, piece.number, 1, between),
}
