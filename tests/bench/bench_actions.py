"""`python -m tests.bench.bench_actions [positions]`: how many actions may be legal, and what telling them costs.

For each ruleset, positions of random games on all sides with all numbers of seats (2,000 unless told): the longest list
and the median; then, for the position with the longest list and for an ordinary one, bytes of JSON and processor time
of the whole list, of its first page as the API gives it, and of the choices.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import orjson

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from service.usecases.positions.legal import listed
from service.web.schemas.base.fields import PAGE
from workers.warm import warm

POSITIONS = 2_000
REPEATS = 5


def deciding(ruleset: Ruleset) -> Iterator[Position]:
    """Positions to decide in, of game after random game, without end."""
    rng = generator(b"\1" * 32)
    for variant, seats in itertools.cycle(itertools.product(ruleset.variants, ruleset.seat_counts)):
        position = ruleset.start(variant, seats, None)
        while position.status != "over":
            if position.status == "drawing":
                position = position.resolve_draw(position.sample(rng))
            else:
                yield position
                position = position.play(position.random_action(rng))


def size_and_time(make: Callable[[], Any]) -> str:
    """Bytes of JSON, and the best processor time of a few."""
    best, size = float("inf"), 0
    for _ in range(REPEATS):
        began = time.process_time()
        size = len(orjson.dumps(make()))
        best = min(best, time.process_time() - began)
    return f"{size:,} bytes in {best * 1e3:.2f} ms"


def main(arguments: list[str]) -> None:
    """Print the figures."""
    warm()
    asked = int(arguments[0]) if arguments else POSITIONS
    for ruleset in RULESETS.values():
        positions = sorted(
            ((len(position.legal_actions()), position) for position in itertools.islice(deciding(ruleset), asked)),
            key=lambda found: found[0],
        )
        median, most = positions[asked // 2], positions[-1]
        print(f"{ruleset.id}: {asked:,} random positions; legal actions: median {median[0]:,}, most {most[0]:,}")
        for total, position in (median, most):
            print(f"  {total:,} actions: whole list {size_and_time(_list(position, slice(None)))}; first page", end=" ")
            print(
                f"{size_and_time(_list(position, slice(PAGE)))}; choices {size_and_time(position.choices)}; "
                f"counting {_count(position)}"
            )


def _list(position: Position, page: slice) -> Callable[[], Any]:
    return lambda: listed(position, "en", {}, page)


def _count(position: Position) -> str:
    return size_and_time(lambda: len(position.legal_actions())).rpartition(" in ")[2]


if __name__ == "__main__":
    main(sys.argv[1:])
