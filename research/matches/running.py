"""The games of a match: on several processes here, or on the machines that serve the queue."""

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
"""(deal, seat of the first player): what names a game of a match."""
Players = Callable[[Match, Sequence[Place]], Iterator[Game]]
"""Whoever plays games: in any order; what is not wanted any more is left when the iterator is closed."""


def run(
    match: Match,
    deals: int,
    players: Players,
    bounds: Sequence[float] = (),
    path: Path | None = None,
    *,
    title: str | None = None,
) -> Result:
    """Play until all deals are played or it is decided between the bounds; what the file holds is not played again.

    `title`: of a progress bar, shown to a person. Unusable, Unreadable, and what `players` raises.
    """
    with Results(match, path) as results:
        result = Result(match, tuple(results.games))
        known = {(game.deal, game.seat) for game in results.games}
        every = [(deal, seat) for deal in range(deals) for seat in range(match.seats)]
        left = [fixture for fixture in every if fixture not in known]
        if not left or _is_decided(result, bounds):
            return result
        bar = tqdm(
            total=len(every),
            initial=len(every) - len(left),
            leave=False,
            desc=title,
            unit="game",
            disable=title is None or None,  # None: where nobody looks
        )
        with bar, contextlib.closing(players(match, left)) as games:  # type: ignore[type-var]  # they are generators
            for game in games:
                results.add(game)
                result = Result(match, tuple(results.games))
                bar.set_postfix_str(_share_line(result), refresh=False)
                bar.update()
                if _is_decided(result, bounds):
                    break
        return result


def _is_decided(result: Result, bounds: Sequence[float]) -> bool:
    return bool(bounds) and sequences.decided(result.deals, bounds)


def _share_line(result: Result) -> str:
    return f"{result.wins:.1%} ({result.interval_words})"


def here(jobs: int) -> Players:
    """Play on so many processes of this machine."""
    return _alone if jobs == 1 else lambda match, fixtures: _together(jobs, match, fixtures)


def _alone(match: Match, fixtures: Sequence[Place]) -> Iterator[Game]:
    try:
        for fixture in fixtures:
            yield play(match, *fixture)
    finally:
        programs.end_all(filter(programs.is_written, match.players))


def _together(jobs: int, match: Match, fixtures: Sequence[Place]) -> Iterator[Game]:
    try:
        with processes(min(jobs, len(fixtures))) as pool:
            for done in as_completed([pool.submit(play, match, *fixture) for fixture in fixtures]):
                yield done.result()
    except BrokenProcessPool:
        raise ChildProcessError("a process of the match was killed; what it has played is kept") from None


@contextlib.contextmanager
def processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """So many, that die with this one, and when the context ends, in the middle of what they do."""
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(os.getpid(),))
    to_this = pool._result_queue._writer  # type: ignore[attr-defined]  # noqa: SLF001 - there is no other way to it
    try:
        yield pool
    finally:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        # One may have been sending a result. The pool's thread reads on until nobody, this process included, can send
        # the rest; and the program does not end before that thread.
        to_this.close()
        pool.shutdown(cancel_futures=True)


def _begin(parent: int) -> None:
    """In a new process: it ends with this one, which alone hears an interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tie(parent)
