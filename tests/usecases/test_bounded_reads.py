"""How much of a log one request reads, for logs of any length."""

from __future__ import annotations

from typing import Any

import pytest

from service.games.state.bounds import CHECKPOINT_EVERY
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.views import reading
from service.usecases.views.reading import STEPS_AT_ONCE
from service.usecases.work import imports
from tests.usecases.games.test_usecases import PLAYER, act, new_game, seat
from tests.web.game_records import long_record


class LogReads:
    """Sizes of the parts of a log that were read."""

    def __init__(self, context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: list[int] = []
        log = context.store.log

        def read_and_count(*arguments: Any, **keywords: Any) -> Any:
            results = log(*arguments, **keywords)
            self.read.append(len(results))
            return results

        monkeypatch.setattr(context.store, "log", read_and_count)


@pytest.fixture
def long_game(context: Context) -> str:
    """Import a finished game of some hundred events and return its id."""
    exported = long_record()
    defaults = {
        "seed": None,
        "seed_commitment": None,
        "seed_from": 0,
        "clock": None,
        "position": None,
        "first_seat": None,
    }
    seats = [{"level": None, **one} for one in exported["seats"]]
    made = imports.import_game(context, Caller(), {**defaults, **exported, "seats": seats})
    return str(made["game"]["id"])


def test_a_past_position_is_replayed_from_the_last_checkpoint(
    context: Context, long_game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, last = LogReads(context, monkeypatch), repository.load(context, long_game).game.revision
    assert last > 5 * CHECKPOINT_EVERY
    revisions = [*range(2, CHECKPOINT_EVERY), *range(last - 2 * CHECKPOINT_EVERY, last)]
    for revision in revisions:
        context.views.clear()
        reading.view_at(context, Caller(), long_game, revision)
    assert len(revisions) == len(reads.read)
    assert CHECKPOINT_EVERY - 1 == max(reads.read)


def test_a_played_game_is_replayed_from_its_checkpoints(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    while (decides := (actual := repository.load(context, game).game).to_decide) is not None:
        act(context, game, seat(tokens, decides))
    assert actual.revision > CHECKPOINT_EVERY
    reads = LogReads(context, monkeypatch)
    for revision in range(2, actual.revision):
        context.views.clear()
        reading.view_at(context, Caller(), game, revision)
    assert max(reads.read) < CHECKPOINT_EVERY


def test_reading_an_older_game_stores_its_checkpoints(
    context: Context, long_game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store: Any = context.store
    store.redis.delete(store.keys.game(long_game).checkpoints)
    reads, last = LogReads(context, monkeypatch), repository.load(context, long_game).game.revision
    for _ in range(2):
        context.views.clear()
        reading.view_at(context, Caller(), long_game, last - 1)
    assert last - 1 == reads.read[0]
    assert reads.read[1] < CHECKPOINT_EVERY


def test_a_follower_far_behind_reads_the_log_in_parts(
    context: Context, long_game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, last = LogReads(context, monkeypatch), repository.load(context, long_game).game.revision
    actual = [item for item in reading.follow(context, Caller(), long_game, 1) if item is not None]
    assert list(range(2, last + 1)) == [item["revision"] for item in actual]
    assert STEPS_AT_ONCE == max(reads.read)
