"""Players who are deleted: rated games that they were in, and ratings that were on their way."""

from __future__ import annotations

from dataclasses import replace

import pytest
import redis

from service.usecases.base import repository
from service.usecases.base.context import Context
from service.usecases.people import follow_ups, players, rating_games
from tests.usecases.people.test_rated_games import (
    AI,
    OWN,
    FailedError,
    fails_at,
    game_of,
    keep,
    rated,
    resign,
    status,
    stored,
)
from tests.usecases.players import Time, new_of, player


@pytest.mark.parametrize("step", [None, "note", "first player", "second player", "applied"])
def test_who_is_deleted_in_a_rated_game_has_lost_it_and_leaves_nothing(
    context: Context, time: Time, redis_client: redis.Redis, step: str | None
) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    resign(context, game_of(context, as_ana, as_ben), as_ana)
    keep(context)
    game = game_of(context, as_ana, as_ben)
    if step is None:
        players.delete(context, as_ana)
    else:
        with fails_at(context, step), pytest.raises(FailedError):
            players.delete(context, as_ana)
    time.pass_(follow_ups.RETRY_MS / 1000 + 1)
    keep(context)
    time.pass_(follow_ups.RETRY_MS / 1000 + 1)
    assert 0 == keep(context)
    assert "applied" == status(context, game)
    assert [None] == rated(context, ana)
    assert (2, 2) == stored(context, ben)[0][2:4]
    assert [] == [key for key in redis_client.scan_iter("*rat*") if ana.encode() in key]


def test_a_rating_that_was_on_its_way_when_the_player_was_deleted_brings_nothing_back(
    context: Context, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    game = game_of(context, as_ana, as_ben)
    resign(context, game, as_ben)
    seen = repository.load(context, game)
    players.delete(context, as_ana)
    monkeypatch.setattr(repository, "load", lambda *_, **__: replace(seen, game=seen.game))
    redis_client.hdel(context.store.keys.game(game).game, rating_games.APPLIED)
    rating_games.count(context, game)
    assert rated(context, ana) == [None]
    assert rated(context, ben) != [None]


def test_a_farewell_waits_for_no_rating_of_games_that_are_not_rated(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, as_ana = player(context)
    new_of(context, as_ana, OWN, AI)
    monkeypatch.setattr(rating_games, "count", None)
    players.delete(context, as_ana)
    assert 0 == keep(context)
