"""The supply: refilled at the end of a turn only, from the bag and then from the tower."""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.kernel import generator
from service.rulesets.ruleset import Position
from service.rulesets.summer_pavilion import SUMMER_PAVILION
from tests.rulesets.playing import assert_draw_refused, deal, fields, play
from tests.rulesets.summer_pavilion.build import (
    FACTORIES,
    WINDOW,
    board,
    colour_numbers,
    counts,
    effects_of_draw,
    keep,
    passer,
    place,
    size,
    state,
    take_bonus,
    view,
)


def refilling(supply: str, *boards: dict[str, Any], **named: Any) -> Position:
    """Return the end of a turn: the supply waits for its tiles, and seat 1 is next."""
    return state(*boards, **{"phase": "refill", "to_decide": None, "next_seat": 1, "supply": supply, **named})


def test_a_turn_that_leaves_the_supply_full_ends_without_a_draw() -> None:
    after = play(state(board(hand="bb")), place("b2", "b"))
    assert ("deciding", "play", 1, None) == (after.status, *fields(after, "phase", "to_decide", "next_seat"))


@pytest.mark.parametrize("seats", FACTORIES)
def test_a_turn_with_bonus_tiles_ends_with_a_refill_and_then_the_next_seat_moves(seats: int) -> None:
    for seat in range(seats):
        boards = [board(5, WINDOW if each == seat else None) for each in range(seats)]
        before = state(*boards, seats=seats, to_decide=seat, phase="take_bonus", bonus_owed=1)
        waits, following = play(before, take_bonus("p")), (seat + 1) % seats
        assert "drawing" == waits.status
        assert ("refill", None, following) == fields(waits, "phase", "to_decide", "next_seat")
        after = deal(waits)
        assert ("play", following, None) == fields(after, "phase", "to_decide", "next_seat")
        assert 10 == size(view(after)["supply"])


def test_the_seat_after_the_refill_is_the_next_that_has_not_passed() -> None:
    boards = [board(5, WINDOW), passer(), passer(), board()]
    waits = play(state(*boards, phase="take_bonus", bonus_owed=1), take_bonus("p"))
    assert (3, 3) == (view(waits)["next_seat"], deal(waits).seat)


def test_the_last_remaining_seat_moves_again_after_the_refill() -> None:
    waits = play(state(board(5, WINDOW), passer(), phase="take_bonus", bonus_owed=1), take_bonus("p"))
    assert (0, 0) == (view(waits)["next_seat"], deal(waits).seat)


@pytest.mark.parametrize("held", range(10))
def test_the_supply_is_refilled_to_ten(held: int) -> None:
    waits = refilling("ppggooyybr"[:held], bag="")
    tiles = waits.sample(generator(bytes(range(32))))
    assert (10 - held, 10) == (len(tiles), size(view(waits.resolve_draw(tiles))["supply"]))


def test_the_effect_and_the_json_of_a_refill_list_its_tiles() -> None:
    waits = refilling("ppggooy")
    assert [{"tiles": counts("bbr"), "tower_used": False}] == effects_of_draw(waits, "brb", "supply_refilled")
    shown = view(waits.resolve_draw(colour_numbers("brb")))
    assert counts("ppggooybbr") == shown["supply"]
    assert {"type": "summer-pavilion.refill", "tiles": ["blue", "red"]} == SUMMER_PAVILION.wire.name_draw(
        waits.table_state(), colour_numbers("br")
    )


def test_a_refill_that_exactly_empties_the_bag_does_not_use_the_tower() -> None:
    waits = refilling("ppggooy", bag="bbr")
    tower = view(waits)["tower"]
    shown = view(waits.resolve_draw(colour_numbers("brb")))
    assert ({}, tower) == (shown["bag"], shown["tower"])
    assert [False] == [effect["tower_used"] for effect in effects_of_draw(waits, "brb", "supply_refilled")]


def test_the_tower_is_emptied_into_the_bag_when_the_bag_runs_out() -> None:
    waits = refilling("ppggooy", bag="bb")
    expected = {"purple": 19, "green": 20, "orange": 20, "yellow": 21, "blue": 20, "red": 22}
    assert (expected, {}) == fields(waits.resolve_draw(colour_numbers("bbp")), "bag", "tower")
    assert [True] == [effect["tower_used"] for effect in effects_of_draw(waits, "bbp", "supply_refilled")]


@pytest.mark.parametrize("tiles", ["bpb", "pbb", "bpp", "bb", "bbpp", "bbbp"])
def test_no_tile_is_drawn_from_the_tower_before_the_bag_is_empty(tiles: str) -> None:
    assert_draw_refused(refilling("ppggooy", bag="bb"), colour_numbers(tiles))


@pytest.mark.parametrize("bag", ["", "b", "bbrr", "pgoybr" * 4])
def test_a_sampled_refill_takes_from_the_bag_first(bag: str) -> None:
    waits = refilling("ppggooy", bag=bag)
    for seed in range(1, 30):
        tiles = waits.sample(generator(bytes([seed] * 32)))
        first = tiles[: len(bag)]
        assert all(first.count(colour) <= bag.count("pgoybr"[colour]) for colour in range(6))
        assert 3 == len(tiles)
        assert "deciding" == waits.resolve_draw(tiles).status


def test_tiles_discarded_in_a_turn_are_in_the_tower_before_the_refill() -> None:
    """Bag and tower are empty, b6 sends five blue tiles to the tower, and three of them come back."""
    boards = (board(5, {"b": "....b."}, "bbbbbb"), board())
    position = state(*boards, supply="ppggooyyrr", bag="", tower="", rest=1)
    waits = play(position, place("b6", "b"), take_bonus("p"), take_bonus("p"), take_bonus("g"))
    assert ("refill", counts("bbbbb")) == (view(waits)["phase"], view(waits)["tower"])
    assert colour_numbers("bbb") == waits.sample(generator(bytes(range(32))))
    shown = view(waits.resolve_draw(colour_numbers("bbb")))
    assert (counts("bb"), {}, counts("gooyyrrbbb")) == (shown["bag"], shown["tower"], shown["supply"])
    assert [True] == [effect["tower_used"] for effect in effects_of_draw(waits, "bbb", "supply_refilled")]


def test_tiles_discarded_on_passing_refill_a_short_supply() -> None:
    boards = (board(9, hand="rrr"), board())
    position = state(*boards, supply="ppggoo", bag="", tower="", rest=1)
    waits = play(position, keep("r"))
    assert ("refill", 1, counts("rr")) == fields(waits, "phase", "next_seat", "tower")
    assert counts("ppggoorr") == view(waits.resolve_draw(colour_numbers("rr")))["supply"]


@pytest.mark.parametrize("tiles", ["b", "brr"])
def test_a_short_refill_must_use_exactly_the_remaining_tiles(tiles: str) -> None:
    waits = refilling("ppggooy", bag="b", tower="r", rest=1)
    assert_draw_refused(waits, colour_numbers(tiles))
    shown = view(waits.resolve_draw(colour_numbers("br")))
    assert (9, {}, {}, "play") == (size(shown["supply"]), shown["bag"], shown["tower"], shown["phase"])


def test_a_short_supply_is_not_refilled_if_the_bag_and_the_tower_are_empty() -> None:
    boards = (board(9, hand="b"), board())
    position = state(*boards, supply="ppggoo", bag="", tower="", rest=1)
    placed = play(position, place("b1", "b"))
    assert ("play", 1, 6) == (view(placed)["phase"], placed.seat, size(view(placed)["supply"]))
    passed = play(position, keep("b"))
    assert ("play", 1, 6) == (view(passed)["phase"], passed.seat, size(view(passed)["supply"]))


def test_the_supply_is_not_refilled_after_the_last_pass_of_a_round() -> None:
    boards = (board(9, hand="rrr"), passer(5, {"b": "b....."}))
    position = state(*boards, supply="ppggoo", bag="", tower="", rest=0)
    assert ("deal", None, counts("ppggoo")) == fields(play(position, keep("r")), "phase", "next_seat", "supply")
