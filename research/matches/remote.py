"""Games of matches on other machines: background workers take them from the queue.

Every worker needs the same sources and the external programs. Background workers run at low priority, so on busy
machines players with a time limit are weaker, both in the same way.

A game that takes much longer than others is queued again, because its worker may have been killed. The first report
counts. Only a few games are queued at a time, so that little is left when a match ends.
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
MIN_QUEUED = 8
MAX_GAME_S = 1800
OVERDUE = 3  # factor of the longest time from queueing to report
MIN_OVERDUE_S = 15.0
POLL_S = 1
WORKER_PATIENCE_S = 60.0  # without a running worker


def work(run_id: str, match_json: Json, deal: int, seat: int) -> None:
    """Play a game as a job of the queue, if its match is still running."""
    from workers.jobs import context  # created before this process was forked

    run = Run(context().queue.redis, run_id)
    if not run.is_waited_for:
        return
    match = Match(**{**match_json, "variants": tuple(match_json["variants"]), "players": tuple(match_json["players"])})
    game = play(match, deal, seat)
    programs.end_all(filter(programs.is_program, match.players))
    run.report(orjson.dumps(asdict(game)))


def queue(url: str) -> Players:
    """Return an executor that uses the background workers of a queue."""
    return lambda match, fixtures: _games(url, match, fixtures)


def _games(url: str, match: Match, fixtures: Sequence[Place]) -> Iterator[Game]:
    """Yield finished games. Raises ConnectionError if no worker is running."""
    run = Run.new(url.split(maxsplit=1)[0])
    sending = _Sending(run, Queue(url), match, fixtures)
    try:
        while sending.is_waiting:
            run.renew()
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
    """Queued and pending games of a match."""

    def __init__(self, run: Run, jobs: Queue, match: Match, fixtures: Sequence[Place]) -> None:
        self._run, self._jobs, self._match = run, jobs, match
        self._left = list(reversed(fixtures))  # the next one is last
        self._sent: dict[Place, float] = {}  # time of queueing
        self._slowest: float | None = None  # seconds from queueing to report
        self._alive = time.monotonic()  # last time with a running worker

    @property
    def is_waiting(self) -> bool:
        """Whether games are missing."""
        return bool(self._left or self._sent)

    def send(self) -> None:
        """Queue as many games as the workers will soon need, and repeat overdue ones."""
        workers, now = self._jobs.count_living(BACKGROUND), time.monotonic()
        self._alive = now if workers else self._alive
        if now - self._alive > WORKER_PATIENCE_S:
            raise ConnectionError("no background worker serves the queue: python -m workers --background")
        overdue = MAX_GAME_S if self._slowest is None else max(MIN_OVERDUE_S, OVERDUE * self._slowest)
        fixtures = [fixture for fixture, since in self._sent.items() if now - since > overdue]
        while self._left and len(self._sent) + len(fixtures) < max(MIN_QUEUED, AHEAD * workers):
            fixtures.append(self._left.pop())
        if fixtures:
            run = {"run_id": self._run.id, "match_json": asdict(self._match)}
            calls = [{**run, "deal": deal, "seat": seat} for deal, seat in fixtures]
            self._jobs.work(JOB, MAX_GAME_S, *calls)
            self._sent.update(dict.fromkeys(fixtures, now))

    def is_new(self, game: Game) -> bool:
        """Return whether this is the first report of the game."""
        since = self._sent.pop((game.deal, game.seat), None)
        if since is not None:
            self._slowest = max(self._slowest or 0.0, time.monotonic() - since)
        return since is not None
