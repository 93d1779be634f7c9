"""Passing: kept and lost tiles, and the order of the other seats."""

from __future__ import annotations

import itertools

import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.playing import effects, effects_of_type, fields, legal, play, short_type
from tests.rulesets.summer_pavilion.build import Json, board, counts, keep, passer, place, state, view


def after_passing(before: Position, tiles: str) -> tuple[int, Json, Json]:
    """Return the score and the corners of seat 0, and the tower, after it has passed and kept these tiles."""
    shown = view(play(before, keep(tiles)))
    return shown["seats"][0]["score"], shown["seats"][0]["corners"], shown["tower"]


def test_a_seat_keeps_up_to_four_tiles_in_its_corners_and_discards_the_rest_to_the_tower() -> None:
    before = state(board(20, hand="bbbggr"), tower="yy")
    after = view(play(before, keep("bbgr")))
    shown = after["seats"][0]
    assert (counts("bbgr"), {}, True) == (shown["corners"], shown["hand"], shown["passed"])
    assert (counts("bgyy"), 18) == (after["tower"], shown["score"])


def test_the_effect_of_a_pass_lists_kept_and_discarded_tiles_and_lost_points() -> None:
    before = state(board(20, hand="bbbggr"))
    told_effects = effects(before, keep("bbgr"))
    expected = {
        "type": "summer-pavilion.passed",
        "seat": 0,
        "kept": counts("bbgr"),
        "discarded": counts("bg"),
        "points": -2,
    }
    assert [expected] == told_effects


@pytest.mark.parametrize("tiles", ["", "b", "bb", "bgr", "bgry"])
def test_keeping_a_whole_hand_of_at_most_four_tiles_costs_nothing(tiles: str) -> None:
    before = state(board(20, hand=tiles))
    assert (20, counts(tiles), {}) == after_passing(before, tiles)
    assert [0] == [effect["points"] for effect in effects_of_type(before, keep(tiles), "passed")]


@pytest.mark.parametrize(("kept", "lost"), [("bggr", 0), ("bgg", 1), ("g", 3), ("", 4)])
def test_a_seat_may_keep_fewer_tiles_than_possible_and_loses_a_point_per_tile(kept: str, lost: int) -> None:
    before = state(board(20, hand="bggr"))
    score, corners, tower = after_passing(before, kept)
    assert (20 - lost, counts(kept), lost) == (score, corners, sum(tower.values()))


@pytest.mark.parametrize(("score", "lost"), [(5, 4), (3, 2), (2, 1), (1, 0)])
def test_the_loss_for_discarded_tiles_does_not_reduce_a_score_below_1(score: int, lost: int) -> None:
    before = state(board(score, hand="bbbbrrrr"))
    assert score - lost == play(before, keep("bbbb")).scores[0]
    assert [-lost] == [effect["points"] for effect in effects_of_type(before, keep("bbbb"), "passed")]


def test_every_choice_of_at_most_four_tiles_of_the_hand_may_be_kept() -> None:
    tiles = "pggoob"
    before = state(board(hand=tiles))
    kept = [action["keep"] for action in legal(before) if action["type"] == "summer-pavilion.pass"]
    choices = {"".join(sorted(each)) for size in range(5) for each in itertools.combinations(tiles, size)}
    assert sorted((counts(each) for each in choices), key=str) == sorted(kept, key=str)


def test_passing_with_an_empty_hand_is_an_ordinary_move() -> None:
    before = state(board(), board(hand="b"))
    after = play(before, keep())
    assert (1, True, (5, 5)) == (after.seat, view(after)["seats"][0]["passed"], after.scores)


@pytest.mark.parametrize(
    ("passed", "seat", "following"),
    [
        ((), 0, 1),
        ((1,), 0, 2),
        ((1, 2), 0, 3),
        ((0,), 3, 1),
        ((0, 1), 3, 2),
        ((2, 3), 1, 0),
        ((0, 2), 1, 3),
        ((0, 2), 3, 1),
    ],
)
@pytest.mark.parametrize("passes", [False, True])
def test_the_turn_passes_clockwise_to_the_next_seat_that_has_not_passed(
    passed: tuple[int, ...], seat: int, following: int, *, passes: bool
) -> None:
    boards = [passer() if each in passed else board(hand="b") for each in range(4)]
    before = state(*boards, seats=4, to_decide=seat)
    assert following == play(before, keep("b") if passes else place("b1", "b")).seat


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_last_remaining_seat_plays_alone_until_it_passes(seats: int) -> None:
    boards = [board(hand="bbbb"), *(passer() for _ in range(seats - 1))]
    position = state(*boards, seats=seats)
    for action in (place("b1", "b"), place("c1", "b")):
        position = play(position, action)
        assert ("play", 0) == (view(position)["phase"], position.seat)
    assert {} == view(play(position, keep("b")))["seats"][0]["hand"]
    assert "deal" == view(play(position, keep("b")))["phase"]


@pytest.mark.parametrize("round_number", range(1, 6))
def test_the_last_pass_of_a_round_ends_it_and_starts_the_next_deal(round_number: int) -> None:
    boards = [board(9, hand="bb"), passer(7, corners="gr"), passer(8)]
    before = state(*boards, seats=3, token=1, start_seat=2, round_number=round_number)
    after = play(before, keep("bb"))
    assert ("drawing", "deal", None, None) == (after.status, *fields(after, "phase", "to_decide", "next_seat"))
    assert (round_number, "seat_1", 2) == fields(after, "round", "start_token", "start_seat")
    assert [True] * 3 == [seat["passed"] for seat in view(after)["seats"]]
    assert [counts("bb"), counts("gr"), {}] == [seat["corners"] for seat in view(after)["seats"]]
    kinds = [short_type(effect) for effect in effects(before, keep("bb"))]
    assert ["passed", "round_ended"] == kinds
    assert [{"round": round_number}] == effects_of_type(before, keep("bb"), "round_ended")
