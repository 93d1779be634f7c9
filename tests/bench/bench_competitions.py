"""`python -m tests.bench.bench_competitions`: what large competitions cost, at a real valkey.

For 64 and 256 players of a Swiss, and for an arena with many games behind it: milliseconds of a keeper's step that
begins a round or pairs who is free, without the games' creation, of writing one result, and of reading it with its
standings, with the bytes of that. Then how long players wait in an arena, simulated, by how many they are.
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
from tests.competitions.field import HOUR, PLAN, Play, field
from tests.competitions.hour import an_hour

RESULTS = 20  # that are written, and averaged


def took_ms(act: Callable[[], Any]) -> tuple[float, Any]:
    """How long it takes, and what it gives."""
    began = time.perf_counter()
    given = act()
    return 1000 * (time.perf_counter() - began), given


def stored(context: Context, play: Play) -> Competition:
    """The competition, in the store."""
    own = replace(play.competition, id=context.store.new_game_id())
    competition_records.commit(context, None, own)
    return competition_records.get(context, own.id)


def advanced(competition: Competition, context: Context) -> Competition | None:
    """A keeper's next step."""
    ids = context.store.new_game_id
    return progress.advanced(competition, context.now_ms(), PairingInputs(lambda _: (), ids, random.Random(1)))


def measured(context: Context, play: Play, what: str) -> None:
    """A line of the table."""
    before = stored(context, play)
    step_ms, after = took_ms(lambda: advanced(before, context))
    write_ms, _ = took_ms(lambda: competition_records.commit(context, before, after))
    result_ms = []
    for contest in competition_records.get(context, before.id).unfinished[:RESULTS]:

        def write(name: str = contest.id) -> None:
            competition_records.change(context, before.id, lambda one: one.with_result(name, (WON, LOST), 1))

        result_ms.append(took_ms(write)[0])
    read_ms, told = took_ms(
        lambda: orjson.dumps(competition_records.whole(competition_records.get(context, before.id), None))
    )
    print(
        f"{what}: pairing {step_ms:.0f} ms, its commit {write_ms:.0f}, a result {statistics.mean(result_ms):.1f}, "
        f"reading {read_ms:.0f} ({len(told):,} bytes)"
    )
    context.competitions.forget(before.id)
    competition_records.change(context, before.id, lambda one: progress.cancelled(one, 1))


def main() -> None:
    """Print all of it."""
    with own_context() as (context, _):
        for players, rounds in ((64, 6), (256, 8)):
            play = Play(field(replace(PLAN, rounds=9), [1500] * players))
            for _ in range(rounds):
                play.round(play.by_strength)
            play.competition = replace(play.competition, next_at=0)
            measured(context, play, f"Swiss of {players}, round {rounds + 1}")
        play = Play(field(HOUR, [1500] * 256))
        play.advance()
        while len(play.competition.contests) < 2_000:
            play.now += 1_000
            for contest in play.competition.unfinished:
                play.end(contest, play.by_strength(contest))
            play.advance()
        for contest in play.competition.unfinished:
            play.end(contest, play.by_strength(contest))
        play.competition = replace(play.competition, ends_at=context.now_ms() + 3_600_000)
        measured(context, play, f"{ARENA} of 256 after {len(play.competition.contests):,} games")
    for players in (4, 8, 16, 40):
        _, waits = an_hour(players)
        print(
            f"arena of {players}: they wait {statistics.mean(waits) / 1000:.1f} s for a game of 3 to 6 minutes, "
            f"{max(waits) / 1000:.0f} s at most"
        )


if __name__ == "__main__":
    main()
