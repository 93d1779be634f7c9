"""Measure reads of past games: `python -m tests.bench.bench_history`.

Reads a finished game of `greedy` AIs of each ruleset with two seats through the use cases on a real server. Prints the
µs of processor time of this process (the best of several rounds) and the ratio to the same game in an older form of
storage, a stream of uncompressed JSON events.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import orjson

from service.games import events
from service.rulesets.registry import RULESETS
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.views import exports, reading
from tests.bench.bench_bytes import Table
from tests.bench.stores import own_context
from tests.storage.older import make_older
from workers.warm import warm

ROUNDS = 9
PAGE = 20
EVERY = 7  # distance of the revisions to read


def older_event(revision: int, event: bytes) -> bytes:
    """Return an event as JSON, in the older form of storage."""
    return orjson.dumps(events.read(orjson.loads(event), revision).to_json())


def readings(context: Context, game_id: str) -> dict[str, Callable[[], object]]:
    """Return the kinds of reads of a game."""
    caller, last = Caller(), context.store.revision(game_id)

    def follow() -> None:
        context.clear_caches()
        for _ in reading.follow(context, caller, game_id, 0):
            pass

    def look_back() -> None:
        for revision in range(3, last, EVERY):
            context.clear_caches()
            reading.view_at(context, caller, game_id, revision)

    return {
        "view": lambda: reading.glance(context, caller, game_id),
        "load": lambda: repository.load(context, game_id),
        "history": lambda: reading.history(context, caller, game_id),
        "its last page": lambda: reading.history(context, caller, game_id, last - PAGE),
        "export": lambda: exports.export(context, caller, game_id),
        "stream": follow,
        "at revisions": look_back,
    }


def cpu_micros(act: Callable[[], object]) -> float:
    """Return the µs of processor time of a call, repeated for 20 ms."""
    times = 0
    began = time.process_time()
    while (taken := time.process_time() - began) < 0.02:
        act()
        times += 1
    return 1e6 * taken / times


def main() -> None:
    """Print the table."""
    warm()
    with own_context() as (context, redis):
        table = Table(context, redis)
        for ruleset in RULESETS:
            games = []
            for _ in range(2):
                table.rng = random.Random(2)  # so that both games are the same
                games.append(table.play(ruleset, 2, 0)[0])
            make_older(redis, context.store.keys.game(games[0]), older_event)
            older, present = (readings(context, game) for game in games)
            for name, act in present.items():
                pairs = [(cpu_micros(older[name]), cpu_micros(act)) for _ in range(ROUNDS)]
                was, now = (min(pair[which] for pair in pairs) for which in (0, 1))
                print(f"{ruleset:16}{name:14}{now:9,.0f} µs  {now / was:5.2f} x the older form")


if __name__ == "__main__":
    main()
