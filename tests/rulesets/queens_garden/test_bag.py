"""An empty bag: the tower refills it, then fewer tiles are drawn, then the stack is spread."""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.kernel import generator
from service.rulesets.ruleset import Position
from tests.rulesets import refereeing
from tests.rulesets.playing import assert_draw_refused, effects, effects_of_type, fields, legal, play, short_type
from tests.rulesets.queens_garden.build import (
    board,
    passer,
    state,
    view,
)
from tests.rulesets.queens_garden.letters import SEED, STACK_OF, hexagon_numbers
from tests.rulesets.queens_garden.playing import (
    acquire,
    bag,
    deal,
    display,
    effects_of_draw,
    expansions_beside,
    leave,
    next_decision,
    stack,
    top,
    tower,
)


def filling(bag_tiles: str, **named: Any) -> Position:
    """Return a position in which the top has moved beside, and the next top waits for its tiles."""
    return state(**{"phase": "fill", "next_seat": 1, "stack": 4, "beside": ("p1 p2 p3",), "bag": bag_tiles, **named})


def planted_position(*boards: Any, **named: Any) -> Position:
    """Return round 3 of four seats with all other tiles in the gardens, and an empty bag and tower."""
    return state(*boards, **{"seats": 4, "round_number": 3, "planted": True, "bag": "", **named})


# The tower


def test_bag_of_four_tiles_fills_the_top_without_the_tower() -> None:
    """[bag.short]"""
    waits = filling("b1 b2 b3 b4")
    after = deal(waits, "b1 b2 b3 b4")
    assert ("", tower(waits)) == (bag(after), tower(after))
    assert [False] == [each["tower_used"] for each in effects_of_draw(waits, "b1 b2 b3 b4", "stack_filled")]


@pytest.mark.parametrize("held", ["", "b1", "b1 b2", "b1 b2 b3"])
def test_tower_is_emptied_into_a_bag_of_fewer_than_four_tiles(held: str) -> None:
    """[bag.short] then all are drawn from one heap."""
    waits = filling(held)
    after = deal(waits, "y1 y2 y3 y4")
    assert ("y1 y2 y3 y4", "", 108 - 4 - 3) == (top(after), tower(after), len(bag(after).split()))
    assert [True] == [each["tower_used"] for each in effects_of_draw(waits, "y1 y2 y3 y4", "stack_filled")]


def test_tower_tiles_cannot_be_drawn_while_the_bag_has_four() -> None:
    """[bag.short]"""
    assert_draw_refused(filling("b1 b2 b3 b4"), hexagon_numbers("b1 b2 b3 y4"))


def test_a_sampled_fill_of_a_short_bag_draws_from_bag_and_tower() -> None:
    """[bag.short] the tiles of the short bag are no surer to come than others."""
    waits = filling("b1 b2 b3")
    rng = generator(SEED)
    without = sum(not {0, 1, 2} & set(waits.sample(rng)) for _ in range(200))
    assert 100 < without


# Fewer than four


@pytest.mark.parametrize(("held", "poured"), [("b1", ""), ("b1 b2 b3", ""), ("b1", "b2 b3"), ("", "b1 b2")])
def test_all_tiles_are_drawn_if_bag_and_tower_have_fewer_than_four(held: str, poured: str) -> None:
    """[bag.short] fewer."""
    waits = planted_position(phase="fill", next_seat=1, stack=4, beside=("p1", "", "", ""), bag=held, tower=poured)
    tiles = " ".join([*held.split(), *poured.split()])
    assert sorted(hexagon_numbers(tiles)) == sorted(waits.sample(generator(SEED)))
    after = deal(waits, tiles)
    assert (tiles, "", "", 4) == (top(after), bag(after), tower(after), stack(after))
    assert ("play", 1) == fields(after, "phase", "to_decide")


@pytest.mark.parametrize("tiles", ["b1", "b1 b2 b3", "b1 b1"])
def test_short_fill_must_use_all_remaining_tiles(tiles: str) -> None:
    waits = planted_position(phase="fill", next_seat=1, stack=4, beside=("p1", "", "", ""), bag="b1", tower="b2")
    assert_draw_refused(waits, hexagon_numbers(tiles))


def test_top_with_fewer_than_four_tiles_is_not_refilled_later() -> None:
    """Tiles reach the tower, the top keeps its two."""
    before = planted_position(board(storage="b3 b1 d3 d5"), top="b2 k2", beside=("",) * 4)
    after = play(before, leave("d3 d5"))
    assert ("b2 k2", "d3 d5", "play") == (top(after), tower(after), view(after)["phase"])


# Nothing


def test_stack_is_spread_in_the_same_move_if_no_tiles_are_left() -> None:
    """[bag.short] if none, the rest goes face up into the display."""
    before = planted_position(top="b1 y2", beside=("d1", "", "^k6"))
    after = play(before, acquire("b", "t:b1"))
    assert (0, "", {0: "d1", 2: "^k6", 3: "y2", 4: "?", 5: "?", 6: "?", 7: "?"}, "turn") == display(after)
    assert [{"numbers": [4, 5, 6, 7]}] == effects_of_type(before, acquire("b", "t:b1"), "stack_spread")
    kinds = [short_type(effect) for effect in effects(before, acquire("b", "t:b1"))]
    assert ["pieces_acquired", "top_moved_beside", "stack_spread"] == kinds


def test_spread_expansions_turn_in_order_and_can_be_taken_from_the_next_move() -> None:
    """[bag.short]"""
    before = planted_position(top="b1 y2", beside=("",) * 5)
    after = deal(play(before, acquire("b", "t:b1")), "p1 l3")
    assert ({5: "y2", 6: "^p1", 7: "^l3"}, 1, "play") == (expansions_beside(after), after.seat, view(after)["phase"])
    assert acquire("l", "7^l3") in legal(after, "acquire")


def test_old_top_turns_together_with_the_spread_expansions() -> None:
    """[bag.short]"""
    waits = play(planted_position(top="b1", beside=("",) * 5), acquire("b", "t:b1"))
    assert {5: "?", 6: "?", 7: "?"} == expansions_beside(waits)
    assert {5: "^k5", 6: "^p1", 7: "^l3"} == expansions_beside(deal(waits, "k5 p1 l3"))


def test_spread_stack_does_not_return_when_tiles_reach_the_tower() -> None:
    """[bag.short] this round has no stack any more."""
    before = planted_position(board(storage="d3 d5"), board(storage="k4"), top="b1 y2", beside=("",) * 5)
    spread = deal(play(before, acquire("b", "t:b1")), "p1 l3")
    after = play(spread, leave("k4"), leave(), leave(), acquire("y", "5:y2"))
    assert (0, "", {5: "?", 6: "^p1", 7: "^l3"}, "turn") == display(after)
    assert ("k4", 0) == (tower(next_decision(after)), stack(next_decision(after)))


def test_tiles_in_the_tower_are_enough_for_a_fill() -> None:
    before = planted_position(top="b1 y2", beside=("",) * 5, tower="k4")
    after = play(before, acquire("b", "t:b1"))
    assert ("fill", hexagon_numbers("k4")) == (view(after)["phase"], after.sample(generator(SEED)))


# At the set-up of a round


def last_pass(storage_of_last: str = "", **named: Any) -> Position:
    """Return a position in which the last of four seats will pass, with an empty bag and tower."""
    boards = [passer(), passer(), passer(), board(storage=storage_of_last)]
    return state(*boards, **{"round_number": 3, "planted": True, "bag": "", "to_decide": 3, "marker": 1, **named})


def test_round_without_tiles_starts_with_its_whole_stack_spread() -> None:
    """[bag.short] in a round's set-up too."""
    before = last_pass()
    after = play(before, leave())
    assert (0, "", dict.fromkeys(range(8), "?"), "turn") == display(after)
    assert (4, 1, 1) == fields(after, "round", "next_seat", "start_seat")
    kinds = [short_type(effect) for effect in effects(before, leave())][-3:]
    assert ["round_ended", "round_began", "stack_spread"] == kinds
    assert [{"numbers": [*range(8)]}] == effects_of_type(before, leave(), "stack_spread")


def test_tiles_cleared_from_the_display_fill_the_next_round() -> None:
    """The display is cleared before the stack is filled."""
    after = play(last_pass(top="b1 y2", beside=("k4",)), leave())
    assert ("fill", "b1 y2 k4") == (view(after)["phase"], tower(after))
    assert sorted(hexagon_numbers("b1 k4 y2")) == sorted(after.sample(generator(SEED)))


@pytest.mark.parametrize("seats", STACK_OF)
def test_tower_is_mixed_into_a_short_bag_at_the_start_of_a_round(seats: int) -> None:
    """[bag.short]"""
    boards = [passer() for _ in range(seats - 1)]
    before = state(*boards, board(), to_decide=seats - 1, bag="b1", tower="d1")
    after = deal(play(before, leave()), "y1 y2 y3 y4")
    assert ("y1 y2 y3 y4", "") == (top(after), tower(after))


@pytest.mark.parametrize("seed", range(6))
def test_rules_match_the_referee_when_tiles_run_out(seed: int) -> None:
    """[bag.short] To the end of the game; random play from the set-up does not come there."""
    rng = generator(bytes([seed + 1]) * 32)
    position = planted_position(top="b1 y2", beside=("d1", "", "^k6"))
    while position.status != "over":
        if position.status == "drawing":
            drawn_now = position.sample(rng)
            assert [] == [*refereeing.of_draw(position, drawn_now)]
            position = position.resolve_draw(drawn_now)
        else:
            action = position.random_action(rng)
            assert [] == [*refereeing.of_action(position, action)]
            position = position.play(action)
