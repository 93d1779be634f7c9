"""How long people and AIs waited, by the kind of fault in force: the table a chaos run prints."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from tests.faults.journal import AI, ENDPOINT, PERSON, Journal, Wait
from tests.faults.schedule import CLOCKS

AFTER_S = 3.0
"""Who begins to wait so long after a kill, or later, waits for something else."""
NONE = "none"
WHO = (PERSON, AI, ENDPOINT)


def kinds_of(journal: Journal, wait: Wait) -> list[str]:
    """The rows that a wait belongs to."""
    results = journal.kinds(wait.began, wait.ended, AFTER_S)
    return [*results, *([wait.how] if wait.how else [])] or [NONE]


def alone(kinds: Sequence[str]) -> list[str]:
    """The one fault that a wait can come from; none where there are several. A keeper's clock stops nobody."""
    results = [kind for kind in kinds if kind not in CLOCKS]
    return results if len(results) == 1 else []


def table(journal: Journal, of: Callable[[Sequence[str]], Sequence[str]] = list) -> Iterator[str]:
    """A line for each kind of fault: how often somebody waited, the median and the longest, in seconds.

    `of`: of the faults that were in force, in whose lines the wait is told.
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
    """A line for each of the longest waits, by who waited."""
    for who in WHO:
        waits = sorted((wait for wait in journal.waits if wait.who == who), key=lambda wait: -wait.seconds)
        for wait in waits[:count]:
            kinds = ", ".join(kinds_of(journal, wait))
            yield f"{who}: {wait.seconds:.1f} s, game {wait.game}, revision {wait.revision} ({kinds})"
