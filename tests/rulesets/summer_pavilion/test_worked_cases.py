"""The worked cases of the rules page: coloured, round 1, purple wild."""

from __future__ import annotations

from service.rulesets.ruleset import Position
from tests.rulesets.playing import effects_of_type, legal, play
from tests.rulesets.summer_pavilion.build import (
    Json,
    acquire,
    board,
    counts,
    hand,
    keep,
    place,
    state,
    take_bonus,
    view,
)


def points(position: Position, action: Json) -> int:
    (effect,) = effects_of_type(position, action, "tile_placed")
    return int(effect["points"])


def test_taking_3_yellow_and_1_purple_from_the_centre_with_its_token_costs_4_points() -> None:
    before = state(factories=("bbbb",), centre="yyyp")
    action = acquire("centre", "y")
    after = play(before, action)
    assert (1, "seat_0", counts("yyyp")) == (after.scores[0], view(after)["start_token"], hand(after))
    assert [{"seat": 0, "points": -4}] == effects_of_type(before, action, "start_token_taken")


def test_number_6_of_an_empty_blue_star_costs_6_of_7_blue_tiles_and_scores_1() -> None:
    before = state(board(hand="bbbbbbb"))
    after = play(before, place("b6", "b"))
    assert (counts("b"), 1, 6) == (hand(after), points(before, place("b6", "b")), after.scores[0])


def test_number_3_scores_1_on_a_red_star_whose_tiles_do_not_touch_slot_3() -> None:
    before = state(board(5, {"r": "r...rr"}, "rrr"))
    assert (1, {}) == (points(before, place("r3", "r")), hand(play(before, place("r3", "r"))))


def test_number_6_paid_with_3_blue_and_3_purple_scores_3_and_closes_the_blue_window() -> None:
    before = state(board(5, {"b": "b...b."}, "bbbppp"))
    action = place("b6", "b", 3)
    after = play(before, action)
    assert (3, {}, counts("bbppp")) == (points(before, action), hand(after), view(after)["tower"])
    assert [{"seat": 0, "feature": "window_blue", "tiles": 3}] == effects_of_type(before, action, "feature_surrounded")
    assert (0, [take_bonus(letter) for letter in "bgopry"]) == (after.seat, legal(after))


def test_number_4_paid_with_1_orange_and_3_purple_scores_3_and_green_stays() -> None:
    before = state(board(5, {"o": ".oo..."}, "ogppp"))
    action = place("o4", "o", 3)
    assert (3, counts("g")) == (points(before, action), hand(play(before, action)))


def test_number_2_in_purple_with_slots_1_and_3_filled_scores_3() -> None:
    before = state(board(5, {"p": "p.p..."}, "pprrgggg"))
    action = place("p2", "p")
    assert (3, counts("rrgggg")) == (points(before, action), hand(play(before, action)))


def test_passing_with_4_green_and_2_red_keeps_4_green_and_loses_2() -> None:
    before = state(board(5, hand="ggggrr"))
    shown = view(play(before, keep("gggg")))
    assert (3, counts("gggg"), counts("rr")) == (
        shown["seats"][0]["score"],
        shown["seats"][0]["corners"],
        shown["tower"],
    )
