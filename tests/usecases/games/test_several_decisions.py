"""A seat that decides several times in a row: bonus tiles of Summer Pavilion, on a real store."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from service.games.errors import GameError
from service.rulesets.kernel import generator
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating, playing
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewGame, NewSeat
from service.usecases.views import reading
from tests.usecases.answers import to_json
from tests.workers.positions import bonus_action

SEED = bytes(range(1, 33))


def view_of(context: Context, game: str) -> dict[str, Any]:
    """Return the game as a stranger sees it."""
    return dict(orjson.loads(reading.glance(context, Caller(), game)[1]))


def act(context: Context, callers: list[Caller], game: str, action: int) -> dict[str, Any]:
    """Play an action as the seat to decide. Return the view afterwards."""
    before = view_of(context, game)
    playing.act(context, Request(callers[before["to_decide"]], game, (before["revision"],)), str(action), None)
    return view_of(context, game)


def play_to_bonus(context: Context, callers: list[Caller], game: str) -> dict[str, Any]:
    """Play at random until a seat has to take several bonus tiles."""
    rng = generator(SEED)
    while True:
        position = repository.load(context, game).game.position
        assert position is not None
        action = bonus_action(position)
        if action is not None:
            return act(context, callers, game, action)
        act(context, callers, game, position.random_action(rng))


@pytest.mark.parametrize("variant", ["coloured", "grey"])
def test_a_person_takes_bonus_tiles_in_single_decisions_before_another_seat_moves(
    context: Context, variant: str
) -> None:
    seats = (NewSeat("player"), NewSeat("player"))
    made = creating.create(context, Caller(), NewGame("summer-pavilion", variant, seats, first_seat=0, seed=SEED))
    game, callers = made["game"]["id"], [Caller(made["tokens"]["seats"][str(number)]) for number in range(2)]
    view = play_to_bonus(context, callers, game)
    seat, bonus_count, first_revision = view["to_decide"], view["position"]["bonus_owed"], view["revision"]
    assert bonus_count > 1
    for left in range(bonus_count, 0, -1):
        position, legal = view["position"], to_json(reading.list_legal_actions(context, Caller(), game))["actions"]
        assert (seat, "take_bonus", left) == (view["to_decide"], position["phase"], position["bonus_owed"])
        assert {"summer-pavilion.take_bonus"} == {offer["action"]["type"] for offer in legal}
        with pytest.raises(GameError, match="game/not_your_turn"):
            playing.act(context, Request(callers[1 - seat], game, (view["revision"],)), legal[0]["id"], None)
        with pytest.raises(GameError, match="game/illegal_action"):
            playing.act(context, Request(callers[seat], game, (view["revision"],)), None, {"type": "pass", "keep": {}})
        view = act(context, callers, game, int(legal[0]["id"]))
    assert 0 == view["position"]["bonus_owed"]
    assert "take_bonus" != view["position"]["phase"]
    events = reading.history(context, Caller(), game, first_revision)["events"]
    assert ["action"] * bonus_count + ["draw"] == [event["kind"] for event in events]
    assert [seat] * bonus_count == [event["seat"] for event in events[:bonus_count]]
