"""A seat that decides several times in a row: bonus tiles of Summer Pavilion, on a real store."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from service.cases import Caller, Cases, creating, ledgers, playing, reading
from service.cases.creating import NewGame, NewSeat
from service.games.errors import GameError
from service.rulesets.kernel import generator
from tests.workers.positions import bonus_action

SEED = bytes(range(1, 33))


def view_of(cases: Cases, game: str) -> dict[str, Any]:
    """The game as anybody sees it."""
    return dict(orjson.loads(reading.glance(cases, Caller(), game)[1]))


def act(cases: Cases, callers: list[Caller], game: str, action: int) -> dict[str, Any]:
    """The seat to decide does so; the view afterwards."""
    before = view_of(cases, game)
    playing.act(cases, callers[before["to_decide"]], game, str(action), None, before["revision"])
    return view_of(cases, game)


def play_to_bonus(cases: Cases, callers: list[Caller], game: str) -> dict[str, Any]:
    """Both at random until one of them has to take several bonus tiles."""
    rng = generator(SEED)
    while True:
        position = ledgers.load(cases, game).game.position
        assert position is not None
        action = bonus_action(position)
        if action is not None:
            return act(cases, callers, game, action)
        act(cases, callers, game, position.random_action(rng))


@pytest.mark.parametrize("variant", ["coloured", "grey"])
def test_a_person_takes_bonus_tiles_one_by_one_before_anybody_else_moves(cases: Cases, variant: str) -> None:
    seats = (NewSeat("player"), NewSeat("player"))
    made = creating.create(cases, Caller(), NewGame("summer-pavilion", variant, seats, first_seat=0, seed=SEED))
    game, callers = made["game"]["id"], [Caller(made["tokens"]["seats"][str(number)]) for number in range(2)]
    view = play_to_bonus(cases, callers, game)
    seat, owed, begun = view["to_decide"], view["position"]["bonus_owed"], view["revision"]
    assert owed > 1
    for left in range(owed, 0, -1):
        position, legal = view["position"], reading.legal(cases, Caller(), game)["actions"]
        assert (seat, "take_bonus", left) == (view["to_decide"], position["phase"], position["bonus_owed"])
        assert {"summer-pavilion.take_bonus"} == {offer["action"]["type"] for offer in legal}
        with pytest.raises(GameError, match="game/not_your_turn"):
            playing.act(cases, callers[1 - seat], game, legal[0]["id"], None, view["revision"])
        with pytest.raises(GameError, match="game/illegal_action"):
            playing.act(cases, callers[seat], game, None, {"type": "pass", "keep": {}}, view["revision"])
        view = act(cases, callers, game, int(legal[0]["id"]))
    assert 0 == view["position"]["bonus_owed"]
    assert "take_bonus" != view["position"]["phase"]
    events = reading.history(cases, Caller(), game, begun)["events"]
    assert ["action"] * owed + ["draw"] == [event["kind"] for event in events]
    assert [seat] * owed == [event["seat"] for event in events[:owed]]
