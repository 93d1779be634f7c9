"""How long people and AIs waited, by the kind of fault in force: the table a chaos run prints."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator

from tests.faults.journal import AI, PERSON, Journal, Wait

AFTER_S = 3.0
"""Who begins to wait so long after a kill, or later, waits for something else."""
NONE = "none"


def kinds_of(journal: Journal, wait: Wait) -> list[str]:
    """The rows that a wait belongs to."""
    found = journal.kinds(wait.began, wait.ended, AFTER_S)
    return [*found, *([wait.how] if wait.how else [])] or [NONE]


def table(journal: Journal) -> Iterator[str]:
    """A line for each kind of fault: how often somebody waited, the median and the longest, in seconds."""
    rows: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for wait in journal.waits:
        for kind in kinds_of(journal, wait):
            rows[kind][wait.who].append(wait.seconds)
    times = defaultdict(int, {NONE: 0})
    for force in journal.forces:
        times[force.kind] += 1
    yield f"{'':<24}{'':>6}  {'people':>10}{'':>17}  {'AIs':>10}"
    columns = f"{'median':>8}{'longest':>9}"
    yield f"{'fault in force':<24}{'times':>6}  {'requests':>10}{columns}  {'turns':>10}{columns}"
    for kind in sorted(rows, key=lambda kind: (kind != NONE, kind)):
        people, ais = rows[kind][PERSON], rows[kind][AI]
        yield f"{kind:<24}{times[kind] or '':>6}  {len(people):>10}{_two(people)}  {len(ais):>10}{_two(ais)}"


def _two(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):8.3f}{max(seconds):9.2f}" if seconds else f"{'':>17}"
