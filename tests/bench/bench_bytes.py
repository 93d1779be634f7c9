"""Measure the size of games in Redis: `python -m tests.bench.bench_bytes [games]`.

Plays games (100 by default) of `greedy` AIs of each ruleset with two and four seats through the use cases, on a real
server and a simulated clock. Prints medians of `MEMORY USAGE` of all keys of a game, in bytes: finished; live after a
quarter, half and three quarters of its decisions, on average over its life, and just before its end. Then prints the
bytes of each key and each field of finished games. `used` is the growth of the server's `used_memory` per game.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from statistics import fmean, median
from typing import Any, cast

from redis import Redis

from service.rulesets.registry import RULESETS
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating, turns
from tests.bench.stores import own_context
from workers.search.decisions import search_at_level
from workers.warm import warm

GAMES = 100
LEVEL = "greedy"
SEATS = (2, 4)
THOUGHT_MS = 700, 30_000
Sizes = dict[str, int]


def sizes(redis: Redis, game_id: str) -> Sizes:
    """Return bytes by key, without the common prefix of the keys of a game."""
    names = cast("list[bytes]", redis.keys(f"*:game:{game_id}*"))
    usage = {name.decode(): cast("int", redis.memory_usage(name, samples=0)) for name in names}
    return {name.partition(game_id)[2] or "game": taken for name, taken in usage.items()}


class Table:
    """Play games and record the size after each decision."""

    def __init__(self, context: Context, redis: Redis) -> None:
        self.context, self.redis = context, redis
        self.rng = random.Random(1)
        self.now_ms = context.now_ms()
        context.now_ms = lambda: self.now_ms  # type: ignore[method-assign]

    def play(self, ruleset: str, seats: int, number: int) -> tuple[str, list[Sizes]]:
        """Play a game to its end. Return its id and its sizes after each decision."""
        variants = RULESETS[ruleset].variants
        seated = tuple(creating.NewSeat("ai", level=LEVEL) for _ in range(seats))
        new = creating.NewGame(ruleset, variants[number % len(variants)], seated, seed=self.rng.randbytes(32))
        game = creating.create(self.context, Caller(), new)["game"]
        turn = turns.take(self.context, game["id"], game["revision"], game["to_decide"])
        taken = [sizes(self.redis, game["id"])]
        while turn is not None:
            self.now_ms += self.rng.randint(*THOUGHT_MS)
            action = search_at_level(turn.position, LEVEL, self.rng.randbytes(32)).choose().action
            turn = turns.act(self.context, turn, action, with_next=True)
            taken.append(sizes(self.redis, game["id"]))
        return game["id"], taken


def middle(values: Iterable[float]) -> str:
    """Return the median as text."""
    return f"{median(values):8,.0f}"


def used_memory(redis: Redis) -> int:
    """Return the memory of the server in bytes."""
    return int(cast("Any", redis.info("memory"))["used_memory"])


def report(table: Table, ruleset: str, seats: int, games: int) -> None:
    """Play games and print their sizes."""
    before = used_memory(table.redis)
    played = [table.play(ruleset, seats, number) for number in range(games)]
    grown = (used_memory(table.redis) - before) / games
    lives = [[sum(taken.values()) for taken in life] for _, life in played]
    quarters = "".join(middle(life[len(life) * quarter // 4] for life in lives) for quarter in (1, 2, 3))
    average, before_end = middle(fmean(life[:-1]) for life in lives), middle(life[-2] for life in lives)
    finished = middle(life[-1] for life in lives)
    print(f"{ruleset:16}{seats}{finished} |{quarters}{average}{before_end} | {grown:8,.0f}")
    keys, fields = defaultdict[str, list[int]](list), defaultdict[str, int](int)
    for game_id, life in played:
        for name, taken in life[-1].items():
            keys[name.partition(":")[2] or name].append(taken)
        content = cast("dict[bytes, bytes]", table.redis.hgetall(table.context.store.keys.game(game_id).game))
        for field, value in content.items():
            fields[field.decode().partition(":")[0]] += len(value)
    print("   keys:  ", ", ".join(f"{name} {median(taken):,.0f}" for name, taken in sorted(keys.items())))
    print("   fields:", ", ".join(f"{name} {total / games:,.0f}" for name, total in sorted(fields.items())))


def every_table(arguments: list[str], heading: str, report: Callable[[Table, str, int, int], None]) -> None:
    """Call `report` for each ruleset and number of seats with a Redis. `arguments`: the number of games, if given."""
    games = int(arguments[0]) if arguments else GAMES
    warm()
    with own_context() as (context, redis):
        table = Table(context, redis)
        print(heading)
        for ruleset in RULESETS:
            for seats in SEATS:
                report(table, ruleset, seats, games)


if __name__ == "__main__":
    every_table(sys.argv[1:], f"{'':17}finished |     1/4     1/2     3/4 average before end |     used", report)
