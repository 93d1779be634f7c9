"""Outcomes by seat: shared ranks, and resigned seats behind all others."""

from __future__ import annotations

from service.rulesets.azul import AZUL
from tests.games.tables import table
from tests.rulesets.azul.build import CLOSE, Json, board, closing, view


def one_row(score: int) -> Json:
    """Return a board that completes a row for 7 points."""
    return board(score, lines={0: "w"}, wall={0: "byrk."})


def ranks_at_the_end(*boards: Json, resigned: tuple[int, ...] = ()) -> list[tuple[int, bool]]:
    """Finish the game with the next decision. Return rank and victory of each seat."""
    made = table(*["player"] * len(boards), position=view(closing(*boards, seats=len(boards))))
    for seat in resigned:
        made.session.resign(seat)
    made.act(AZUL.wire.encode(CLOSE))
    return [(seat["rank"], seat["won"]) for seat in made.outcome["seats"]]


def test_two_seats_can_share_the_victory() -> None:
    assert [(1, True), (1, True)] == ranks_at_the_end(one_row(10), one_row(10))


def test_the_rank_after_a_shared_rank_is_skipped() -> None:
    assert [(1, True), (3, False), (1, True), (3, False)] == ranks_at_the_end(
        one_row(10), board(17), one_row(10), board(17)
    )


def test_a_resigned_seat_ranks_below_seats_with_equal_points() -> None:
    assert [(1, True), (2, False), (3, False)] == ranks_at_the_end(one_row(10), board(3), one_row(10), resigned=(2,))


def test_two_resigned_seats_with_equal_points_share_the_last_rank() -> None:
    boards = (one_row(10), board(30), board(3), board(30))
    assert [(1, True), (3, False), (2, False), (3, False)] == ranks_at_the_end(*boards, resigned=(1, 3))
