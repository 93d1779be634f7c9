"""Numbers for reasons and effects, which the rules of all rulesets use.

A **reason** is the result of `check`; 0 means that the action is legal. This module defines the common reasons, and
each ruleset continues the numbering. Members of the enumerations are constants in compiled code. Their names in lower
case are the codes of the API and the texts. Add new reasons at the end, because their numbers follow the order.

An **effect** of an automatic step is the result of `settle`: its number and up to five more numbers, packed into an
integer. A ruleset declares each effect with the names of its numbers. Its type in the API is its name in lower case,
and its fields are these numbers unless the ruleset converts them.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Self, TypeVar

import numpy as np

from service.rulesets.kernel import DRAWING, OVER, Record, helper


class CommonReason(IntEnum):
    """Reasons that every ruleset has."""

    UNKNOWN_ACTION = 1
    GAME_OVER = 2
    DRAWING = 3


class OwnReason(IntEnum):
    """Base class for the reasons of a ruleset, each an `auto()`."""

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[int]) -> int:  # noqa: ARG004 - enum's
        return 1 + len(CommonReason) + count


def reason_codes(own: type[OwnReason]) -> tuple[str, ...]:
    """Return the codes of a ruleset's reasons by the result of `check`; the code of 0 is empty."""
    return ("", *(reason.name.lower() for reason in (*CommonReason, *own)))


@helper
def check_deciding(game: Record) -> int:
    """Return the reason why no seat can act now, or 0."""
    if game.status == OVER:
        return CommonReason.GAME_OVER
    return CommonReason.DRAWING if game.status == DRAWING else 0


# ---------------------------------------------------------------------------- automatic steps

NOTHING_FOLLOWS = 0  # result of `settle` if there is no automatic step
EFFECT_BITS = 4
WIDTHS = (16, 16, 8, 8, 8)  # bits of an effect's numbers
SHIFTS = tuple(EFFECT_BITS + sum(WIDTHS[:index]) for index in range(len(WIDTHS)))


class PackedEffect(IntEnum):
    """Base class for the effects of a ruleset's automatic steps, each with the names of its numbers."""

    fields: tuple[str, ...]

    def __new__(cls, *fields: str) -> Self:
        """Count from 1: 0 is NOTHING_FOLLOWS."""
        effect = int.__new__(cls, 1 + len(cls.__members__))
        effect._value_ = int(effect)
        effect.fields = fields
        return effect


Effect = TypeVar("Effect", bound=PackedEffect)


@helper
def pack_effect(effect: int, first: int = 0, second: int = 0, third: int = 0, fourth: int = 0, fifth: int = 0) -> int:
    """Pack an effect with its numbers, in the order of its fields. None of them may be negative."""
    low = np.int64(first) << SHIFTS[0] | np.int64(second) << SHIFTS[1]
    high = np.int64(third) << SHIFTS[2] | np.int64(fourth) << SHIFTS[3] | np.int64(fifth) << SHIFTS[4]
    return np.int64(effect) | low | high  # type: ignore[return-value]


def unpack_effect(effects: type[Effect], packed: int) -> tuple[Effect, dict[str, int]]:
    """Return (effect, its numbers by name)."""
    effect = effects(packed & (1 << EFFECT_BITS) - 1)  # type: ignore[arg-type]  # the member of that number
    places = zip(effect.fields, SHIFTS, WIDTHS, strict=False)
    return effect, {name: packed >> shift & (1 << width) - 1 for name, shift, width in places}
