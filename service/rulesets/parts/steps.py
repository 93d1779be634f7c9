"""What the rules of every ruleset say in numbers: why an action is illegal, and what `settle` has just done.

A **reason** is what `check` returns; 0 is none: the action is legal. Those that all rulesets have stand here, and each
ruleset counts its own on from them. The member of an enumeration is a constant in compiled code, and its name in lower
case is the code that the API and the texts know it by. So a reason is declared once; new ones come last, or the numbers
of the others change.

An **effect** that follows by itself is what `settle` tells: which one it is, and some numbers, packed into one int. A
ruleset declares each with the names of its numbers; its type on the wire is its name in lower case, and its numbers
are what it tells there unless the ruleset's wire makes something else of them.
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
    """Of a ruleset: subclassed with its reasons, each an `auto()`."""

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[int]) -> int:  # noqa: ARG004 - enum's
        return 1 + len(CommonReason) + count


def reason_codes(own: type[OwnReason]) -> tuple[str, ...]:
    """The codes of a ruleset's reasons, by what `check` returns; that of 0 is empty."""
    return ("", *(reason.name.lower() for reason in (*CommonReason, *own)))


@helper
def check_deciding(game: Record) -> int:
    """Why nobody may act now, whatever the action, or 0."""
    if game.status == OVER:
        return CommonReason.GAME_OVER
    return CommonReason.DRAWING if game.status == DRAWING else 0


# ---------------------------------------------------------------------------- what follows by itself

NOTHING_FOLLOWS = 0  # what `settle` returns where nothing follows
EFFECT_BITS = 4
WIDTHS = (16, 16, 8, 8, 8)  # bits of an effect's numbers, by their place
SHIFTS = tuple(EFFECT_BITS + sum(WIDTHS[:index]) for index in range(len(WIDTHS)))


class PackedEffect(IntEnum):
    """Subclassed with the effects of a ruleset that `settle` brings; each is given the names of its numbers."""

    fields: tuple[str, ...]

    def __new__(cls, *fields: str) -> Self:
        """Counted from 1: 0 is NOTHING."""
        effect = int.__new__(cls, 1 + len(cls.__members__))
        effect._value_ = int(effect)
        effect.fields = fields
        return effect


Effect = TypeVar("Effect", bound=PackedEffect)


@helper
def pack_effect(effect: int, first: int = 0, second: int = 0, third: int = 0, fourth: int = 0, fifth: int = 0) -> int:
    """An effect with its numbers, in the order of its fields, as `settle` returns it. None is negative."""
    low = np.int64(first) << SHIFTS[0] | np.int64(second) << SHIFTS[1]
    high = np.int64(third) << SHIFTS[2] | np.int64(fourth) << SHIFTS[3] | np.int64(fifth) << SHIFTS[4]
    return np.int64(effect) | low | high  # type: ignore[return-value]


def unpack_effect(effects: type[Effect], packed: int) -> tuple[Effect, dict[str, int]]:
    """(effect, its numbers by name) of what `pack_effect` packed."""
    effect = effects(packed & (1 << EFFECT_BITS) - 1)  # type: ignore[arg-type]  # the member of that number
    places = zip(effect.fields, SHIFTS, WIDTHS, strict=False)
    return effect, {name: packed >> shift & (1 << width) - 1 for name, shift, width in places}
