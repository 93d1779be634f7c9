"""How a game ended, by seat: shared ranks, and who has given up behind all who have not."""

from __future__ import annotations

from service.games.view import outcome
from service.rulesets.azul import AZUL
from tests.games.tables import table
from tests.rulesets.azul.build import CLOSE, Json, board, closing, view


def one_row(score: int) -> Json:
    """A seat that will complete a row, for 7 points."""
    return board(score, lines={0: "w"}, wall={0: "byrk."})


def ended(*boards: Json, resigned: tuple[int, ...] = ()) -> list[tuple[int, bool]]:
    """Rank and victory of each seat, of a game that is over with the next decision."""
    made = table(*["player"] * len(boards), position=view(closing(*boards, seats=len(boards))))
    for seat in resigned:
        made.session.resign(seat)
    made.act(AZUL.wire.encode(CLOSE))
    described = outcome(made.game)
    assert described is not None
    return [(seat["rank"], seat["won"]) for seat in described["seats"]]


def test_two_who_share_the_victory_have_both_won() -> None:
    assert [(1, True), (1, True)] == ended(one_row(10), one_row(10))


def test_after_a_shared_rank_the_next_is_skipped() -> None:
    assert [(1, True), (3, False), (1, True), (3, False)] == ended(one_row(10), board(17), one_row(10), board(17))


def test_of_two_with_the_same_points_the_one_who_resigned_has_lost() -> None:
    assert [(1, True), (2, False), (3, False)] == ended(one_row(10), board(3), one_row(10), resigned=(2,))


def test_two_who_resigned_with_the_same_points_share_the_last_rank() -> None:
    boards = (one_row(10), board(30), board(3), board(30))
    assert [(1, True), (3, False), (2, False), (3, False)] == ended(*boards, resigned=(1, 3))
