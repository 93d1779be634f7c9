"""What is broken when: pure, and the same for the same seed.

Three tracks run beside one another. On each a deck of all its faults is shuffled, played, and shuffled again; between
two faults of a track stands a gap. What happens to the store happens on one track, so Redis is never killed while its
disk is full: what it has answered then stands nowhere but in its memory.
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

KILLS = {  # seconds each is in force: what is killed is another process's business
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
"""The faults of a track with the seconds they last, and the shortest and longest gap between two."""


@dataclass(frozen=True)
class Planned:
    """One fault. `pick`, from 0 to 1: which of several processes it is."""

    at_s: float
    kind: str
    for_s: float
    pick: float


def planned(seed: str) -> Iterator[Planned]:
    """All faults of a run, for ever, in the order of their time."""
    tracks = [_track(f"{seed} {number}", *track) for number, track in enumerate(TRACKS)]
    return heapq.merge(*tracks, key=attrgetter("at_s"))


def _track(seed: str, faults: dict[str, float], gaps: tuple[float, float]) -> Iterator[Planned]:
    rng = random.Random(seed)
    at_s = rng.uniform(*gaps)
    for _ in itertools.count():
        for kind in rng.sample(sorted(faults), len(faults)):
            yield Planned(round(at_s, 3), kind, faults[kind], round(rng.random(), 6))
            at_s += faults[kind] + rng.uniform(*gaps)
