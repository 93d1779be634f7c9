"""Set-up: the numbers of the rules page, for every number of seats, and the draws before the first move."""

from __future__ import annotations

import pytest

from service.rulesets.kernel import generator
from service.rulesets.queens_garden import QUEENS_GARDEN
from tests.rulesets.playing import assert_draw_refused, errors, fields
from tests.rulesets.queens_garden.build import (
    board,
    state,
    tiles_on,
    view,
)
from tests.rulesets.queens_garden.letters import (
    HEXAGONS,
    SEED,
    STACK_OF,
    SUPPLY_OF,
    VARIANTS,
    hexagon,
    hexagon_numbers,
    hexagons,
)
from tests.rulesets.queens_garden.playing import bag, deal, effects_of_draw, expansions_beside, stack, top

every_side = pytest.mark.parametrize("variant", VARIANTS)
every_number = pytest.mark.parametrize("seats", STACK_OF)


@every_side
@every_number
def test_every_seat_starts_with_15_points_three_jokers_and_an_empty_garden(variant: str, seats: int) -> None:
    shown = view(QUEENS_GARDEN.start(variant, seats, 0))
    assert [board(15, "***")] * seats == shown["seats"]


@every_side
@every_number
def test_all_tiles_are_in_the_bag_before_the_first_draw(variant: str, seats: int) -> None:
    assert " ".join(name for name in HEXAGONS for _ in range(3)) == bag(QUEENS_GARDEN.start(variant, seats, 0))


@every_number
def test_setup_builds_four_stacks_and_puts_the_rest_in_the_supply(seats: int) -> None:
    shown = view(QUEENS_GARDEN.start("standard", seats, 0))
    each = STACK_OF[seats]
    display = {"stack": each, "top": [], "beside": [], "left": 0}
    assert (display, 3 * each, SUPPLY_OF[seats]) == (shown["display"], shown["round_stacks"], shown["supply"])


@every_number
def test_all_faces_are_unseen_at_the_start(seats: int) -> None:
    assert hexagons(" ".join(HEXAGONS)) == view(QUEENS_GARDEN.start("standard", seats, 0))["unseen"]


@every_side
@every_number
def test_first_fill_puts_four_tiles_on_the_top_of_the_first_stack(variant: str, seats: int) -> None:
    position = deal(QUEENS_GARDEN.start(variant, seats, 0), "k6 b1 d2 b1")
    assert ("b1 b1 d2 k6", {}, STACK_OF[seats]) == (top(position), expansions_beside(position), stack(position))
    assert 108 == len(tiles_on(view(position)))


@every_number
def test_first_round_starts_with_the_marker_in_the_display(seats: int) -> None:
    dealt = deal(QUEENS_GARDEN.start("standard", seats, 0), "k6 b1 d2 b1")
    assert (1, "display") == fields(dealt, "round", "marker")
    assert [False] * seats == [seat["passed"] for seat in view(dealt)["seats"]]


def test_effect_of_the_first_fill_lists_tiles_in_drawing_order() -> None:
    start = QUEENS_GARDEN.start("standard", 2, 0)
    expected = {"tiles": hexagons("k6 b1 d2 b1"), "tower_used": False}
    assert [expected] == effects_of_draw(start, "k6 b1 d2 b1", "stack_filled")


@pytest.mark.parametrize("tiles", ["", "b1", "b1 b2 b3", "b1 b2 b3 b4 b5", "b1 b1 b1 b1"])
def test_first_fill_must_be_four_tiles_from_the_bag(tiles: str) -> None:
    assert_draw_refused(QUEENS_GARDEN.start("standard", 2, 0), hexagon_numbers(tiles))


@pytest.mark.parametrize("numbers", [(-1, 0, 1, 2), (0, 1, 2, 36), (0, 1, 2, 10**9)])
def test_fill_with_an_invalid_hexagon_number_is_illegal(numbers: tuple[int, ...]) -> None:
    assert_draw_refused(QUEENS_GARDEN.start("standard", 2, 0), numbers)


def test_draws_are_converted_to_named_json_and_back() -> None:
    start = QUEENS_GARDEN.start("reverse", 2, None)
    assert {"type": "queens-garden.first_seat", "seat": 1} == QUEENS_GARDEN.wire.name_draw(start.table_state(), (1,))
    seated = start.resolve_draw((1,))
    fill = {"type": "queens-garden.fill", "tiles": hexagons("k6 b1 d2 b1")}
    assert fill == QUEENS_GARDEN.wire.name_draw(seated.table_state(), hexagon_numbers("k6 b1 d2 b1"))
    turning = state(phase="turn", next_seat=0, stack=3, top="b1", beside=("?", "?"))
    turn = {"type": "queens-garden.turn", "faces": hexagons("k6 b1")}
    assert turn == QUEENS_GARDEN.wire.name_draw(turning.table_state(), hexagon_numbers("k6 b1"))
    assert [hexagon_numbers("k6 b1 d2 b1"), hexagon_numbers("k6 b1")] == [
        QUEENS_GARDEN.wire.read_draw(each) for each in (fill, turn)
    ]


@pytest.mark.parametrize(
    ("draw", "pointer"),
    [
        ({"type": "queens-garden.fill", "tiles": []}, "/tiles"),
        ({"type": "queens-garden.fill", "tiles": hexagons("b1 b2 b3 b4 b5")}, "/tiles"),
        ({"type": "queens-garden.fill", "tiles": [{**hexagon("b1"), "colour": "white"}]}, "/tiles/0/colour"),
        ({"type": "queens-garden.turn", "faces": []}, "/faces"),
        ({"type": "queens-garden.turn", "faces": [{"colour": "blue"}]}, "/faces/0/pattern"),
        ({"type": "queens-garden.first_seat"}, "/seat"),
    ],
)
def test_invalid_draw_is_rejected_with_a_pointer_to_the_field(draw: dict[str, object], pointer: str) -> None:
    assert {pointer} == errors(QUEENS_GARDEN.wire.read_draw, draw).keys()


def test_sampled_fill_takes_tiles_only_from_the_bag() -> None:
    position = state(phase="fill", next_seat=0, stack=4, beside=("b1 b2 b3",), bag="d1 d1 d2 y3 k6")
    rng = generator(SEED)
    for _ in range(50):
        tiles = position.sample(rng)
        assert 4 == len(tiles)
        assert "deciding" == position.resolve_draw(tiles).status
