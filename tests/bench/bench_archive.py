"""Measure the size of archived games: `python -m tests.bench.bench_archive [games]`.

Plays games (100 by default) of `greedy` AIs of each ruleset with two and four seats, as in `bench_bytes`. Prints the
median and the maximum of the bytes of an object, the median ratio to the bytes of all keys of the game in Redis, and
the median milliseconds for packing and reading a record.
"""

from __future__ import annotations

import sys
import time
from statistics import median

from service.storage.games import records
from tests.bench.bench_bytes import Table, every_table


def report(table: Table, ruleset: str, seats: int, games: int) -> None:
    """Play and archive games, and print a line."""
    objects, shares, packing, reading = list[int](), list[float](), list[float](), list[float]()
    for number in range(games):
        game_id, taken = table.play(ruleset, seats, number)
        record = table.context.archive_queue.record(game_id)
        if record is None:
            raise LookupError(game_id)
        began = time.perf_counter()
        content = record.to_bytes()
        packed = time.perf_counter()
        if records.read(content) != record:
            raise ValueError(game_id)
        packing.append(1000 * (packed - began))
        reading.append(1000 * (time.perf_counter() - packed))
        objects.append(len(content))
        shares.append(len(content) / sum(taken[-1].values()))
    print(
        f"{ruleset:16}{seats} {median(objects):8,.0f} {max(objects):8,} {median(shares):8.2f} "
        f"{median(packing):8.1f} {median(reading):8.2f}"
    )


if __name__ == "__main__":
    every_table(sys.argv[1:], f"{'ruleset and seats':17}  object  largest of Redis  pack ms  read ms", report)
