"""What a game takes in Redis: `python -m tests.bench.bench_bytes [games]`.

So many games (100 unless told) of `greedy` AIs of each ruleset at two and at four seats, through the use cases, on a
real server; between decisions, seconds pass on the games' clock. Told are medians over the games, in bytes, of
`MEMORY USAGE` (all of it, no samples) of all keys of a game: finished; live, after a quarter, half and three quarters
of its decisions, on the average of its life, and just before its end. Then, of finished games, each key; and each field
of the game's hash, as it is stored. `used` is what the server's `used_memory` grows by with a finished game.
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
from workers.search.decisions import by_level
from workers.warm import warm

GAMES = 100
LEVEL = "greedy"
SEATS = (2, 4)
THOUGHT_MS = 700, 30_000
Sizes = dict[str, int]


def sizes(redis: Redis, game_id: str) -> Sizes:
    """Bytes by key, without what the keys of a game have in common."""
    names = cast("list[bytes]", redis.keys(f"*:game:{game_id}*"))
    usage = {name.decode(): cast("int", redis.memory_usage(name, samples=0)) for name in names}
    return {name.partition(game_id)[2] or "game": taken for name, taken in usage.items()}


class Table:
    """Plays games, and notes what each took after each decision."""

    def __init__(self, context: Context, redis: Redis) -> None:
        self.context, self.redis = context, redis
        self.rng = random.Random(1)
        self.now_ms = context.now_ms()
        context.now_ms = lambda: self.now_ms  # type: ignore[method-assign]

    def play(self, ruleset: str, seats: int, number: int) -> tuple[str, list[Sizes]]:
        """A game to its end: its id, and its sizes after each decision."""
        variants = RULESETS[ruleset].variants
        seated = tuple(creating.NewSeat("ai", level=LEVEL) for _ in range(seats))
        new = creating.NewGame(ruleset, variants[number % len(variants)], seated, seed=self.rng.randbytes(32))
        game = creating.create(self.context, Caller(), new)["game"]
        turn = turns.take(self.context, game["id"], game["revision"], game["to_decide"])
        taken = [sizes(self.redis, game["id"])]
        while turn is not None:
            self.now_ms += self.rng.randint(*THOUGHT_MS)
            action = by_level(turn.position, LEVEL, self.rng.randbytes(32)).choose().action
            turn = turns.act(self.context, turn, action, with_next=True)
            taken.append(sizes(self.redis, game["id"]))
        return game["id"], taken


def middle(each: Iterable[float]) -> str:
    """The median, as it is printed."""
    return f"{median(each):8,.0f}"


def used(redis: Redis) -> int:
    """Bytes of the server."""
    return int(cast("Any", redis.info("memory"))["used_memory"])


def tell(table: Table, ruleset: str, seats: int, games: int) -> None:
    """Play and print."""
    before = used(table.redis)
    played = [table.play(ruleset, seats, number) for number in range(games)]
    grown = (used(table.redis) - before) / games
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


def every_table(arguments: list[str], heading: str, tell: Callable[[Table, str, int, int], None]) -> None:
    """Tell of each ruleset and number of seats, on a Redis of its own; `arguments`: how many games."""
    games = int(arguments[0]) if arguments else GAMES
    warm()
    with own_context() as (context, redis):
        table = Table(context, redis)
        print(heading)
        for ruleset in RULESETS:
            for seats in SEATS:
                tell(table, ruleset, seats, games)


if __name__ == "__main__":
    every_table(sys.argv[1:], f"{'':17}finished |     1/4     1/2     3/4 average before end |     used", tell)
