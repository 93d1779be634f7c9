"""A store that was killed may have lost its last seconds: what it does not know any more is told by nobody."""

from __future__ import annotations

import itertools
from typing import Any

import orjson

from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.games import playing
from service.usecases.games.commands import Request
from service.usecases.views import reading
from tests.usecases.answers import answered
from tests.usecases.games.test_usecases import PLAYER, act, new, seat


def test_what_a_store_has_lost_is_not_told_any_more(context: Context) -> None:
    """A store that is killed may lose its last seconds, and the game goes on in another way."""
    game, tokens = new(context, PLAYER, PLAYER)
    store: Any = context.store._redis
    before = {name: store.dump(name) for name in store.scan_iter(f"*{game}*")}
    lost = act(context, game, seat(tokens, 0)).revision
    context.views.put((game, lost - 1), b"what was so")
    assert lost == repository.load(context, game).game.revision
    for name, content in before.items():
        store.restore(name, 0, content, replace=True)
    context.clock.when_another()
    legal = answered(reading.legal(context, Caller(), game))
    playing.act(context, Request(seat(tokens, 0), game, legal["revision"]), legal["actions"][-1]["id"], None)
    act(context, game, seat(tokens, 1))
    actual = orjson.loads(reading.at(context, Caller(), game, lost - 1))
    assert lost - 1 == actual["revision"]
    items = [item for item in itertools.islice(reading.follow(context, Caller(), game, lost - 1), 1) if item]
    assert legal["actions"][-1]["action"] == items[0]["event"]["action"]


def test_who_knows_more_than_the_store_is_told_so_at_once(context: Context) -> None:
    game, _ = new(context, PLAYER, PLAYER)
    revision, _ = reading.glance(context, Caller(), game)
    actual = reading.wait(context, Caller(), game, revision + 5, 30)
    assert actual is not None
    assert revision == actual[0]
