"""The end after round 6: the bonuses, the remaining tiles, and the winners."""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.playing import effects, effects_of_type, fields, play, ranking, short_type
from tests.rulesets.summer_pavilion.build import (
    FACTORIES,
    FULL_BOARD,
    VARIANTS,
    Json,
    board,
    counts,
    hand,
    keep,
    passer,
    state,
    view,
)
from tests.rulesets.summer_pavilion.geometry import (
    MIXED_VALUE,
    NUMBER_VALUES,
    OUTER,
    SPACES,
    STAR_NAMES,
    STAR_VALUES,
    STARS,
    filled_stars,
    number_at,
)

every_side = pytest.mark.parametrize("variant", VARIANTS)
every_star = pytest.mark.parametrize("star", STARS)


def closing(*boards: Json, **named: Any) -> Position:
    """Round 6: all have passed but the last seat, whose hand is empty."""
    seats = [*boards, board()] if len(boards) == 1 else list(boards)
    seats = [*({**seat, "passed": True} for seat in seats[:-1]), {**seats[-1], "passed": False}]
    return state(*seats, **{"round_number": 6, "to_decide": len(seats) - 1, **named})


def final_position(*boards: Json, **named: Any) -> Position:
    return play(closing(*boards, **named), keep())


def bonus_of(*boards: Json, **named: Any) -> Json:
    """Return the end bonus of seat 0."""
    return next(each for each in effects_of_type(closing(*boards, **named), keep(), "end_bonus") if each["seat"] == 0)


# When


@pytest.mark.parametrize("seats", FACTORIES)
def test_the_last_pass_of_round_6_ends_the_game(seats: int) -> None:
    over = final_position(*(board(10 + seat) for seat in range(seats)))
    assert ("over", None) == (over.status, over.seat)
    assert ("over", None, 6) == fields(over, "phase", "to_decide", "round")
    assert [] == over.legal_actions()
    assert tuple(10 + seat for seat in range(seats)) == over.scores


def test_round_5_does_not_end_the_game_and_pays_no_bonus() -> None:
    after = final_position(board(10, FULL_BOARD), round_number=5)
    assert ("drawing", (10, 5)) == (after.status, after.scores)


def test_neither_supply_nor_factories_are_filled_after_round_6() -> None:
    boards = [board(hand="rrr"), passer()]
    position = state(*boards, round_number=6, supply="pp", bag="", tower="", rest=0)
    shown = view(play(position, keep()))
    assert ("over", counts("pp"), {}) == (shown["phase"], shown["supply"], shown["factories"][0])


def test_the_effects_of_the_last_pass_are_in_order() -> None:
    before = closing(board(10, corners="bb"), board(10), board(10, hand="g"))
    kinds = [(short_type(effect), effect.get("seat")) for effect in effects(before, keep("g"))]
    assert [
        ("passed", 2),
        ("round_ended", None),
        ("end_bonus", 0),
        ("end_bonus", 1),
        ("end_bonus", 2),
        ("leftover_penalty", 0),
        ("leftover_penalty", 2),
        ("game_ended", None),
    ] == kinds


# Stars


@pytest.mark.parametrize("star", OUTER)
def test_a_complete_star_on_the_coloured_side_pays_by_its_colour(star: str) -> None:
    boards = board(10, {star: star * 6})
    assert 10 + STAR_VALUES[star] == final_position(boards).scores[0]
    name = STAR_NAMES[star]
    assert {
        "seat": 0,
        "stars": [{"star": name, "colour": name, "points": STAR_VALUES[star]}],
        "numbers": [],
        "points": STAR_VALUES[star],
    } == bonus_of(boards)


@every_side
def test_a_star_of_six_different_colours_pays_12(variant: str) -> None:
    stars = {"c": "bpgroy"}
    assert 10 + 12 == final_position(board(10, stars), variant=variant).scores[0]
    assert [{"star": "centre", "colour": "mixed", "points": 12}] == bonus_of(board(10, stars), variant=variant)["stars"]


@every_star
@pytest.mark.parametrize("colour", STAR_VALUES)
def test_a_complete_star_on_the_grey_side_pays_by_the_colour_placed_on_it(star: str, colour: str) -> None:
    assert 10 + STAR_VALUES[colour] == final_position(board(10, {star: colour * 6}), variant="grey").scores[0]
    (told_star,) = bonus_of(board(10, {star: colour * 6}), variant="grey")["stars"]
    expected = {"star": STAR_NAMES[star], "colour": STAR_NAMES[colour], "points": STAR_VALUES[colour]}
    assert expected == told_star


@every_star
def test_every_star_of_six_colours_on_the_grey_side_pays_12(star: str) -> None:
    assert 10 + MIXED_VALUE == final_position(board(10, {star: "rgbypo"}), variant="grey").scores[0]


def test_several_grey_stars_of_the_same_colour_pay_once_each() -> None:
    stars = {"o": "rrrrrr", "b": "rrrrrr", "c": "rrrrrr"}
    assert 10 + 3 * 14 == final_position(board(10, stars), variant="grey").scores[0]


@every_star
@pytest.mark.parametrize("slot", range(1, 7))
def test_a_star_with_a_free_space_pays_nothing(star: str, slot: int) -> None:
    spaces = [(star, k) for k in range(1, 7) if k != slot]
    assert 10 == final_position(board(10, filled_stars(*spaces))).scores[0]


# Numbers


@every_side
@pytest.mark.parametrize("number", range(1, 7))
def test_filling_all_spaces_of_a_number_pays_only_for_1_to_4(variant: str, number: int) -> None:
    spaces = [space for space in SPACES if number == number_at(variant, space)]
    assert {"coloured": 7, "grey": 12 if number == 3 else 6}[variant] == len(spaces)
    bonus = bonus_of(board(10, filled_stars(*spaces)), variant=variant)
    worth = NUMBER_VALUES.get(number, 0)
    assert ([{"number": number, "points": worth}] if worth else []) == bonus["numbers"]
    stars = MIXED_VALUE if variant == "grey" and number == 3 else 0
    assert 10 + worth + stars == final_position(board(10, filled_stars(*spaces)), variant=variant).scores[0]


@every_side
@pytest.mark.parametrize("number", NUMBER_VALUES)
def test_a_number_with_a_free_space_pays_nothing(variant: str, number: int) -> None:
    spaces = [space for space in SPACES if number == number_at(variant, space)]
    for free in spaces:
        own = board(10, filled_stars(*(space for space in spaces if space != free)))
        assert [] == bonus_of(own, variant=variant)["numbers"]


def test_the_bonus_for_3_on_the_grey_side_needs_the_centre_star_and_slot_1_of_outer_stars() -> None:
    centre, tips = {"c": "pgoybr"}, {star: f"{star}....." for star in OUTER}
    assert [[], [], [{"number": 3, "points": 12}]] == [
        bonus_of(board(10, stars), variant="grey")["numbers"] for stars in (centre, tips, {**centre, **tips})
    ]


@every_side
def test_a_full_board_pays_every_bonus(variant: str) -> None:
    bonus = bonus_of(board(10, FULL_BOARD), variant=variant)
    assert [(STAR_NAMES[star], STAR_VALUES.get(star, MIXED_VALUE)) for star in STARS] == [
        (each["star"], each["points"]) for each in bonus["stars"]
    ]
    assert [{"number": number, "points": points} for number, points in NUMBER_VALUES.items()] == bonus["numbers"]
    assert 100 + 12 + 40 == bonus["points"]
    assert 10 + 152 == final_position(board(10, FULL_BOARD), variant=variant).scores[0]


def test_every_seat_gets_its_bonuses() -> None:
    boards = [board(10, {"b": "bbbbbb"}), board(20), board(30, {"r": "rrrrrr"})]
    assert (25, 20, 44) == final_position(*boards).scores
    points = [each["points"] for each in effects_of_type(closing(*boards), keep(), "end_bonus")]
    assert [15, 0, 14] == points


# Leftovers


def test_each_tile_in_a_corner_costs_a_point_and_goes_to_the_tower() -> None:
    before = closing(board(10, corners="bbg"), board(9, hand="yr"), bag="", tower=None)
    after = play(before, keep("yr"))
    shown = view(after)
    assert ((7, 7), [3, 2]) == (after.scores, [seat["leftover_penalty"] for seat in shown["seats"]])
    assert [{}, {}] == [seat["corners"] for seat in shown["seats"]]
    total = sum(view(before)["tower"].values())
    assert total + 5 == sum(shown["tower"].values())
    assert [
        {"seat": 0, "tiles": counts("bbg"), "points": -3},
        {"seat": 1, "tiles": counts("yr"), "points": -2},
    ] == effects_of_type(before, keep("yr"), "leftover_penalty")


def test_a_seat_with_empty_corners_loses_no_points_and_has_no_effect() -> None:
    before = closing(board(10), board(9))
    assert ((10, 9), []) == (play(before, keep()).scores, effects_of_type(before, keep(), "leftover_penalty"))


@pytest.mark.parametrize(("score", "lost"), [(5, 4), (3, 2), (1, 0)])
def test_the_loss_for_leftovers_does_not_reduce_a_score_below_1(score: int, lost: int) -> None:
    before = closing(board(score, corners="bbgg"))
    over = play(before, keep())
    assert (score - lost, lost) == (over.scores[0], view(over)["seats"][0]["leftover_penalty"])
    assert [-lost] == [each["points"] for each in effects_of_type(before, keep(), "leftover_penalty")]


def test_the_loss_for_leftovers_is_applied_after_all_bonuses() -> None:
    assert 1 + 15 - 4 == final_position(board(1, {"b": "bbbbbb"}, corners="rrrr")).scores[0]


def test_the_loss_for_tiles_discarded_on_passing_is_applied_before_the_bonuses() -> None:
    own = board(2, {"b": "bbbbbb"}, hand="rrrrrr")
    over = play(state(own, passer(), round_number=6), keep("rr"))
    assert 1 + 15 - 2 == over.scores[0]
    assert {} == hand(over)


# Winners


def test_a_tie_is_a_shared_victory_and_the_next_rank_is_skipped() -> None:
    boards = [board(10), board(25), board(10, {"b": "bbbbbb"}), board(3)]
    assert [(10, 3, False), (25, 1, True), (25, 1, True), (3, 4, False)] == ranking(final_position(*boards))


def test_seats_with_equal_points_share_the_victory() -> None:
    boards = [board(9, corners="bb"), board(7, {"o": "o..o.."})]
    assert [(7, 1, True), (7, 1, True)] == ranking(final_position(*boards))


def test_the_breakdown_lists_the_parts_of_the_score() -> None:
    threes = {star: f"{star}....." for star in OUTER}
    over = final_position(board(20, {**threes, "c": "pgoybr"}, corners="bb"), variant="grey")
    assert {"rounds": 20, "stars": 12, "numbers": 12, "leftover": -2} == dict(over.outcome()[0].breakdown)
    assert {"rounds": 5, "stars": 0, "numbers": 0, "leftover": 0} == dict(over.outcome()[1].breakdown)


def test_the_breakdown_adds_up_if_a_loss_is_limited_by_the_minimum_score_of_1() -> None:
    over = final_position(board(2, corners="bbbb"))
    assert {"rounds": 2, "stars": 0, "numbers": 0, "leftover": -1} == dict(over.outcome()[0].breakdown)


def test_a_score_can_exceed_255_points() -> None:
    assert 150 + 152 == final_position(board(150, FULL_BOARD)).scores[0]
