"""A game in short, cut out of its view."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from service.games.view import summary
from service.usecases.base import repository
from service.usecases.base.context import Context
from service.usecases.games.creating import NewSeat
from service.usecases.views.summaries import REST, summary_json
from service.web.schemas.games.games import GameSummary
from tests.usecases.answers import answered
from tests.usecases.games.test_usecases import OPEN, PLAYER, new

NAMES = ("Ana", '","position":', "\\", '\\","position":null}', "},{")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seats", [(PLAYER, PLAYER), (PLAYER, OPEN)])
def test_it_is_the_summary_that_the_view_begins_with(context: Context, name: str, seats: tuple[Any, ...]) -> None:
    """Whatever people are called, and before the game has begun, too."""
    game_id, _ = new(context, NewSeat("player", name=name), *seats[1:])
    loaded = repository.load(context, game_id)
    actual = answered(summary_json(loaded.stored.view))
    assert answered(summary(loaded.game, repository.lifetimes(context))) == actual
    assert GameSummary().fields.keys() == actual.keys()
    assert name == actual["seats"][0]["name"]
    assert orjson.loads(loaded.stored.view).items() >= actual.items()


def test_the_marker_stands_in_a_view_once(context: Context) -> None:
    game_id, _ = new(context, NewSeat("player", name=NAMES[1]), PLAYER)
    assert 1 == repository.load(context, game_id).stored.view.count(REST)
