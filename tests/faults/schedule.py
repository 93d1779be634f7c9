"""The schedule of faults: pure, and repeatable by its seed.

Three tracks run at the same time. Each shuffles all its faults, plays them with gaps, and shuffles them again. All
faults of the store are on one track, so Redis is never killed while its disk is full and acknowledged writes are only
in its memory.
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

KILLS = {  # seconds each is in force: a kill has no duration
    "worker killed": 0.0,
    "job killed": 0.0,
    "crew killed": 0.0,
    "keeper killed": 0.0,
    "dialer killed": 0.0,
    "web process killed": 0.0,
    "web server killed": 0.0,
}
STORE = {
    "Redis killed": 0.0,
    "Redis paused": 10.0,
    "memory full": 4.0,
    "disk full": 4.0,
}
CLOCKS = {
    "clock ahead": 6.0,
    "clock behind": 6.0,
    "clock far ahead": 4.0,
}
JUMPS_S = {"clock ahead": 7.0, "clock behind": -7.0, "clock far ahead": 3600.0}
TRACKS = ((KILLS, (3.0, 6.0)), (STORE, (3.0, 6.0)), (CLOCKS, (2.0, 6.0)))
"""The faults of each track with their duration, and the shortest and longest gap between two."""


@dataclass(frozen=True)
class PlannedFault:
    """A planned fault. `pick`, from 0 to 1, selects one of several processes."""

    at_s: float
    kind: str
    for_s: float
    pick: float


def planned_faults(seed: str) -> Iterator[PlannedFault]:
    """Yield the faults of a run in order of time, without end."""
    tracks = [_track(f"{seed} {number}", *track) for number, track in enumerate(TRACKS)]
    return heapq.merge(*tracks, key=attrgetter("at_s"))


def _track(seed: str, faults: dict[str, float], gaps: tuple[float, float]) -> Iterator[PlannedFault]:
    rng = random.Random(seed)
    at_s = rng.uniform(*gaps)
    for _ in itertools.count():
        for kind in rng.sample(sorted(faults), len(faults)):
            yield PlannedFault(round(at_s, 3), kind, faults[kind], round(rng.random(), 6))
            at_s += faults[kind] + rng.uniform(*gaps)
