"""Running the games of a match, on this machine or with an executor for others."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from tqdm import tqdm

from research.matches import programs
from research.matches.match import Game, Match, Result, play
from research.matches.results import Results
from research.matches.statistics import sequences
from service.operate.parent_death import tie

Place = tuple[int, int]
"""(deal, seat of the first player): identifies a game of a match."""
Players = Callable[[Match, Sequence[Place]], Iterator[Game]]
"""An executor. It yields finished games in any order, and drops the others when the iterator is closed."""


def run(
    match: Match,
    deals: int,
    players: Players,
    bounds: Sequence[float] = (),
    path: Path | None = None,
    *,
    title: str | None = None,
) -> Result:
    """Play missing games until all deals are played, or no bound is inside the interval any more.

    `path`: file of the results; `title`: shows a progress bar on a terminal. Raises UnusableResultsError,
    UnreadableParametersError and errors of `players`.
    """
    with Results(match, path) as results:
        result = Result(match, tuple(results.games))
        played = {(game.deal, game.seat) for game in results.games}
        fixtures = [(deal, seat) for deal in range(deals) for seat in range(match.seats)]
        missing = [fixture for fixture in fixtures if fixture not in played]
        if not missing or sequences.is_decided(result.deals, bounds):
            return result
        bar = tqdm(
            total=len(fixtures),
            initial=len(fixtures) - len(missing),
            leave=False,
            desc=title,
            unit="game",
            disable=title is None or None,  # None: disabled without a terminal
        )
        with bar, contextlib.closing(players(match, missing)) as games:  # type: ignore[type-var]  # executors are generators
            for game in games:
                results.add(game)
                result = Result(match, tuple(results.games))
                bar.set_postfix_str(f"{result.win_share:.1%} ({result.interval_words})", refresh=False)
                bar.update()
                if sequences.is_decided(result.deals, bounds):
                    break
        return result


def local_players(jobs: int) -> Players:
    """Return an executor with `jobs` processes on this machine."""
    return _play_serially if jobs == 1 else lambda match, fixtures: _play_in_parallel(jobs, match, fixtures)


def _play_serially(match: Match, fixtures: Sequence[Place]) -> Iterator[Game]:
    try:
        for fixture in fixtures:
            yield play(match, *fixture)
    finally:
        programs.end_all(filter(programs.is_program, match.players))


def _play_in_parallel(jobs: int, match: Match, fixtures: Sequence[Place]) -> Iterator[Game]:
    try:
        with processes(min(jobs, len(fixtures))) as pool:
            for done in as_completed([pool.submit(play, match, *fixture) for fixture in fixtures]):
                yield done.result()
    except BrokenProcessPool:
        raise ChildProcessError("a process of the match was killed; finished games are stored") from None


@contextlib.contextmanager
def processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of processes that are killed when this process or the context ends."""
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(os.getpid(),))
    to_this = pool._result_queue._writer  # type: ignore[attr-defined]  # noqa: SLF001 - it has no public name
    try:
        yield pool
    finally:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        # A terminated process may have been sending a result. The pool's thread, which the program waits for, reads
        # until all copies of the pipe's end are closed, including this one.
        to_this.close()
        pool.shutdown(cancel_futures=True)


def _begin(parent: int) -> None:
    """Make a new process end with its parent, and ignore interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tie(parent)
