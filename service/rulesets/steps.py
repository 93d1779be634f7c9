"""What the rules of every ruleset say in numbers: why an action is illegal.

A **reason** is what `check` returns; 0 is none: the action is legal. Those that all rulesets have stand here, and each
ruleset counts its own on from them. The member of an enumeration is a constant in compiled code, and its name in lower
case is the code that the API and the texts know it by. So a reason is declared once; new ones come last, or the numbers
of the others change.
"""

from __future__ import annotations

from enum import IntEnum

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
