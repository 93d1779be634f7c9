"""How much of a log a request reads at most, however long the log is."""

from __future__ import annotations

from typing import Any

import pytest

from service.games.state.bounds import CHECKPOINT_EVERY
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.views import reading
from service.usecases.views.reading import STEPS_AT_ONCE
from service.usecases.work import imports
from tests.usecases.games.test_usecases import PLAYER, act, new, seat
from tests.web.recorded import long_record


class Counted:
    """How many events each reading of a log brought."""

    def __init__(self, context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: list[int] = []
        log = context.store.log

        def counted(*given: Any, **named: Any) -> Any:
            results = log(*given, **named)
            self.read.append(len(results))
            return results

        monkeypatch.setattr(context.store, "log", counted)


@pytest.fixture
def long(context: Context) -> str:
    """A finished game of some hundred events, read in from a record."""
    exported = long_record()
    given = {"seed": None, "seed_commitment": None, "seed_from": 0, "clock": None, "position": None, "first_seat": None}
    seated = [{"level": None, **one} for one in exported["seats"]]
    made = imports.import_game(context, Caller(), {**given, **exported, "seats": seated})
    return str(made["game"]["id"])


def test_a_position_of_the_past_is_reached_from_the_last_one_that_is_kept(
    context: Context, long: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, last = Counted(context, monkeypatch), repository.load(context, long).game.revision
    assert last > 5 * CHECKPOINT_EVERY
    revisions = [*range(2, CHECKPOINT_EVERY), *range(last - 2 * CHECKPOINT_EVERY, last)]
    for revision in revisions:
        context.views.clear()
        reading.at(context, Caller(), long, revision)
    assert len(revisions) == len(counted.read)
    assert CHECKPOINT_EVERY - 1 == max(counted.read)


def test_so_it_is_in_a_game_that_was_played_here(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    while (decides := (actual := repository.load(context, game).game).to_decide) is not None:
        act(context, game, seat(tokens, decides))
    assert actual.revision > CHECKPOINT_EVERY
    counted = Counted(context, monkeypatch)
    for revision in range(2, actual.revision):
        context.views.clear()
        reading.at(context, Caller(), game, revision)
    assert max(counted.read) < CHECKPOINT_EVERY


def test_a_game_of_a_version_that_kept_no_positions_of_the_past_keeps_them_when_it_is_read(
    context: Context, long: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store: Any = context.store
    store._redis.delete(store.keys.game(long).checkpoints)
    counted, last = Counted(context, monkeypatch), repository.load(context, long).game.revision
    for _ in range(2):
        context.views.clear()
        reading.at(context, Caller(), long, last - 1)
    assert last - 1 == counted.read[0]
    assert counted.read[1] < CHECKPOINT_EVERY


def test_a_follower_who_has_much_to_catch_up_on_reads_the_log_bit_by_bit(
    context: Context, long: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, last = Counted(context, monkeypatch), repository.load(context, long).game.revision
    actual = [item for item in reading.follow(context, Caller(), long, 1) if item is not None]
    assert list(range(2, last + 1)) == [item["revision"] for item in actual]
    assert STEPS_AT_ONCE == max(counted.read)
