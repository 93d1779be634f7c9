"""A game from a position to its end, with nothing in between: no clock, no store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from service.rulesets.ruleset import Position


def play(
    position: Position, draw: Callable[[Position], Sequence[int]], decide: Callable[[Position], int]
) -> tuple[Position, list[int]]:
    """The last position, and all decisions (IllegalDrawError, IllegalActionError: what was given is not possible)."""
    decisions: list[int] = []
    while position.status != "over":
        if position.status == "drawing":
            position = position.resolve_draw(draw(position))
        else:
            decisions.append(decide(position))
            position = position.play(decisions[-1])
    return position, decisions
