"""The next round: its starting player and the tiles that are dealt."""

from __future__ import annotations

import pytest

from service.rulesets.azul import AZUL
from service.rulesets.kernel import generator
from service.rulesets.ruleset import Position
from tests.rulesets.azul.build import CLOSE, FACTORIES, board, closing, colour_numbers, counts, draft, read, table, view
from tests.rulesets.playing import assert_draw_refused, deal, fields, legal, of_type, play

# Four such walls, five whites on each, and four such sets of lines hold all 100 tiles.
WALL = {0: ".yrkw", 1: "wb.rk", 2: "kwby.", 3: "r.wby", 4: "yrkw."}
LINES = {1: "y", 2: "r", 3: "k", 4: "bb"}


@pytest.mark.parametrize("variant", ["coloured", "grey"])
@pytest.mark.parametrize("seats", FACTORIES)
def test_the_token_holder_starts_and_the_token_returns_to_the_centre(variant: str, seats: int) -> None:
    for holder in range(seats):
        boards = [board(20, floor="T" if seat == holder else "") for seat in range(seats)]
        dealt = deal(play(closing(*boards, seats=seats, variant=variant), CLOSE))
        expected = (holder, holder, "centre", 7)
        assert expected == fields(dealt, "to_decide", "start_seat", "start_token", "round")


@pytest.mark.parametrize("seats", FACTORIES)
def test_the_same_seat_starts_the_next_round_if_no_seat_took_the_token(seats: int) -> None:
    for starter in range(seats):
        dealt = deal(play(closing(seats=seats, start_seat=starter), CLOSE))
        assert (starter, starter, "centre") == fields(dealt, "to_decide", "start_seat", "start_token")


def waiting(bag: str) -> Position:
    """Return two seats that wait for a deal from this bag. All other tiles but four are in the box lid."""
    return play(closing(bag=bag), CLOSE)


def test_a_deal_that_exactly_empties_the_bag_does_not_use_the_box_lid() -> None:
    position = waiting("byrkw" * 4)
    lid = view(position)["box_lid"]
    tiles = colour_numbers("byrkw" * 4)
    shown = view(position.resolve_draw(tiles))
    assert ({}, lid) == (shown["bag"], shown["box_lid"])
    assert [False] == [effect["box_lid_used"] for effect in of_type(position.step_draw(tiles)[0], "dealt")]


def test_the_box_lid_is_emptied_into_the_bag_when_the_bag_runs_out() -> None:
    position = waiting("b" * 19)
    # the 20th tile comes from the lid: 20 y, 20 r, 20 k, 16 w and one b lie there
    tiles = colour_numbers("b" * 19 + "y")
    shown = view(position.resolve_draw(tiles))
    expected = {"blue": 1, "yellow": 19, "red": 20, "black": 20, "white": 16}
    assert (expected, {}) == (shown["bag"], shown["box_lid"])
    assert [True] == [effect["box_lid_used"] for effect in of_type(position.step_draw(tiles)[0], "dealt")]


def test_an_empty_bag_is_filled_before_the_first_tile_is_drawn() -> None:
    dealt = waiting("").resolve_draw(colour_numbers("y" * 20))
    assert ({"blue": 20, "red": 20, "black": 20, "white": 16}, {}) == fields(dealt, "bag", "box_lid")


def test_no_tile_is_drawn_from_the_box_lid_before_the_bag_is_empty() -> None:
    position = waiting("b" * 19)
    for tiles in ("y" + "b" * 19, "b" * 18 + "yy"):
        assert_draw_refused(position, colour_numbers(tiles))


@pytest.mark.parametrize("bag", ["", "b", "yyyrrr", "byrkw" * 3 + "kkkk", "byrkw" * 4, "byrkw" * 6])
def test_a_draw_takes_from_the_bag_until_it_is_empty(bag: str) -> None:
    position = waiting(bag)
    for seed in range(20):
        tiles = position.sample(generator(bytes([seed + 1] * 32)))
        first = tiles[: len(bag)]
        assert all(first.count(colour) <= bag.count("byrkw"[colour]) for colour in range(5))
        assert 20 == len(tiles)
        assert "deciding" == position.resolve_draw(tiles).status


def test_factories_stay_short_when_the_bag_and_the_box_lid_are_empty() -> None:
    """Four seats hold 95 tiles: one full factory, one with a single tile, seven without."""
    boards = [board(10, {}, WALL, floor="T"), board(20, LINES, WALL), board(30, LINES, WALL)]
    last = board(40, {1: "y", 2: "r", 3: "k"}, WALL)
    position = play(read(table(*boards, last, seats=4, to_decide=3, centre="bb")), draft("centre", "b", 4))
    assert "drawing" == position.status
    dealt = position.resolve_draw(colour_numbers("byrkb"))
    assert [counts("byrk"), counts("b"), *[{}] * 7] == view(dealt)["factories"]
    assert ("deciding", 0, {}, {}) == (dealt.status, dealt.seat, view(dealt)["bag"], view(dealt)["box_lid"])
    assert 2 + 3 <= len(legal(dealt))


def test_a_short_deal_must_use_all_tiles_of_the_bag_and_the_box_lid() -> None:
    """Three seats hold 75 tiles: 25 are left for seven factories, six full ones and a single tile."""
    boards = [
        board(10, LINES, WALL, floor="T"),
        board(20, LINES, WALL),
        board(30, {1: "y", 2: "r", 3: "k"}, WALL),
    ]
    position = play(read(table(*boards, seats=3, to_decide=2, centre="bb", bag="byr")), draft("centre", "b", 4))
    assert_draw_refused(position, colour_numbers("byr"))
    shown = view(deal(position))
    assert [4, 4, 4, 4, 4, 4, 1] == [sum(factory.values()) for factory in shown["factories"]]
    assert ({}, {}) == (shown["bag"], shown["box_lid"])


def test_a_single_tile_is_enough_for_a_round() -> None:
    """Four seats hold 99 tiles; the last one is dealt, and the seat to start drafts it."""
    lines = {**LINES, 4: "b"}
    boards = [board(10, lines, WALL, floor="T"), *(board(20, LINES, WALL) for _ in range(2))]
    last = board(40, {1: "y", 2: "r", 3: "k"}, WALL)
    position = play(read(table(*boards, last, seats=4, to_decide=3, centre="bb")), draft("centre", "b", 4))
    dealt = position.resolve_draw(colour_numbers("b"))
    assert [counts("b"), *[{}] * 8] == view(dealt)["factories"]
    assert ("deciding", 0) == (dealt.status, dealt.seat)


@pytest.mark.parametrize("variant", ["coloured", "grey"])
def test_with_two_seats_the_bag_is_empty_in_round_5_and_refilled_from_the_lid_in_round_6(
    variant: str,
) -> None:
    draws = generator(bytes(range(32)))
    position = AZUL.start(variant, 2, 0)
    dealt: list[tuple[int, int, bool]] = []
    while len(dealt) < 6:
        if position.status == "drawing":
            tiles = position.sample(draws)
            (effect,) = of_type(position.step_draw(tiles)[0], "dealt")
            position = position.resolve_draw(tiles)
            shown = view(position)
            dealt.append((shown["round"], sum(shown["bag"].values()), effect["box_lid_used"]))
            continue
        # line 0 in the first round, then the floor: no row is completed, and only four rounds are idle
        lines = (0, "floor") if len(dealt) == 1 else ("floor",)
        actions = legal(position)
        wanted = [action for line in lines for action in actions if action.get("line") == line]
        position = play(position, (wanted or actions)[0])
    expected = [(1, 80, False), (2, 60, False), (3, 40, False), (4, 20, False), (5, 0, False)]
    assert expected == dealt[:5]
    assert (6, True) == (dealt[5][0], dealt[5][2])
