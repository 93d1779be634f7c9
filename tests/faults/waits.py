"""The waits of people and AIs by fault: the tables that a chaos run prints."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from tests.faults.journal import AI, ENDPOINT, PERSON, Journal, Wait
from tests.faults.schedule import CLOCKS

AFTER_S = 3.0
"""A wait that begins at least this long after a kill has another cause."""
NONE = "none"
WHO = (PERSON, AI, ENDPOINT)


def kinds_of(journal: Journal, wait: Wait) -> list[str]:
    """Return the rows that a wait belongs to."""
    results = journal.kinds(wait.began, wait.ended, AFTER_S)
    return [*results, *([wait.how] if wait.how else [])] or [NONE]


def only_cause(kinds: Sequence[str]) -> list[str]:
    """Return the only fault that can have caused a wait, if there is one. A keeper's clock delays no requests."""
    results = [kind for kind in kinds if kind not in CLOCKS]
    return results if len(results) == 1 else []


def table(journal: Journal, of: Callable[[Sequence[str]], Sequence[str]] = list) -> Iterator[str]:
    """Yield a line for each kind of fault: the number of waits, their median and their maximum in seconds.

    `of`: returns the rows in which a wait is counted, of those that it belongs to.
    """
    rows: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for wait in journal.waits:
        for kind in of(kinds_of(journal, wait)):
            rows[kind][wait.who].append(wait.seconds)
    times = Counter(force.kind for force in journal.forces)
    yield f"{'fault in force':<20}{'times':>6}" + "".join(f"{who:>12}{'median':>8}{'longest':>8}" for who in WHO)
    for kind in sorted(rows, key=lambda kind: (kind != NONE, kind)):
        yield f"{kind:<20}{times[kind] or '':>6}" + "".join(_three(rows[kind][who]) for who in WHO)


def _three(seconds: list[float]) -> str:
    if not seconds:
        return f"{0:>12}{'':>16}"
    return f"{len(seconds):>12}{statistics.median(seconds):>8.3f}{max(seconds):>8.2f}"


def longest(journal: Journal, count: int = 3) -> Iterator[str]:
    """Yield a line for each of the longest waits of people, AIs and endpoints."""
    for who in WHO:
        waits = sorted((wait for wait in journal.waits if wait.who == who), key=lambda wait: -wait.seconds)
        for wait in waits[:count]:
            kinds = ", ".join(kinds_of(journal, wait))
            yield f"{who}: {wait.seconds:.1f} s, game {wait.game}, revision {wait.revision} ({kinds})"
