"""The end of a round: the wheel is scored, the display is cleared, and the holder of the marker starts."""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.playing import effects, effects_of_type, fields, play, short_type
from tests.rulesets.queens_garden.build import (
    board,
    distinct,
    passer,
    state,
    view,
)
from tests.rulesets.queens_garden.geometry import AREA_RINGS, AREAS, RING_SPACES, Space
from tests.rulesets.queens_garden.letters import (
    HEXAGONS,
    STACK_OF,
    VARIANTS,
    Json,
)
from tests.rulesets.queens_garden.playing import deal, display, leave, next_decision, stack, storage, supply, tower

every_side = pytest.mark.parametrize("variant", VARIANTS)
# SHOWN[round]: the letter or digit and its name
SHOWN = {
    1: {"1": "tree", "b": "blue", "d": "dark_green"},
    2: {"2": "bird", "3": "butterfly", "k": "dark_purple"},
    3: {"4": "flower", "y": "yellow", "p": "light_purple"},
    4: {"5": "plant", "6": "bellflower", "l": "light_green"},
}
POINTS = {"standard": dict(zip("123456", (1, 1, 2, 2, 3, 3), strict=True)), "reverse": dict.fromkeys("123456", 2)}
CASES = [(number, mark) for number, marks in SHOWN.items() for mark in marks]
BOUGHT: dict[int, int | str] = dict.fromkeys(AREAS, "down")


def last_pass(*boards: Json, **named: Any) -> Position:
    """Return a position in which all seats but the last have passed."""
    seats = [*boards, *(board() for _ in range(2 - len(boards)))]
    seats = [*({**each, "passed": True} for each in seats[:-1]), {**seats[-1], "passed": False}]
    return state(*seats, **{"to_decide": len(seats) - 1, **named})


def round_effect(*boards: Json, **named: Any) -> Json:
    """Return the effect for seat 0 at the end of the round."""
    return effects_of_type(last_pass(*boards, **named), leave(), "round_scored")[0]


def round_points(*boards: Json, **named: Any) -> int:
    """Return the points of seat 0 at the end of the round."""
    before = last_pass(*boards, **named)
    return sum(each["points"] for each in effects_of_type(before, leave(), "round_scored") if each["seat"] == 0)


# The wheel


@every_side
@pytest.mark.parametrize(("number", "mark"), CASES)
def test_hexagons_shown_on_the_wheel_score_in_their_round(variant: str, number: int, mark: str) -> None:
    """[round.score]"""
    names = [name for name in HEXAGONS if mark in name]
    others = [name for name in names if not set(name) & {*SHOWN[number]} - {mark}]
    own = dict(zip(RING_SPACES, others, strict=False))
    each = POINTS[variant].get(mark, 1)
    assert each * len(others) == round_points(board(15, "", own, BOUGHT), variant=variant, round_number=number)


@every_side
@pytest.mark.parametrize("number", SHOWN)
def test_hexagons_not_shown_on_the_wheel_do_not_score(variant: str, number: int) -> None:
    """[round.score]"""
    others = [name for name in HEXAGONS if not set(name) & {*SHOWN[number]}]
    own = dict(zip(RING_SPACES, others, strict=False))
    assert 0 == round_points(board(15, "", own, BOUGHT), variant=variant, round_number=number)


@every_side
@pytest.mark.parametrize("number", SHOWN)
def test_full_garden_scores_for_every_symbol_on_the_wheel(variant: str, number: int) -> None:
    """[round.score] once for the pattern and once for the colour if both are shown."""
    own = distinct(RING_SPACES)
    shown: list[Json] = [
        {"shown": name, "hexagons": 6, "points": 6 * POINTS[variant].get(mark, 1)}
        for mark, name in SHOWN[number].items()
    ]
    expected = {"seat": 0, "shown": shown, "pavilions": 0, "points": sum(each["points"] for each in shown)}
    assert expected == round_effect(board(15, "", own, BOUGHT), variant=variant, round_number=number)


def test_hexagon_scores_twice_if_its_colour_and_its_pattern_are_shown() -> None:
    """[round.score] the blue tree in round 1."""
    assert [2, 1, 1, 0] == [round_points(board(15, "", {(1, 0): name})) for name in ("b1", "b2", "y1", "y2")]


def test_stored_pieces_do_not_score() -> None:
    assert 0 == round_points(board(15, "b1 b2 d1 ^b1 ^d3"))


# Printed hexagons and pavilions


def test_printed_hexagons_count_like_tiles() -> None:
    """[round.score] A face-up expansion also scores a point for its pavilion."""
    own: dict[Space, str] = {(4, 0): "b1"}
    assert [2 + 1, 2] == [round_points(board(15, "", own, {0: turned})) for turned in (0, "down")]


@pytest.mark.parametrize("number", SHOWN)
def test_each_face_up_expansion_scores_a_point_in_every_round(number: int) -> None:
    """[round.score]"""
    names = [name for name in HEXAGONS if not set(name) & {*SHOWN[number]}]
    own = {AREA_RINGS[area][0]: names[area] for area in range(4)}
    told_score = round_effect(board(15, "", own, {0: 0, 1: 0, 2: 0, 3: 0, 4: "down"}), round_number=number)
    assert (4, 4) == (told_score["pavilions"], told_score["points"])


def test_bought_expansions_do_not_score() -> None:
    """[round.score] pavilions only face up."""
    assert (0, 0) == ((told_score := round_effect(board(15, "", {}, BOUGHT)))["pavilions"], told_score["points"])


# Effects


def test_seats_are_scored_in_order_after_the_last_pass() -> None:
    before = last_pass(board(15, "", {(1, 0): "b1"}), board(), board(15, "", {(1, 0): "b2"}))
    kinds = [(short_type(effect), effect.get("seat")) for effect in effects(before, leave())]
    expected = [
        ("passed", 2),
        *[("round_scored", seat) for seat in range(3)],
        ("round_ended", None),
        ("round_began", 0),
    ]
    assert (expected, (17, 15, 16)) == (kinds, play(before, leave()).scores)


@pytest.mark.parametrize("number", SHOWN)
def test_round_score_effect_lists_symbols_in_the_order_of_the_wheel(number: int) -> None:
    told_score = round_effect(board(15, "", {(1, 0): "y2"}), round_number=number)
    assert [*SHOWN[number].values()] == [each["shown"] for each in told_score["shown"]]


@pytest.mark.parametrize("number", SHOWN)
def test_round_ended_effect_contains_the_round_number(number: int) -> None:
    assert [{"round": number}] == effects_of_type(last_pass(round_number=number), leave(), "round_ended")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_round_began_effect_contains_the_starting_seat(number: int) -> None:
    before = last_pass(board(), board(), board(), round_number=number, marker=1)
    assert [{"round": number + 1, "seat": 1}] == effects_of_type(before, leave(), "round_began")


def test_round_is_not_scored_before_the_last_pass() -> None:
    before = state(board(15, "", {(1, 0): "b1"}), board(), passer())
    assert ([], 14 + 1) == (effects_of_type(before, leave(), "round_scored"), play(before, leave()).scores[0])


# Clearing the display


def test_the_tiles_of_the_display_go_to_the_tower() -> None:
    """[round.cleanup]"""
    after = play(last_pass(top="b1 b1 y2", beside=("k4 k5", "^l3", "p6")), leave())
    assert "b1 b1 y2 p6 k4 k5" == tower(after)


def test_the_expansions_of_the_display_and_the_rest_of_the_stack_go_under_the_supply() -> None:
    """[round.cleanup] two beside, one face up, two in the stack."""
    before = last_pass(top="b1 b1 y2", beside=("k4 k5", "^l3", "p6"))
    assert supply(before) + 5 == supply(play(before, leave()))


def test_a_whole_stack_goes_under_an_empty_supply() -> None:
    """[round.cleanup] four seats, who have bought all there was."""
    before = last_pass(board(15, "", {}, dict.fromkeys(range(4), "down")), board(), board(), board(), top="b1 b1 y2 k3")
    after = play(before, leave())
    assert [(0, 8), (8, 8)] == [(supply(position), stack(position)) for position in (before, after)]


def test_face_cleared_from_the_display_stays_seen() -> None:
    """[round.cleanup]"""
    before = last_pass(top="b1 b1 y2", beside=("k4 k5", "^l3", "p6"))
    assert view(before)["unseen"] == view(play(before, leave()))["unseen"]


# The next round


@pytest.mark.parametrize("seats", STACK_OF)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_next_stack_goes_to_the_display_with_four_tiles_on_its_top(seats: int, number: int) -> None:
    waits = play(last_pass(*(board() for _ in range(seats)), round_number=number), leave())
    assert (STACK_OF[seats], "", {}, "fill") == display(waits)
    assert (number + 1, (3 - number) * STACK_OF[seats]) == fields(waits, "round", "round_stacks")
    assert 0 == view(waits)["display"]["left"]
    assert (STACK_OF[seats], "b1 b1 d2 k6", {}, "play") == display(deal(waits, "k6 b1 d2 b1"))


@pytest.mark.parametrize("seats", STACK_OF)
def test_marker_holder_starts_the_round_and_the_marker_returns_to_the_display(seats: int) -> None:
    for holder in range(seats):
        last = (holder + 1) % seats
        boards = [board() if seat == last else passer() for seat in range(seats)]
        waits = play(state(*boards, to_decide=last, marker=holder), leave())
        assert (holder, holder, "display") == fields(waits, "start_seat", "next_seat", "marker")
        assert holder == next_decision(waits).seat


def test_first_seat_to_pass_starts_the_next_round() -> None:
    """Seat 0 passes first, so it takes the marker."""
    after = next_decision(play(state(), leave(), leave()))
    assert (0, "display") == (after.seat, view(after)["marker"])


def test_storages_and_gardens_are_kept_between_rounds() -> None:
    own = board(15, "b2 d3 ^y6 **", {(1, 0): "k2", (4, 0): "k5"}, {0: 0, 1: "down"})
    after = next_decision(play(last_pass(own), leave()))
    assert "b2 d3 ^y6 **" == storage(after)
    assert [own[name] for name in ("garden", "areas")] == [
        view(after)["seats"][0][name] for name in ("garden", "areas")
    ]


def test_game_ends_after_four_rounds() -> None:
    position, rounds = next_decision(state()), []
    while position.status != "over":
        rounds.append(view(position)["round"])
        position = next_decision(play(position, leave(), leave()))
    assert ([1, 2, 3, 4], "over", 4) == (rounds, view(position)["phase"], view(position)["round"])
