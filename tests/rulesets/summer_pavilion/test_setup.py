"""Set-up and the first deal: the numbers of the rules page, for every number of seats."""

from __future__ import annotations

import pytest

from service.rulesets.summer_pavilion import SUMMER_PAVILION
from tests.rulesets.playing import assert_draw_refused, deal, errors, legal
from tests.rulesets.summer_pavilion.build import (
    COLOURS,
    FACTORIES,
    ORDER,
    VARIANTS,
    board,
    colour_numbers,
    colours_of,
    counts,
    effects_of_draw,
    size,
    view,
    waiting,
)

every_side = pytest.mark.parametrize("variant", VARIANTS)
every_number = pytest.mark.parametrize("seats", FACTORIES)


@every_side
@every_number
def test_all_132_tiles_are_in_the_bag_before_the_first_deal(variant: str, seats: int) -> None:
    shown = view(SUMMER_PAVILION.start(variant, seats, 0))
    assert (dict.fromkeys(COLOURS, 22), 132) == (shown["bag"], size(shown["bag"]))
    assert (0, None, "deal", None) == (shown["round"], shown["wild"], shown["phase"], shown["to_decide"])
    assert [board()] * seats == shown["seats"]


@every_side
@every_number
def test_the_supply_gets_ten_tiles_and_each_factory_four(variant: str, seats: int) -> None:
    shown = view(deal(SUMMER_PAVILION.start(variant, seats, 0)))
    assert 10 == size(shown["supply"])
    assert [4] * FACTORIES[seats] == [size(factory) for factory in shown["factories"]]
    assert 132 - 10 - 4 * FACTORIES[seats] == size(shown["bag"])
    assert dict.fromkeys(COLOURS, 22) == colours_of(shown)


@every_side
@every_number
def test_every_seat_begins_with_5_points_and_the_token_is_in_the_centre(variant: str, seats: int) -> None:
    shown = view(deal(SUMMER_PAVILION.start(variant, seats, 0)))
    assert [board(5)] * seats == shown["seats"]
    assert ("centre", {}, {}) == (shown["start_token"], shown["centre"], shown["tower"])
    assert (variant, 1, "purple", "acquire") == (shown["variant"], shown["round"], shown["wild"], shown["phase"])
    assert (0, None) == (shown["bonus_owed"], shown["next_seat"])


def test_draws_are_written_and_read_as_json() -> None:
    start = SUMMER_PAVILION.start("grey", 2, None)
    assert {"type": "summer-pavilion.first_seat", "seat": 1} == SUMMER_PAVILION.wire.name_draw(
        start.table_state(), (1,)
    )
    seated = start.resolve_draw((1,))
    named = SUMMER_PAVILION.wire.name_draw(seated.table_state(), colour_numbers("pg" * 15))
    assert {"type": "summer-pavilion.deal", "tiles": ["purple", "green"] * 15} == named
    assert colour_numbers("pg" * 15) == SUMMER_PAVILION.wire.read_draw(named)
    assert colour_numbers("br") == SUMMER_PAVILION.wire.read_draw(
        {"type": "summer-pavilion.refill", "tiles": ["blue", "red"]}
    )


def test_a_refill_without_tiles_is_refused() -> None:
    refill = {"type": "summer-pavilion.refill", "tiles": []}
    assert {"/tiles"} == errors(SUMMER_PAVILION.wire.read_draw, refill).keys()


def test_the_supply_is_filled_first_and_then_the_factories_in_order() -> None:
    tiles = "ppppppgggg" + "gggg" + "oooo" + "yyyb" + "brro" + "pgoy"
    start = SUMMER_PAVILION.start("coloured", 2, 1)
    shown = view(start.resolve_draw(colour_numbers(tiles)))
    factories = [counts(tiles[first : first + 4]) for first in range(10, 30, 4)]
    assert (counts("ppppppgggg"), factories) == (shown["supply"], shown["factories"])
    effect = {"round": 1, "wild": "purple", "supply": shown["supply"], "factories": factories, "tower_used": False}
    assert [{"type": "summer-pavilion.dealt", **effect}] == start.step_draw(colour_numbers(tiles))[0]


def test_tiles_are_drawn_without_replacement() -> None:
    start = SUMMER_PAVILION.start("coloured", 2, 0)
    assert_draw_refused(start, colour_numbers("p" * 23 + "g" * 7))
    assert "deciding" == start.resolve_draw(colour_numbers("p" * 22 + "g" * 8)).status


@pytest.mark.parametrize("number", [0, 10, 29, 31])
def test_a_deal_of_the_wrong_number_of_tiles_is_refused(number: int) -> None:
    assert_draw_refused(SUMMER_PAVILION.start("coloured", 2, 0), colour_numbers((ORDER * 6)[:number]))


def test_first_moves_take_a_colour_that_is_not_wild_from_a_factory() -> None:
    dealt = SUMMER_PAVILION.start("coloured", 2, 0).resolve_draw(colour_numbers("ppggooyybr" + "pgoy" * 5))
    assert 5 * 3 == len(legal(dealt))


@pytest.mark.parametrize(
    ("round_number", "wild"), [(1, "purple"), (2, "green"), (3, "orange"), (4, "yellow"), (5, "blue"), (6, "red")]
)
def test_each_round_has_its_wild_colour(round_number: int, wild: str) -> None:
    before = (
        SUMMER_PAVILION.start("grey", 3, 0) if round_number == 1 else waiting(seats=3, round_number=round_number - 1)
    )
    shown = view(deal(before))
    assert (round_number, wild) == (shown["round"], shown["wild"])


def test_the_wild_colour_of_the_ended_round_is_shown_until_the_next_deal() -> None:
    shown = view(waiting(round_number=3))
    assert (3, "orange", "deal") == (shown["round"], shown["wild"], shown["phase"])


def test_the_dealt_effect_contains_the_round_and_its_wild_colour() -> None:
    (actual,) = effects_of_draw(
        waiting(round_number=4, bag="pgoybr" * 5, supply="pgoybrpgoy"), "pgoybr" * 3 + "pg", "dealt"
    )
    assert (5, "blue", {}, False) == (actual["round"], actual["wild"], actual["supply"], actual["tower_used"])
