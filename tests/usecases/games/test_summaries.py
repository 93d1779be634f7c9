"""Summaries of games, extracted from their views."""

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
from tests.usecases.answers import to_json
from tests.usecases.games.test_usecases import OPEN, PLAYER, new_game

NAMES = ("Ana", '","position":', "\\", '\\","position":null}', "},{")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seats", [(PLAYER, PLAYER), (PLAYER, OPEN)])
def test_the_summary_is_the_beginning_of_the_view(context: Context, name: str, seats: tuple[Any, ...]) -> None:
    game_id, _ = new_game(context, NewSeat("player", name=name), *seats[1:])
    loaded = repository.load(context, game_id)
    actual = to_json(summary_json(loaded.stored.view))
    assert to_json(summary(loaded.game, repository.lifetimes(context))) == actual
    assert GameSummary().fields.keys() == actual.keys()
    assert name == actual["seats"][0]["name"]
    assert orjson.loads(loaded.stored.view).items() >= actual.items()


def test_a_view_contains_the_marker_once(context: Context) -> None:
    game_id, _ = new_game(context, NewSeat("player", name=NAMES[1]), PLAYER)
    assert 1 == repository.load(context, game_id).stored.view.count(REST)
