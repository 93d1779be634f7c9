"""Playing a game to its end, without clock and store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from service.rulesets.ruleset import Position


def play(
    position: Position, draw: Callable[[Position], Sequence[int]], decide: Callable[[Position], int]
) -> tuple[Position, list[int]]:
    """Return the last position and all decisions. Raises IllegalDrawError or IllegalActionError."""
    decisions: list[int] = []
    while position.status != "over":
        if position.status == "drawing":
            position = position.resolve_draw(draw(position))
        else:
            decisions.append(decide(position))
            position = position.play(decisions[-1])
    return position, decisions
