"""Reasons, as numbers and as codes."""

from __future__ import annotations

from enum import auto

import pytest

from service.rulesets.kernel import DECIDING, DRAWING, OVER, new_record, record_dtype
from service.rulesets.steps import CommonReason, OwnReason, check_deciding, reason_codes


class Reason(OwnReason):
    """Of a ruleset with two reasons of its own."""

    BAG_EMPTY = auto()
    NOT_YOURS = auto()


def test_the_reasons_of_a_ruleset_count_on_from_those_that_all_have() -> None:
    assert list(range(1, 1 + len(CommonReason) + len(Reason))) == [*CommonReason, *Reason]


def test_a_reason_is_known_by_its_name_and_found_by_its_number() -> None:
    codes = reason_codes(Reason)
    assert ("", "unknown_action", "game_over", "drawing", "bag_empty", "not_yours") == codes
    assert "not_yours" == codes[Reason.NOT_YOURS]


@pytest.mark.parametrize(
    ("status", "reason"), [(DECIDING, 0), (DRAWING, CommonReason.DRAWING), (OVER, CommonReason.GAME_OVER)]
)
def test_nobody_acts_but_while_a_seat_decides(status: int, reason: int) -> None:
    game = new_record(record_dtype([]))
    game.status = status
    assert reason == check_deciding(game)
