"""Measure large competitions on a real valkey: `python -m tests.bench.bench_competitions`.

For a Swiss of 64 and 256 players and an arena with many games, prints the milliseconds of pairing a round, of its
commit (without the creation of games), of writing a result, and of reading the competition with its standings, and
the bytes of the latter. Then simulates arenas of several sizes and prints the waits of their players.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson

from service.competitions import progress
from service.competitions.model import ARENA, LOST, WON, Competition
from service.competitions.progress import PairingInputs
from service.usecases.base.context import Context
from service.usecases.matchmaking import competition_records
from tests.bench.stores import own_context
from tests.competitions.field import HOUR, PLAN, Play, new_competition
from tests.competitions.hour import play_an_hour

RESULTS = 20  # written and averaged


def took_ms(act: Callable[[], Any]) -> tuple[float, Any]:
    """Return the ms that a call takes, and its result."""
    began = time.perf_counter()
    result = act()
    return 1000 * (time.perf_counter() - began), result


def store(context: Context, play: Play) -> Competition:
    """Store a competition and return it."""
    own = replace(play.competition, id=context.store.new_game_id())
    competition_records.commit(context, None, own)
    return competition_records.get(context, own.id)


def next_state(competition: Competition, context: Context) -> Competition | None:
    """Return the competition after a keeper's next step."""
    ids = context.store.new_game_id
    return progress.next_state(competition, context.now_ms(), PairingInputs(lambda _: (), ids, random.Random(1)))


def measure(context: Context, play: Play, what: str) -> None:
    """Print a line of the table."""
    before = store(context, play)
    step_ms, after = took_ms(lambda: next_state(before, context))
    write_ms, _ = took_ms(lambda: competition_records.commit(context, before, after))
    result_ms = []
    for contest in competition_records.get(context, before.id).running_contests[:RESULTS]:

        def write(name: str = contest.id) -> None:
            competition_records.change(context, before.id, lambda one: one.with_result(name, (WON, LOST), 1))

        result_ms.append(took_ms(write)[0])
    read_ms, content = took_ms(
        lambda: orjson.dumps(competition_records.competition_json(competition_records.get(context, before.id), None))
    )
    print(
        f"{what}: pairing {step_ms:.0f} ms, its commit {write_ms:.0f}, a result {statistics.mean(result_ms):.1f}, "
        f"reading {read_ms:.0f} ({len(content):,} bytes)"
    )
    context.competitions.forget(before.id)
    competition_records.change(context, before.id, lambda one: progress.cancel(one, 1))


def main() -> None:
    """Print the table."""
    with own_context() as (context, _):
        for players, rounds in ((64, 6), (256, 8)):
            play = Play(new_competition(replace(PLAN, rounds=9), [1500] * players))
            for _ in range(rounds):
                play.round(play.by_strength)
            play.competition = replace(play.competition, next_at=0)
            measure(context, play, f"Swiss of {players}, round {rounds + 1}")
        play = Play(new_competition(HOUR, [1500] * 256))
        play.advance()
        while len(play.competition.contests) < 2_000:
            play.now += 1_000
            for contest in play.competition.running_contests:
                play.end(contest, play.by_strength(contest))
            play.advance()
        for contest in play.competition.running_contests:
            play.end(contest, play.by_strength(contest))
        play.competition = replace(play.competition, ends_at=context.now_ms() + 3_600_000)
        measure(context, play, f"{ARENA} of 256 after {len(play.competition.contests):,} games")
    for players in (4, 8, 16, 40):
        _, waits = play_an_hour(players)
        print(
            f"arena of {players}: waits of {statistics.mean(waits) / 1000:.1f} s for a game of 3 to 6 minutes, "
            f"{max(waits) / 1000:.0f} s at most"
        )


if __name__ == "__main__":
    main()
