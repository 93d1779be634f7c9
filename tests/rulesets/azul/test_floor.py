"""The floor penalty: what it costs, that it never takes a score below 0, and where its tiles go."""

from __future__ import annotations

import pytest

from tests.rulesets.azul.build import CLOSE, FACTORIES, board, closing, counts, draft, floors, read, table, view
from tests.rulesets.playing import effects_of_type, play

PENALTIES = (0, 1, 2, 4, 6, 8, 11, 14)


@pytest.mark.parametrize("occupied", range(8))
def test_the_penalty_for_0_to_7_occupied_floor_spaces_is_0_1_2_4_6_8_11_14(occupied: int) -> None:
    before = closing(board(50, floor="byrkbyr"[:occupied]))
    assert (50 - PENALTIES[occupied], 0) == tuple(play(before, CLOSE).scores)
    lost = [effect["points"] for effect in effects_of_type(before, CLOSE, "floor_penalty") if effect["seat"] == 0]
    assert -PENALTIES[occupied] == sum(lost)


@pytest.mark.parametrize(("occupied", "token"), [(k, at) for k in range(1, 8) for at in (None, *range(k))])
def test_the_full_penalty_is_deducted_wherever_the_token_is_on_the_floor(occupied: int, token: int | None) -> None:
    floor = "".join("T" if at == token else "byrkbyr"[at] for at in range(occupied))
    for rest in (0, 1, 2):
        before = closing(board(PENALTIES[occupied] + rest, floor=floor))
        assert rest == play(before, CLOSE).scores[0]
        lost = [effect["points"] for effect in effects_of_type(before, CLOSE, "floor_penalty") if effect["seat"] == 0]
        assert [-PENALTIES[occupied]] == lost


@pytest.mark.parametrize("score", [0, 1, 13])
def test_a_score_never_falls_below_0_and_the_effect_contains_the_points_actually_lost(score: int) -> None:
    before = closing(board(score, floor="byrkbyr"))
    assert 0 == play(before, CLOSE).scores[0]
    lost = [effect["points"] for effect in effects_of_type(before, CLOSE, "floor_penalty") if effect["seat"] == 0]
    assert -score == sum(lost)


def test_points_for_placed_tiles_are_added_before_the_floor_penalty() -> None:
    # 0 + 3 − 2 = 1; the penalty first would give 0 + 3
    before = closing(board(0, lines={1: "yy"}, wall={1: "wb..."}, floor="rr"))
    assert 1 == play(before, CLOSE).scores[0]


@pytest.mark.parametrize("seats", FACTORIES)
def test_every_seat_pays_for_its_own_floor(seats: int) -> None:
    boards = [board(20, floor="byrk"[: seat + 1]) for seat in range(seats)]
    before = closing(*boards, seats=seats)
    assert [20 - PENALTIES[seat + 1] for seat in range(seats)] == list(play(before, CLOSE).scores)


def test_floor_tiles_go_to_the_box_lid_and_the_token_does_not() -> None:
    before = closing(board(20, floor="Tbyy"), board(floor="k"), lid="r")
    after = play(before, CLOSE)
    assert (counts("byyrk"), [[], []]) == (view(after)["box_lid"], floors(after))


@pytest.mark.parametrize("holder", [0, 1])
def test_the_token_leaves_the_floor_but_stays_with_its_holder_until_the_next_deal(holder: int) -> None:
    boards = [board(20, floor="T" if seat == holder else "") for seat in range(2)]
    after = play(closing(*boards), CLOSE)
    assert (f"seat_{holder}", [[], []]) == (view(after)["start_token"], floors(after))


def test_tiles_that_fall_in_the_last_move_count_for_the_penalty() -> None:
    before = read(table(board(), board(20, floor="T"), to_decide=1, centre="bbb"))
    assert 20 - 6 == play(before, draft("centre", "b", "floor")).scores[1]
