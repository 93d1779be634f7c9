"""Measure shares of the lobby: `python -m tests.bench.bench_shares`.

Prints the time that adding a seek takes in an empty and in a nearly full lobby, and that of a newcomer who gets into a
full one. Then one stranger with any number of accounts fills a lobby, the competitions and the bots; prints how many
entries they have, and how many of ten newcomers get in.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

from service.games.errors import GameError
from service.games.state.clocks import ClockRule
from service.settings import Settings
from service.storage.matchmaking.seeks import MAX_SEEKS, StoredSeek
from service.usecases.base.context import Caller, Context, open_context
from service.usecases.games import shares
from service.usecases.matchmaking import bots, competitions, seeking
from service.usecases.people import players
from tests.bench.stores import own_redis
from tests.usecases.bots import AZUL, POLLING
from tests.usecases.competing import SWISS

SECONDS = itertools.count(10)
STRANGER = "192.0.2.1"


def add_seek(context: Context, number: int, address: str) -> None:
    """Add a seek that waits."""
    now = context.now_ms()
    seek = StoredSeek(f"seek-{number}", f"player-{number}", None, AZUL.settings(), now, ends_at=now + 3_600_000)
    seek = replace(seek, caller=Caller(origin=address).share)
    shares.add_entry(
        context.seeks.shared_list(now),
        seek.caller,
        lambda: context.seeks.add(seek, now, 20),
        lambda ids: any(context.seeks.drop(one) for name in ids if (one := context.seeks.get(name, now))),
    )


def measure_seeks(context: Context) -> None:
    """Print the time of adding a seek."""
    times: dict[str, list[float]] = {"empty": [], "nearly full": [], "full": []}
    for number in range(MAX_SEEKS + 50):
        begun = time.perf_counter()
        add_seek(context, number, f"10.0.{number // 16 // 256}.{number // 16 % 256}")
        took = time.perf_counter() - begun
        kind = "empty" if number < 50 else "full" if number >= MAX_SEEKS else "nearly full"
        if kind != "nearly full" or number >= MAX_SEEKS - 50:
            times[kind].append(1000 * took)
    print(", ".join(f"{name}: {statistics.median(values):.2f} ms" for name, values in times.items()))


def is_accepted(request: Callable[[], object]) -> bool:
    """Return whether the request was accepted."""
    try:
        request()
    except GameError:
        return False
    return True


def measure_stranger(context: Context, name: str, enter: Callable[[Caller], object], live: Callable[[], int]) -> None:
    """Print how much of a list one stranger fills, and how many of ten others get in."""

    def new_caller(address: str) -> Caller:
        return Caller(players.create(context, {"bot": True})["token"], origin=address)

    accepted = sum(is_accepted(lambda: enter(new_caller(STRANGER))) for _ in range(100))
    others = sum(is_accepted(lambda one=number: enter(new_caller(f"198.51.100.{one}"))) for number in range(10))  # type: ignore[misc]
    print(f"{name}: a stranger with 100 accounts has {accepted} entries; {others} of 10 others get in, {live()} in all")


def main() -> None:
    """Print all measurements."""
    with own_redis() as valkey:
        context = open_context(Settings.from_environment({"REDIS_URL": valkey.socket_url, "RATE_LIMITS": "on"}))
        measure_stranger(
            context,
            "seeks",
            lambda one: seeking.seek(
                context, one, replace(AZUL, keep_s=3_600, clock=ClockRule(next(SECONDS), 60, "ai", "greedy"))
            ),
            lambda: len(context.seeks.list_waiting(context.now_ms())),
        )
        measure_stranger(
            context,
            "competitions",
            lambda one: competitions.announce(context, one, SWISS),
            lambda: len(context.competitions.list_public("coming")),
        )
        measure_stranger(
            context, "bots", lambda one: bots.publish(context, one, POLLING), lambda: len(context.bots.get_all())
        )
        context.hub.close()
    with own_redis() as valkey:
        context = open_context(Settings.from_environment({"REDIS_URL": valkey.socket_url, "RATE_LIMITS": "on"}))
        measure_seeks(context)
        context.hub.close()


if __name__ == "__main__":
    main()
