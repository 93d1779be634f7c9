"""The worked cases of the rules page."""

from __future__ import annotations

import pytest

from tests.rulesets.playing import effects_of_type, legal, play, refusal, sort_actions
from tests.rulesets.queens_garden.build import (
    board,
    passer,
    state,
    view,
)
from tests.rulesets.queens_garden.geometry import FOUNTAIN_RING, Space
from tests.rulesets.queens_garden.letters import hexagon, payment
from tests.rulesets.queens_garden.playing import acquire, display, expansions_beside, garden, leave, place, storage, top


def final_breakdown(own: dict[Space, str], storage_line: str = "", score: int = 50) -> dict[str, int]:
    """Return the breakdown of seat 0 at the end of the game."""
    over = play(state(passer(score, storage_line, own), board(), round_number=4, to_decide=1), leave())
    return dict(over.outcome()[0].breakdown)


# A storage with a blue butterfly


@pytest.mark.parametrize("paid", ["b1 b2", "b4 b6", "d3 y3", "p3 k3", "b1 *", "k3 *", "**"])
def test_blue_butterfly_may_be_paid_with_two_blues_two_butterflies_or_jokers(paid: str) -> None:
    held = "b3 b1 b2 b4 b6 d3 y3 p3 k3 **"
    assert refusal(state(board(storage=held)), place("b3", (1, 0), paid)) is None


@pytest.mark.parametrize(
    ("paid", "expected"),
    [
        ("b1 b1", "payment_repeats"),
        ("d3 d3", "payment_repeats"),
        ("b3 b1", "payment_repeats"),
        ("b1 d3", "payment_mixed"),
    ],
)
def test_blue_butterfly_cannot_be_paid_with_identical_or_mixed_pieces(paid: str, expected: str) -> None:
    held = "b3 b3 b1 b1 d3 d3 **"
    assert expected == refusal(state(board(storage=held)), place("b3", (1, 0), paid))


def test_each_payment_of_a_blue_butterfly_is_listed_once() -> None:
    before = state(board(storage="b3 b1 b2 d3 y3 **"))
    lines = ("b1 b2", "d3 y3", "b1 *", "b2 *", "d3 *", "y3 *", "**")
    actual = [
        each["payment"]
        for each in legal(before, "place_tile")
        if (each["hexagon"], each["space"]) == (hexagon("b3"), [1, 0])
    ]
    assert sorted((payment(line) for line in lines), key=str) == actual


# Groups and storage at the end


def test_a_blue_group_of_tree_bird_butterfly_and_bellflower_scores_12() -> None:
    own = dict(zip(FOUNTAIN_RING, ("b1", "b2", "b3", "b6"), strict=False))
    assert 12 == final_breakdown(own)["groups"]


def test_yellow_group_with_all_six_patterns_scores_21_points_and_a_bonus_of_6() -> None:
    own = dict(zip(FOUNTAIN_RING, ("y1", "y2", "y3", "y4", "y5", "y6"), strict=True))
    assert 21 + 6 == final_breakdown(own)["groups"]


def test_three_connected_butterflies_of_three_colours_score_9() -> None:
    own = dict(zip(FOUNTAIN_RING, ("b3", "d3", "k3"), strict=False))
    assert 9 == final_breakdown(own)["groups"]


def test_two_jokers_and_a_flower_left_at_the_end_score_minus_2() -> None:
    assert 2 - 4 == final_breakdown({}, "p4 **")["storage"]


# The top of the stack: green bird, yellow bird and two others; a yellow bird alone on number 0


def test_acquiring_birds_takes_the_green_bird_and_either_yellow_bird() -> None:
    before = state(top="d2 y2 b5 k6", beside=("y2",))
    expected = [acquire("2", "t:d2 t:y2"), acquire("2", "t:d2 0:y2")]
    assert sort_actions(expected) == [each for each in legal(before, "acquire") if each["value"] == "bird"]


def test_taking_the_yellow_bird_of_number_0_turns_it_and_moves_the_top_beside() -> None:
    waits = play(state(top="d2 y2 b5 k6", beside=("y2",)), acquire("2", "t:d2 0:y2"))
    assert ("d2 y2", 3, "", {0: "?", 1: "b5 y2 k6"}, "fill") == (storage(waits), *display(waits))
    filled = waits.resolve_draw((0, 7, 14, 21))
    assert ("turn", "b1 d2 l3 y4") == (view(filled)["phase"], top(filled))
    assert {0: "^k1", 1: "b5 y2 k6"} == expansions_beside(filled.resolve_draw((30,)))


# Blue bird on (1, 0), blue tree on (0, 1)


def test_second_blue_bird_is_illegal_beside_the_blue_tree_and_legal_elsewhere() -> None:
    before = state(board(15, "b2 *", {(1, 0): "b2", (0, 1): "b1"}))
    assert ["group_repeats_hexagon", None] == [refusal(before, place("b2", space, "*")) for space in ((-1, 1), (-1, 0))]
    after = play(before, place("b2", (-1, 0), "*"))
    assert {(1, 0): "b2", (0, 1): "b1", (-1, 0): "b2"} == garden(after)


# A bird placed on (2, 0)


def test_bird_that_completes_pavilion_bench_and_statue_gains_2_of_7_jokers() -> None:
    """Paid with one tile, from a storage of 8 tiles and 4 jokers."""
    blue = {(3, 1): "b1", (2, 1): "b3", (1, 0): "b4"}
    pavilion = {(4, 0): "d1", (4, -1): "d3", (3, -1): "d4"}
    bench = {(1, 2): "k1", (0, 2): "k3", (0, 1): "k4"}
    statue = {(1, -1): "y1", (2, -2): "y3", (3, -2): "y4"}
    own: dict[Space, str] = {**blue, **pavilion, **bench, **statue}
    before = state(board(15, "b2 d2 l1 l2 l3 l4 l5 l6 ****", own, {0: 0, 1: "down", 5: "down"}))
    action = place("b2", (2, 0), "d2")
    assert "l1 l2 l3 l4 l5 l6 ******" == storage(play(before, action))
    assert ["bench0", "statue5", "pavilion0"] == [
        each["element"] for each in effects_of_type(before, action, "element_completed")
    ]
    assert [{"seat": 0, "jokers": 2, "lost": 5}] == effects_of_type(before, action, "jokers_gained")
