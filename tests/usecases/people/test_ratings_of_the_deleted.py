"""Deleted players: their rated games, and ratings in progress."""

from __future__ import annotations

from dataclasses import replace

import pytest
from redis import Redis

from service.usecases.base import repository
from service.usecases.base.context import Context
from service.usecases.people import follow_ups, players, rating_games
from tests.usecases.people.test_rated_games import (
    AI,
    OWN,
    FailedError,
    existing_ratings,
    fails_at,
    find_ratings,
    game_of,
    run_follow_ups,
    status,
)
from tests.usecases.players import Time, everybody_decides, new_game_of, player, resign


@pytest.mark.parametrize("step", [None, "note", "first player", "second player", "applied"])
def test_a_deleted_player_loses_a_rated_game_and_leaves_no_rating(
    context: Context, time: Time, redis_client: Redis, step: str | None
) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    resign(context, game_of(context, as_ana, as_ben), as_ana)
    run_follow_ups(context)
    game = game_of(context, as_ana, as_ben)
    everybody_decides(context, game)
    if step is None:
        players.delete(context, as_ana)
    else:
        with fails_at(context, step), pytest.raises(FailedError):
            players.delete(context, as_ana)
    time.pass_(follow_ups.RETRY_MS / 1000 + 1)
    run_follow_ups(context)
    time.pass_(follow_ups.RETRY_MS / 1000 + 1)
    assert 0 == run_follow_ups(context)
    assert "applied" == status(context, game)
    assert [None] == find_ratings(context, ana)
    assert (2, 2) == existing_ratings(context, ben)[0][2:4]
    assert [] == [key for key in redis_client.scan_iter("*rat*") if ana.encode() in key]


def test_a_rating_in_progress_restores_nothing_of_a_deleted_player(
    context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    game = game_of(context, as_ana, as_ben)
    resign(context, game, as_ben)
    seen = repository.load(context, game)
    players.delete(context, as_ana)
    monkeypatch.setattr(repository, "load", lambda *_, **__: replace(seen, game=seen.game))
    redis_client.hdel(context.store.keys.game(game).game, rating_games.APPLIED)
    rating_games.count(context, game)
    assert find_ratings(context, ana) == [None]
    assert find_ratings(context, ben) != [None]


def test_a_deletion_skips_ratings_of_unrated_games(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    _, as_ana = player(context)
    new_game_of(context, as_ana, OWN, AI)
    monkeypatch.setattr(rating_games, "count", None)
    players.delete(context, as_ana)
    assert 0 == run_follow_ups(context)
