"""The next round: its starting player, the tiles that are dealt, and a round without tiles."""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.kernel import generator
from service.rulesets.ruleset import Position
from tests.rulesets.playing import assert_draw_refused, deal, fields, of_type, play, short_type
from tests.rulesets.summer_pavilion.build import (
    FACTORIES,
    FULL_BOARD,
    colour_numbers,
    counts,
    effects_of_draw,
    hand,
    keep,
    passer,
    place,
    size,
    view,
    waiting,
)

every_number = pytest.mark.parametrize("seats", FACTORIES)


@every_number
def test_the_token_holder_starts_and_the_token_returns_to_the_centre(seats: int) -> None:
    for holder in range(seats):
        dealt = deal(waiting(seats=seats, token=holder, start_seat=(holder + 1) % seats))
        expected = (holder, holder, "centre", 2)
        assert expected == fields(dealt, "to_decide", "start_seat", "start_token", "round")


@every_number
def test_the_same_seat_starts_the_next_round_if_no_seat_took_the_token(seats: int) -> None:
    for starter in range(seats):
        dealt = deal(waiting(seats=seats, start_seat=starter))
        assert (starter, starter, "centre") == fields(dealt, "to_decide", "start_seat", "start_token")


def test_the_tiles_in_the_corners_return_to_the_hands() -> None:
    position = waiting(passer(9, corners="bbgr"), passer(8, {"b": "b....."}), passer(7, corners="y"))
    seats = view(deal(position))["seats"]
    assert [counts("bbgr"), {}, counts("y")] == [seat["hand"] for seat in seats]
    assert [{}, {}, {}] == [seat["corners"] for seat in seats]
    assert ([9, 8, 7], "blue") == ([seat["score"] for seat in seats], seats[1]["stars"]["blue"][0])


def test_the_effects_list_the_tiles_returned_from_corners_after_the_deal() -> None:
    position = waiting(passer(9, corners="bbgr"), passer(8), passer(7, corners="y"))
    actual = position.step_draw(position.sample(generator(bytes(range(32)))))[0]
    assert ["dealt", "corners_returned", "corners_returned"] == [short_type(effect) for effect in actual]
    expected = [{"seat": 0, "tiles": counts("bbgr")}, {"seat": 2, "tiles": counts("y")}]
    assert expected == of_type(actual, "corners_returned")


def test_the_deal_fills_the_supply_first_and_then_the_factories_in_order() -> None:
    position = waiting(supply="ppggooyy", bag="")
    tiles = "br" + "bbbb" + "rrrr" + "pgoy" + "yyyy" + "oooo"
    shown = view(position.resolve_draw(colour_numbers(tiles)))
    factories = [counts(tiles[first : first + 4]) for first in range(2, 22, 4)]
    assert (counts("ppggooyybr"), factories) == (shown["supply"], shown["factories"])
    (actual,) = effects_of_draw(position, tiles, "dealt")
    expected = {"round": 2, "wild": "green", "supply": counts("br"), "factories": factories, "tower_used": True}
    assert expected == actual


@pytest.mark.parametrize("number", [0, 2, 21, 23])
def test_a_deal_of_the_wrong_number_of_tiles_is_refused(number: int) -> None:
    assert_draw_refused(waiting(supply="ppggooyy", bag=""), colour_numbers(("pgoybr" * 4)[:number]))


# The tower


def test_a_deal_that_exactly_empties_the_bag_does_not_use_the_tower() -> None:
    position = waiting(bag="pgoyb" * 4)
    tower = view(position)["tower"]
    shown = view(position.resolve_draw(colour_numbers("pgoyb" * 4)))
    assert ({}, tower) == (shown["bag"], shown["tower"])
    assert [False] == [effect["tower_used"] for effect in effects_of_draw(position, "pgoyb" * 4, "dealt")]


def test_the_tower_is_emptied_into_the_bag_when_the_bag_runs_out() -> None:
    position = waiting(bag="b" * 19)
    expected = {"purple": 20, "green": 20, "orange": 20, "yellow": 19, "blue": 2, "red": 21}
    assert (expected, {}) == fields(position.resolve_draw(colour_numbers("b" * 19 + "y")), "bag", "tower")
    assert [True] == [effect["tower_used"] for effect in effects_of_draw(position, "b" * 19 + "y", "dealt")]


def test_the_tower_is_emptied_into_an_empty_bag_before_the_supply_is_filled() -> None:
    dealt = waiting(supply="ppggooyy", bag="").resolve_draw(colour_numbers("br" + "rrrr" * 5))
    assert ({}, counts("ppggooyybr")) == fields(dealt, "tower", "supply")


def test_no_tile_is_drawn_from_the_tower_before_the_bag_is_empty() -> None:
    position = waiting(bag="b" * 19)
    for tiles in ("y" + "b" * 19, "b" * 18 + "yy"):
        assert_draw_refused(position, colour_numbers(tiles))


# Late rounds of four seats


def nearly_full_boards(**named: Any) -> Position:
    """Return four seats with 114 tiles on their boards, eight in the supply, and ten in bag and tower."""
    boards = [
        passer(9, FULL_BOARD),
        passer(9, FULL_BOARD),
        passer(9, {"p": "pppppp", "g": "gggggg", "o": "oooooo"}),
        passer(9, {"y": "yyyyyy", "b": "bbbbbb"}),
    ]
    return waiting(*boards, **{"supply": "ppggooyy", "bag": "", "round_number": 5, **named})


def test_the_last_factories_stay_empty_when_the_bag_and_the_tower_are_empty() -> None:
    position = nearly_full_boards()
    shown = view(position.resolve_draw(colour_numbers("brr" + "rrrbrrr")))
    assert [counts("rrrr"), counts("brrr"), *[{}] * 7] == shown["factories"]
    assert (10, {}, {}, "acquire") == (size(shown["supply"]), shown["bag"], shown["tower"], shown["phase"])


def test_a_short_deal_must_use_all_tiles_of_the_tower() -> None:
    assert_draw_refused(nearly_full_boards(), colour_numbers("brr"))


def test_a_factory_can_get_fewer_than_four_tiles() -> None:
    stars = {"y": "yyyyyy", "b": "bbbbbb", "r": "r....."}
    boards = [passer(9, FULL_BOARD), passer(9, FULL_BOARD), passer(9, {"p": "pppppp", "g": "gggggg", "o": "oooooo"})]
    position = waiting(*boards, passer(9, stars), supply="ppggooyy", bag="", round_number=5, token=2)
    dealt = deal(position)
    assert [4, 3, *[0] * 7] == [size(factory) for factory in view(dealt)["factories"]]
    assert ("acquire", 2) == (view(dealt)["phase"], dealt.seat)


def six_tiles_left(*, supply: str, tower: str = "", corners: str = "", **named: Any) -> Position:
    """Three full boards: six tiles are left, one of each colour."""
    boards = [passer(9, FULL_BOARD), passer(9, FULL_BOARD), passer(9, FULL_BOARD), passer(9, corners=corners)]
    return waiting(*boards, **{"supply": supply, "bag": "", "tower": tower, "round_number": 4, **named})


def test_a_round_with_a_single_tile_in_a_factory_has_a_first_phase() -> None:
    stars = {"y": "yyyyyy", "b": "bbbbbb", "r": "rrrrrr", "c": "...r.."}
    boards = [passer(9, FULL_BOARD), passer(9, FULL_BOARD), passer(9, {"p": "pppppp", "g": "gggggg", "o": "oooooo"})]
    position = waiting(*boards, passer(9, stars), supply="ppggooyyb", bag="", round_number=5, token=3)
    dealt = position.resolve_draw(colour_numbers("br"))
    assert [counts("r"), *[{}] * 8] == view(dealt)["factories"]
    assert ("acquire", 3, "red") == (view(dealt)["phase"], dealt.seat, view(dealt)["wild"])


@pytest.mark.parametrize("holder", [None, 0, 2, 3])
def test_a_round_without_a_tile_for_the_factories_has_no_first_phase(holder: int | None) -> None:
    position = six_tiles_left(supply="y", tower="br", corners="pgo", token=holder, start_seat=1)
    dealt = position.resolve_draw(colour_numbers("br"))
    starter = 1 if holder is None else holder
    assert ("deciding", "play", starter) == (dealt.status, *fields(dealt, "phase", "to_decide"))
    assert (starter, "centre", 5) == fields(dealt, "start_seat", "start_token", "round")
    assert (counts("ybr"), counts("pgo")) == (view(dealt)["supply"], hand(dealt, 3))
    assert [False] * 4 == [seat["passed"] for seat in view(dealt)["seats"]]
    assert [{"seat": starter}] == effects_of_draw(position, "br", "play_began")


def test_a_deal_can_be_empty() -> None:
    position = six_tiles_left(supply="ybr", corners="pgo", token=3)
    assert () == position.sample(generator(bytes(range(32))))
    dealt = position.resolve_draw(())
    assert ("play", 3, counts("pgo")) == (view(dealt)["phase"], dealt.seat, view(dealt)["seats"][3]["hand"])
    kinds = [short_type(effect) for effect in position.step_draw(())[0]]
    assert ["dealt", "corners_returned", "play_began"] == kinds


def test_a_round_without_a_first_phase_is_played_with_the_tiles_kept() -> None:
    position = six_tiles_left(supply="ybr", corners="pgo", token=3, round_number=1).resolve_draw(())
    placed = play(position, place("p1", "p"))
    assert ("play", 0, counts("go")) == (view(placed)["phase"], placed.seat, view(placed)["seats"][3]["hand"])


def test_the_same_seat_starts_the_round_after_a_round_without_dealt_tiles() -> None:
    position = six_tiles_left(supply="ybr", corners="pgo", token=3, round_number=1).resolve_draw(())
    position = play(position, keep("pgo"), keep(), keep(), keep())
    assert ("deal", 3, "centre") == fields(position, "phase", "start_seat", "start_token")
    assert ("play", 3, 3) == fields(position.resolve_draw(()), "phase", "to_decide", "round")


def test_tiles_discarded_in_a_round_without_dealt_tiles_refill_the_supply() -> None:
    position = play(six_tiles_left(supply="ybr", corners="pgo", token=3, round_number=1).resolve_draw(()), keep("p"))
    assert ("refill", counts("go"), 0) == fields(position, "phase", "tower", "next_seat")
