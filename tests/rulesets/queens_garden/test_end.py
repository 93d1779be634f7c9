"""The end after round 4: the storages, the groups, and the winners."""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.playing import effects, effects_of_type, fields, play, ranking, short_type
from tests.rulesets.queens_garden.build import board, distinct, state, view
from tests.rulesets.queens_garden.geometry import AREAS, FOUNTAIN_RING, Space
from tests.rulesets.queens_garden.letters import (
    COLOURS,
    ORDER,
    PATTERNS,
    STACK_OF,
    VARIANTS,
    Json,
)
from tests.rulesets.queens_garden.playing import display, leave, storage

every_side = pytest.mark.parametrize("variant", VARIANTS)
BOUGHT: dict[int, int | str] = dict.fromkeys(AREAS, "down")
BONUSES = {"standard": {6: 6}, "reverse": {4: 2, 5: 4, 6: 6}}  # of groups, by their size


def closing(*boards: Json, **named: Any) -> Position:
    """Round 4: all have passed but the last seat."""
    seats = [*boards, *([board()] if len(boards) == 1 else [])]
    seats = [*({**each, "passed": True} for each in seats[:-1]), {**seats[-1], "passed": False}]
    return state(*seats, **{"round_number": 4, "to_decide": len(seats) - 1, **named})


def final_position(*boards: Json, **named: Any) -> Position:
    return play(closing(*boards, **named), leave())


def groups(own: dict[Space, str], areas: dict[int, int | str] | None = None, **named: Any) -> list[tuple[Any, ...]]:
    """Return the scored groups of seat 0: by, value, number of spaces, points with the bonus, and the bonus."""
    (mine, *_) = effects_of_type(closing(board(15, "", own, areas), **named), leave(), "groups_scored")
    return [(each["by"], each["value"], len(each["spaces"]), each["points"], each["bonus"]) for each in mine["groups"]]


def ring_of(names: str) -> dict[Space, str]:
    """Hexagons side by side around the fountain."""
    return dict(zip(FOUNTAIN_RING, names.split(), strict=False))


def points_for_groups(own: dict[Space, str], **named: Any) -> int:
    """Return the points of seat 0 for groups."""
    return int(final_position(board(15, "", own, BOUGHT), **named).outcome()[0].breakdown["groups"])


# When


@pytest.mark.parametrize("seats", STACK_OF)
def test_the_last_pass_of_round_4_ends_the_game(seats: int) -> None:
    over = final_position(*(board(10 + seat) for seat in range(seats)))
    assert ("over", None) == (over.status, over.seat)
    assert ("over", None, None, 4) == fields(over, "phase", "to_decide", "next_seat", "round")
    assert ([], tuple(10 + seat for seat in range(seats))) == (over.legal_actions(), over.scores)


def test_round_3_does_not_end_the_game_and_counts_neither_storages_nor_groups() -> None:
    before = closing(board(10, "b6 **", ring_of("b1 b2 b3")), round_number=3)
    after = play(before, leave())
    assert ("drawing", (10, 15)) == (after.status, after.scores)
    assert [] == effects_of_type(before, leave(), "groups_scored")


def test_display_and_storages_are_unchanged_after_round_4() -> None:
    before = closing(board(10, "b6 ^k1 **"), top="y1 y2", beside=("k4", "^l3"))
    after = play(before, leave())
    assert (3, "y1 y2", {0: "k4", 1: "^l3"}, "over", "b6 ^k1 **") == (*display(after), storage(after))
    unchanged = ("supply", "bag", "tower", "round_stacks", "unseen")
    assert fields(before, *unchanged) == fields(after, *unchanged)


def test_after_round_4_all_seats_have_passed_and_the_marker_is_kept() -> None:
    shown = view(final_position(board(), board(), board(), marker=1))
    assert ("seat_1", [True] * 3) == (shown["marker"], [each["passed"] for each in shown["seats"]])


def test_effects_of_the_last_pass_are_listed_in_scoring_order() -> None:
    before = closing(board(10, "*"), board(10), board(10, "b2"))
    kinds = [(short_type(effect), effect.get("seat")) for effect in effects(before, leave())]
    assert [
        ("passed", 2),
        *[("round_scored", seat) for seat in range(3)],
        ("round_ended", None),
        *[("storage_counted", seat) for seat in range(3)],
        *[("groups_scored", seat) for seat in range(3)],
        ("game_ended", None),
    ] == kinds


def test_round_4_is_scored_before_the_storage() -> None:
    """[score.floor] two points of round 4 pay for what the storage costs."""
    over = final_position(board(0, "b3", {(1, 0): "l1", (-1, 0): "l2"}))
    assert {"rounds": 2, "storage": -2, "groups": 0} == dict(over.outcome()[0].breakdown)


# Storage


@pytest.mark.parametrize(
    ("held", "points"),
    [
        ("", 0),
        ("*", 1),
        ("************", 12),
        ("b1", -1),
        ("^k6", -6),
        ("b6 k6 ^k5 ^b4", -21),
        ("b4 **", -2),
        ("d2 ***", 1),
    ],
)
def test_stored_jokers_score_one_point_each_and_other_pieces_cost_their_values(held: str, points: int) -> None:
    over = final_position(board(30, held))
    assert (30 + points, points) == (over.scores[0], view(over)["seats"][0]["storage_points"])


def test_storage_effect_contains_jokers_values_and_points() -> None:
    before = closing(board(30, "b6 d2 ^k5 **"), board(10))
    assert [
        {"seat": 0, "jokers": 2, "values": 13, "points": -11},
        {"seat": 1, "jokers": 0, "values": 0, "points": 0},
    ] == effects_of_type(before, leave(), "storage_counted")


@pytest.mark.parametrize(("score", "points"), [(10, -10), (11, -11), (0, 0), (3, -3)])
def test_storage_penalty_does_not_reduce_the_score_below_0(score: int, points: int) -> None:
    """[score.floor] the penalty as one net amount: 2 - 13."""
    before = closing(board(score, "b6 d2 ^k5 **"))
    over = play(before, leave())
    assert (score + points, points) == (over.scores[0], view(over)["seats"][0]["storage_points"])
    assert points == effects_of_type(before, leave(), "storage_counted")[0]["points"]


def test_groups_are_scored_after_the_storage() -> None:
    """[score.floor] what the groups score cannot be lost to the storage."""
    over = final_position(board(1, "b6 d5", ring_of("y1 y2 y3")))
    assert {"rounds": 1, "storage": -1, "groups": 6} == dict(over.outcome()[0].breakdown)


# Groups


@every_side
@pytest.mark.parametrize("letter", ORDER)
@pytest.mark.parametrize("size", range(1, 7))
def test_colour_group_of_three_or_more_scores_the_values_of_its_hexagons(variant: str, letter: str, size: int) -> None:
    """[final.groups]"""
    names = " ".join(f"{letter}{value}" for value in range(1, size + 1))
    bonus, colour = BONUSES[variant].get(size, 0), COLOURS[ORDER.index(letter)]
    expected = [("colour", colour, size, size * (size + 1) // 2 + bonus, bonus)] if size >= 3 else []
    assert expected == groups(ring_of(names), variant=variant)


@every_side
@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("size", range(1, 7))
def test_pattern_group_of_three_or_more_scores_the_values_of_its_hexagons(variant: str, value: int, size: int) -> None:
    """[final.groups]"""
    names = " ".join(f"{letter}{value}" for letter in ORDER[:size])
    bonus = BONUSES[variant].get(size, 0)
    expected = [("pattern", PATTERNS[value - 1], size, size * value + bonus, bonus)] if size >= 3 else []
    assert expected == groups(ring_of(names), variant=variant)


@every_side
@pytest.mark.parametrize("size", range(3, 7))
def test_points_and_bonuses_of_groups_are_added_to_the_score(variant: str, size: int) -> None:
    """[final.groups]"""
    bonus = BONUSES[variant].get(size, 0)
    own = ring_of(" ".join(f"y{value}" for value in range(1, size + 1)))
    assert size * (size + 1) // 2 + bonus == points_for_groups(own, variant=variant)


def test_hexagon_scores_in_its_colour_group_and_in_its_pattern_group() -> None:
    """[final.groups] the blue bird."""
    own: dict[Space, str] = {(0, 1): "b1", (1, 0): "b2", (2, 0): "d2", (2, 1): "y2", (-1, 1): "b4"}
    expected = [("colour", "blue", 3, 7, 0), ("pattern", "bird", 3, 6, 0)]
    assert expected == groups(own, {0: "down"})


def test_two_groups_of_the_same_colour_both_score() -> None:
    """[final.groups] every connected group."""
    own = {**ring_of("b1 b2 b3"), (2, -2): "k5", (4, -3): "b4", (4, -4): "b5", (3, -3): "b6", (3, -2): "y5"}
    assert [("colour", "blue", 3, 6, 0), ("colour", "blue", 3, 15, 0)] == sorted(groups(own, {5: "down"}))


def test_unconnected_hexagons_form_no_group() -> None:
    """[final.groups]"""
    assert [] == groups({(1, 0): "b1", (-1, 1): "b2", (0, -1): "b3"})


def test_chain_through_another_colour_forms_no_group() -> None:
    """[final.groups] b1, b2, then y2, y3: two and two."""
    assert [] == groups(ring_of("b1 b2 y2 y3"))


def test_printed_hexagons_belong_to_groups() -> None:
    """[final.groups]"""
    own: dict[Space, str] = {(2, 0): "b4", (1, 0): "b2", (0, 1): "b3"}
    assert [("colour", "blue", 3, 9, 0)] == groups(own, {0: 3})


def test_the_centre_of_a_bought_expansion_belongs_to_groups() -> None:
    """[expand.center_of_bought]"""
    own: dict[Space, str] = {(4, 0): "b4", (3, 0): "b2", (2, 0): "b3"}
    assert [("colour", "blue", 3, 9, 0)] == groups(own, {0: "down"})


def test_groups_extend_across_the_edges_of_boards() -> None:
    own: dict[Space, str] = {(2, 1): "y1", (1, 2): "y2", (0, 2): "y3", (0, 1): "y4"}
    assert [("colour", "yellow", 4, 10, 0)] == groups(own, {0: "down", 1: "down"})


def test_groups_effect_contains_spaces_bonus_and_total_points() -> None:
    before = closing(board(15, "", ring_of("y1 y2 y3 y4 y5 y6")))
    (mine, _) = effects_of_type(before, leave(), "groups_scored")
    (group,) = mine["groups"]
    assert sorted(FOUNTAIN_RING) == sorted((q, r) for q, r in group["spaces"])
    assert (0, 27, 27, 6) == (mine["seat"], mine["points"], group["points"], group["bonus"])


def test_colour_groups_are_listed_before_pattern_groups() -> None:
    """[final.groups] colour by colour and pattern by pattern."""
    own = distinct([*FOUNTAIN_RING], first="k1 k2 k3 d3 d5 d6")
    own |= {(-4, 0): "l4", (-3, 0): "y4", (-2, 0): "b4", (-3, 1): "d4"}
    listed_groups = [(by, value) for by, value, *_ in groups(own, {3: "down"})]
    assert listed_groups == sorted(listed_groups, key=lambda each: (each[0], [*COLOURS, *PATTERNS].index(each[1])))
    assert ("colour", "dark_green") == listed_groups[0]


def test_groups_effect_of_a_seat_without_groups_is_empty() -> None:
    before = closing(board(15))
    assert [{"seat": seat, "groups": [], "points": 0} for seat in (0, 1)] == effects_of_type(
        before, leave(), "groups_scored"
    )


def test_every_seat_scores_its_own_groups() -> None:
    boards = [board(10, "", ring_of("b1 b2 b3")), board(20), board(30, "", ring_of("y4 d4 k4"))]
    assert (16, 20, 42) == final_position(*boards).scores


# Winners


def test_a_tie_is_a_shared_victory_and_the_next_rank_is_skipped() -> None:
    """[tie]"""
    boards = [board(10), board(25), board(24, "*"), board(3)]
    assert [(10, 3, False), (25, 1, True), (25, 1, True), (3, 4, False)] == ranking(final_position(*boards))


def test_seats_with_equal_points_stay_tied() -> None:
    """[tie]"""
    boards = [board(6, "***"), board(3, "", ring_of("b1 b2 b3")), board(9, "", {}, {0: "down"})]
    assert [(9, 1, True)] * 3 == ranking(final_position(*boards))


def test_marker_does_not_break_a_tie() -> None:
    """[tie]"""
    assert [(9, 1, True)] * 2 == ranking(final_position(board(9), board(9), marker=0))


def test_breakdown_splits_the_score_into_rounds_storage_and_groups() -> None:
    over = final_position(board(20, "b2 d3 *", {**ring_of("b1 b2 b6"), (4, 0): "k1"}, {0: 0}))
    assert {"rounds": 20 + 3 + 1, "storage": -4, "groups": 9} == dict(over.outcome()[0].breakdown)
    assert {"rounds": 15, "storage": 0, "groups": 0} == dict(over.outcome()[1].breakdown)


def test_scores_above_255_points_are_counted_correctly() -> None:
    assert 400 + 6 == final_position(board(400, "", ring_of("b1 b2 b3"))).scores[0]
