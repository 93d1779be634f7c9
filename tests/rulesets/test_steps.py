"""Reasons as numbers and codes, and effects as packed numbers."""

from __future__ import annotations

from enum import auto

import pytest

from service.rulesets.kernel import DECIDING, DRAWING, OVER, new_record, record_dtype
from service.rulesets.parts.steps import (
    NOTHING_FOLLOWS,
    WIDTHS,
    CommonReason,
    OwnReason,
    PackedEffect,
    check_deciding,
    pack_effect,
    reason_codes,
    unpack_effect,
)


class Reason(OwnReason):
    """The reasons of a ruleset with two of its own."""

    BAG_EMPTY = auto()
    NOT_YOURS = auto()


def test_the_numbers_of_own_reasons_follow_those_of_the_common_reasons() -> None:
    assert list(range(1, 1 + len(CommonReason) + len(Reason))) == [*CommonReason, *Reason]


def test_the_code_of_a_reason_is_its_name_and_its_index_is_its_number() -> None:
    codes = reason_codes(Reason)
    assert ("", "unknown_action", "game_over", "drawing", "bag_empty", "not_yours") == codes
    assert "not_yours" == codes[Reason.NOT_YOURS]


@pytest.mark.parametrize(
    ("status", "reason"), [(DECIDING, 0), (DRAWING, CommonReason.DRAWING), (OVER, CommonReason.GAME_OVER)]
)
def test_actions_are_refused_unless_a_seat_decides(status: int, reason: int) -> None:
    game = new_record(record_dtype([]))
    game.status = status
    assert reason == check_deciding(game)


class Effect(PackedEffect):
    """The effects of a ruleset with three of them."""

    BAG_FILLED = "tiles", "round", "bags", "seats", "seat"
    SEAT_LEFT = "seat"
    TABLE_CLEARED = ()


MOST = [2**width - 1 for width in WIDTHS]


@pytest.mark.parametrize("numbers", [[0] * 5, [1, 2, 3, 4, 5], MOST, [0, MOST[1], 0, MOST[3], 0]])
def test_a_packed_effect_unpacks_to_the_same_numbers(numbers: list[int]) -> None:
    packed = pack_effect(Effect.BAG_FILLED, *numbers)
    assert packed > NOTHING_FOLLOWS
    effect, actual = unpack_effect(Effect, packed)
    assert (Effect.BAG_FILLED, numbers) == (effect, list(actual.values()))
    assert ["tiles", "round", "bags", "seats", "seat"] == list(actual)


def test_an_unpacked_effect_has_only_its_declared_fields() -> None:
    assert (Effect.SEAT_LEFT, {"seat": 3}) == unpack_effect(Effect, pack_effect(Effect.SEAT_LEFT, 3))
    assert (Effect.TABLE_CLEARED, {}) == unpack_effect(Effect, pack_effect(Effect.TABLE_CLEARED))
