"""A killed store may lose its last seconds. The service then returns only what the store still has."""

from __future__ import annotations

import itertools
from typing import Any

import orjson

from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.games import playing
from service.usecases.games.commands import Request
from service.usecases.views import reading
from tests.usecases.answers import to_json
from tests.usecases.games.test_usecases import PLAYER, act, new_game, seat


def test_lost_events_are_no_longer_returned(context: Context) -> None:
    """After the loss the game continues differently."""
    game, tokens = new_game(context, PLAYER, PLAYER)
    store: Any = context.store.redis
    before = {name: store.dump(name) for name in store.scan_iter(f"*{game}*")}
    lost = act(context, game, seat(tokens, 0)).revision
    context.views.set((game, lost - 1), b"what was so")
    assert lost == repository.load(context, game).game.revision
    for name, content in before.items():
        store.restore(name, 0, content, replace=True)
    context.clock.on_new_server()
    legal = to_json(reading.list_legal_actions(context, Caller(), game))
    playing.act(context, Request(seat(tokens, 0), game, (legal["revision"],)), legal["actions"][-1]["id"], None)
    act(context, game, seat(tokens, 1))
    actual = orjson.loads(reading.view_at(context, Caller(), game, lost - 1))
    assert lost - 1 == actual["revision"]
    items = [item for item in itertools.islice(reading.follow(context, Caller(), game, lost - 1), 1) if item]
    assert legal["actions"][-1]["action"] == items[0]["event"]["action"]


def test_a_caller_ahead_of_the_store_gets_a_response_at_once(context: Context) -> None:
    game, _ = new_game(context, PLAYER, PLAYER)
    revision, _ = reading.glance(context, Caller(), game)
    actual = reading.wait(context, Caller(), game, revision + 5, 30)
    assert actual is not None
    assert revision == actual[0]
