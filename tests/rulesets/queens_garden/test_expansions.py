"""Placing expansions: one of the storage face up in any rotation, or one of the supply face down for 6 points."""

from __future__ import annotations

import pytest

from tests.rulesets.playing import effects, effects_of_type, legal, play, refusal, sort_actions
from tests.rulesets.queens_garden.build import board, faces_on, state, view
from tests.rulesets.queens_garden.geometry import AREA_RINGS, AREAS
from tests.rulesets.queens_garden.letters import hexagon, payment
from tests.rulesets.queens_garden.playing import buy, expand, garden, leave, place, supply

every_area = pytest.mark.parametrize("area", AREAS)


# From the storage


@every_area
@pytest.mark.parametrize("rotation", range(6))
def test_a_stored_expansion_is_placed_face_up_on_any_area_in_any_rotation(area: int, rotation: int) -> None:
    """[expand.where] no need to touch a placed expansion."""
    after = play(state(board(storage="^b1")), expand("b1", area, rotation))
    shown = view(after)["seats"][0]
    assert {AREA_RINGS[area][rotation]: "b1"} == garden(after)
    assert {"face": "up", "rotation": rotation} == shown["areas"][area]
    assert [True] == [each["printed"] for each in shown["garden"]]


def test_legal_expansion_placements_are_all_rotations_on_all_free_areas() -> None:
    """[expand.where] any of the free areas."""
    before = state(board(15, "^b1", {(4, 0): "k6"}, {0: 0, 3: "down"}))
    expected = [expand("b1", area, rotation) for area in (1, 2, 4, 5) for rotation in range(6)]
    assert sort_actions(expected) == legal(before, "place_expansion")


def test_stored_expansion_is_never_placed_face_down() -> None:
    """[expand.stored_face_up]"""
    before = state(board(5, "^b1"))
    assert {"up"} == {
        area["face"]
        for action in legal(before, "place_expansion")
        for area in view(play(before, action))["seats"][0]["areas"]
        if area
    }
    assert [] == legal(before, "buy_expansion")


def test_the_printed_hexagon_must_match_one_of_its_neighbours() -> None:
    """[expand.where] place.match for the chosen rotation."""
    before = state(board(15, "^b1", {(1, 0): "y5"}))
    answers = [refusal(before, expand("b1", 0, rotation)) for rotation in range(6)]
    assert [None, None, None, "neighbours_differ", None, None] == answers


@pytest.mark.parametrize("link", ["b5", "d1"])
def test_printed_hexagon_may_not_repeat_a_hexagon_of_its_group(link: str) -> None:
    """[expand.where] place.no_duplicates for the chosen rotation, by colour and by pattern."""
    before = state(board(15, "^b1", {(1, 0): link, (0, 1): "b1"}))
    answers = [refusal(before, expand("b1", 0, rotation)) for rotation in range(6)]
    assert [None, None, None, "group_repeats_hexagon", None, None] == answers


def test_hexagons_across_a_pavilion_are_not_neighbours() -> None:
    """[expand.where] spaces on both sides of a pavilion are not neighbours."""
    before = state(board(15, "y5 ****", {(4, 0): "b1"}, {0: 0}))
    assert refusal(before, place("y5", (2, 0), "****")) is None


def test_placed_expansion_effect_contains_hexagon_area_rotation_and_payment() -> None:
    before = state(board(storage="^b3 b1 *"), seats=3)
    expected = {"type": "queens-garden.expansion_placed", "seat": 0, "hexagon": hexagon("b3"), "area": 4, "rotation": 2}
    assert [{**expected, "payment": payment("b1 *")}] == effects(before, expand("b3", 4, 2, "b1 *"))


def test_printed_hexagon_is_not_counted_as_a_tile() -> None:
    """It is none of the 108, its face stays seen."""
    after = play(state(board(storage="^b1")), expand("b1", 0, 0))
    assert (["b1"], 35) == (faces_on(view(after)), len(view(after)["unseen"]))


# Bought


@every_area
def test_bought_expansion_may_be_placed_on_any_free_area(area: int) -> None:
    """[expand.buy] straight into the garden, face down."""
    before = state(board(15))
    after = play(before, buy(area))
    expected = [{"face": "down"} if other == area else None for other in AREAS]
    assert (expected, {}, supply(before) - 1) == (view(after)["seats"][0]["areas"], garden(after), supply(after))


def test_a_bought_expansion_costs_exactly_6_points() -> None:
    """[expand.buy]"""
    before = state(board(15), board(20))
    after = play(before, buy(0))
    assert (9, 20) == after.scores
    assert [{"seat": 0, "area": 0, "points": -6}] == effects_of_type(before, buy(0), "expansion_bought")


@pytest.mark.parametrize(("score", "expected"), [(0, "too_few_points"), (5, "too_few_points"), (6, None), (7, None)])
def test_buying_needs_6_points(score: int, expected: str | None) -> None:
    """[expand.buy]"""
    assert expected == refusal(state(board(score)), buy(0))


def test_buying_ignores_neighbouring_hexagons() -> None:
    """[expand.buy] no placement check."""
    before = state(board(15, "", {(1, 0): "y5", (0, 1): "y2"}))
    assert [buy(area) for area in AREAS] == legal(before, "buy_expansion")


def empty_supply() -> list[dict[str, object]]:
    """Return four seats of round 1 whose expansions leave the supply empty."""
    areas = [{0: "down", 1: "down", 2: "down"}, {0: "down", 1: "down", 2: "down"}, {0: "down", 1: "down"}, {0: "down"}]
    return [board(15, "^k5 ^k6" if seat == 3 else "", None, each) for seat, each in enumerate(areas)]


def test_no_expansion_can_be_bought_from_an_empty_supply() -> None:
    """[expand.buy] it happens with four seats."""
    before = state(*empty_supply(), top="b1", beside=("",) * 7)
    assert (0, "supply_empty", []) == (supply(before), refusal(before, buy(5)), legal(before, "buy_expansion"))


def test_discarded_expansion_can_be_bought() -> None:
    """[expand.buy]"""
    before = state(*empty_supply(), top="b1", beside=("",) * 7, to_decide=3)
    after = play(before, leave("^k6"))
    assert (1, None) == (supply(after), refusal(after, buy(5)))
    assert (0, 9) == (supply(play(after, buy(5))), play(after, buy(5)).scores[0])
