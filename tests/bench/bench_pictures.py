"""Measure pictures: `python -m tests.bench.bench_pictures`.

Prints the median CPU ms for drawing a position near the end of a golden game with the most seats, its compressed size,
and the ratio to writing the same position as JSON. Then prints the time and size of animations of whole games of two
and four seats.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from statistics import median

import orjson

from service.rulesets.pictures.drawing import AUTO
from tests.rulesets.golden import games
from tests.rulesets.pictures import draw_position, moment, moments_of
from tests.rulesets.test_animation import film_of

ROUNDS = 20
SHARE = 0.9


def spent_ms(act: Callable[[], object]) -> float:
    """Return the median CPU ms of a call."""
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        act()
        taken.append(1000 * (time.process_time() - began))
    return median(taken)


def main() -> None:
    """Print the table."""
    print(f"{'':28} {'picture ms':>10} {'JSON ms':>8} {'ratio':>6} {'bytes gzip':>11}")
    for name, ruleset, _, seats in games():
        if seats != max(ruleset.seat_counts):
            continue
        position, last = moment(name, SHARE)

        def draw() -> str:
            return draw_position(position, last, AUTO)  # noqa: B023

        size = len(gzip.compress(draw().encode()))
        drawing, writing = spent_ms(draw), spent_ms(lambda: orjson.dumps(position.ruleset.view(position)))  # noqa: B023
        print(f"{name:28} {drawing:10.1f} {writing:8.2f} {drawing / writing:6.1f} {size:11,}")
    print(f"\n{'':28} {'animation ms':>12} {'stills':>7} {'bytes':>9} {'bytes gzip':>11}")
    for name, *_, seats in games():
        if seats != 3:
            moments = moments_of(name)
            began = time.process_time()
            svg = film_of(moments).encode()
            took_ms = 1000 * (time.process_time() - began)
            print(f"{name:28} {took_ms:12.0f} {len(moments):7} {len(svg):9,} {len(gzip.compress(svg)):11,}")


if __name__ == "__main__":
    main()
