"""Games of matches on other machines: background workers take them from the queue, among their other work.

Every worker needs the same sources, and the programs that take part. Background workers run at low priority: where
players have a time for each decision, machines that are busy otherwise make them weaker, both alike.

A game that takes much longer than the others did is put on the queue once more, as its worker may have been killed; the
first report counts. Few games at a time are on the queue, so that little is left of a match that is over.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import orjson

from research.matches import programs
from research.matches.match import Game, Match, play
from research.matches.results import game_of
from research.matches.running import Place, Players
from service.rulesets.wire import Json
from service.storage.work.queue import BACKGROUND, Queue
from service.storage.work.runs import RedisError, Run

JOB = "research.matches.remote.work"
AHEAD = 4  # games on the queue for each worker
FEWEST = 8
LONGEST_GAME_S = 1800
OVERDUE = 3  # times as long as any other has taken, from being sent to being reported
MIN_OVERDUE_S = 15.0
POLL_S = 1
WORKER_PATIENCE_S = 60.0  # without a worker alive


def work(run_id: str, described: Json, deal: int, seat: int) -> None:
    """Play a game, as a job of the queue, if it is still waited for."""
    from workers.jobs import context  # its doors were opened before this process forked

    run = Run(context().queue.redis, run_id)
    if not run.is_waited_for:
        return
    match = Match(**{**described, "variants": tuple(described["variants"]), "players": tuple(described["players"])})
    game = play(match, deal, seat)
    programs.end_all(filter(programs.is_written, match.players))
    run.report(orjson.dumps(asdict(game)))


def queue(url: str) -> Players:
    """Whoever serves the queue at that Redis."""
    return lambda match, fixtures: _games(url, match, fixtures)


def _games(url: str, match: Match, fixtures: Sequence[Place]) -> Iterator[Game]:
    """The games as they come in (ConnectionError: nobody plays)."""
    run = Run.new(url.split(maxsplit=1)[0])
    sending = _Sending(run, Queue(url), match, fixtures)
    try:
        while sending.is_waiting:
            run.wait_on()
            sending.send()
            report = run.next_report(POLL_S)
            game = None if report is None else game_of(orjson.loads(report))
            if game is not None and sending.is_new(game):
                yield game
    except RedisError as error:
        raise ConnectionError(f"the queue's Redis: {error}") from None
    finally:
        with contextlib.suppress(RedisError):
            run.end()


class _Sending:
    """Which games are on the queue, and which are to follow."""

    def __init__(self, run: Run, jobs: Queue, match: Match, fixtures: Sequence[Place]) -> None:
        self._run, self._jobs, self._match = run, jobs, match
        self._left = list(reversed(fixtures))  # the next last
        self._sent: dict[Place, float] = {}  # since when
        self._slowest: float | None = None  # seconds from being sent to being reported
        self._alive = time.monotonic()  # when a worker was, last

    @property
    def is_waiting(self) -> bool:
        """Whether games are missing."""
        return bool(self._left or self._sent)

    def send(self) -> None:
        """Put games on the queue, as many as the workers will soon need, and again those that are overdue."""
        workers, now = self._jobs.alive(BACKGROUND), time.monotonic()
        self._alive = now if workers else self._alive
        if now - self._alive > WORKER_PATIENCE_S:
            raise ConnectionError("no background worker serves the queue: python -m workers --background")
        overdue = LONGEST_GAME_S if self._slowest is None else max(MIN_OVERDUE_S, OVERDUE * self._slowest)
        fixtures = [fixture for fixture, since in self._sent.items() if now - since > overdue]
        while self._left and len(self._sent) + len(fixtures) < max(FEWEST, AHEAD * workers):
            fixtures.append(self._left.pop())
        if fixtures:
            self._jobs.work(
                JOB, LONGEST_GAME_S, *((self._run.id, asdict(self._match), *fixture) for fixture in fixtures)
            )
            self._sent.update(dict.fromkeys(fixtures, now))

    def is_new(self, game: Game) -> bool:
        """Whether this is its first report."""
        since = self._sent.pop((game.deal, game.seat), None)
        if since is not None:
            self._slowest = max(self._slowest or 0.0, time.monotonic() - since)
        return since is not None
