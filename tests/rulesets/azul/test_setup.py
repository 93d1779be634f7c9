"""Set-up and the printed wall: the numbers of the rulebook, for every number of seats."""

from __future__ import annotations

import pytest

from service.rulesets.azul import AZUL
from tests.rulesets.azul.build import CLOSE, FACTORIES, PRINTED, board, closing, colour_numbers, counts, draft, view
from tests.rulesets.playing import assert_draw_refused, deal, effects_of_type, legal, of_type, play

VARIANTS = ("coloured", "grey")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seats", FACTORIES)
def test_each_factory_gets_four_tiles_drawn_from_the_bag(variant: str, seats: int) -> None:
    shown = view(deal(AZUL.start(variant, seats, 0)))
    assert [4] * FACTORIES[seats] == [sum(factory.values()) for factory in shown["factories"]]
    assert 100 - 4 * FACTORIES[seats] == sum(shown["bag"].values())


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seats", FACTORIES)
def test_a_game_starts_with_empty_boards_and_the_token_in_the_centre(variant: str, seats: int) -> None:
    shown = view(deal(AZUL.start(variant, seats, 0)))
    assert [board()] * seats == shown["seats"]
    assert ("centre", {}, {}) == (shown["start_token"], shown["centre"], shown["box_lid"])
    assert (variant, 1, "draft", 0) == (shown["variant"], shown["round"], shown["phase"], shown["to_decide"])
    assert (0, False) == (shown["rounds_without_tile"], shown["wall_gained_tile"])


def test_factories_are_filled_in_order_with_four_tiles_each() -> None:
    tiles = "bbbb" + "yyrr" + "kkkw" + "byrk" + "wwww"
    start = AZUL.start("coloured", 2, 1)
    expected = [counts(tiles[first : first + 4]) for first in range(0, 20, 4)]
    assert expected == view(start.resolve_draw(colour_numbers(tiles)))["factories"]
    assert [{"factories": expected, "box_lid_used": False}] == of_type(
        start.step_draw(colour_numbers(tiles))[0], "dealt"
    )


def test_tiles_are_drawn_without_replacement() -> None:
    start = AZUL.start("coloured", 3, 0)
    assert_draw_refused(start, colour_numbers("b" * 21 + "y" * 7))
    assert 20 == view(start.resolve_draw(colour_numbers("b" * 20 + "y" * 8)))["factories"][4]["blue"] * 5


@pytest.mark.parametrize("number", [0, 19, 21])
def test_a_draw_of_the_wrong_number_of_tiles_is_refused(number: int) -> None:
    assert_draw_refused(AZUL.start("coloured", 2, 0), colour_numbers(("byrkw" * 5)[:number]))


def test_first_moves_combine_a_colour_in_a_factory_with_a_line_or_the_floor() -> None:
    dealt = AZUL.start("coloured", 2, 0).resolve_draw(colour_numbers("byrk" * 5))
    assert 5 * 4 * 6 == len(legal(dealt))


@pytest.mark.parametrize("row", range(5))
@pytest.mark.parametrize("letter", "byrkw")
def test_colour_k_is_printed_in_row_r_at_column_k_plus_r_modulo_5(row: int, letter: str) -> None:
    column = ("byrkw".index(letter) + row) % 5
    assert letter == PRINTED[row][column]
    # white fills the closing move's line 4; a red closing move frees white
    close = CLOSE if letter != "w" else draft(0, "r", 4)
    factories = ("wwww",) if letter != "w" else ("rrrr",)
    before = closing(board(lines={row: letter * (row + 1)}), factories=factories)
    wall = {row: "." * column + letter + "." * (4 - column)}
    assert board(wall=wall)["wall"] == view(play(before, close))["seats"][0]["wall"]
    assert [column] == [effect["column"] for effect in effects_of_type(before, close, "tile_placed")]
