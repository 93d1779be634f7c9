"""Reasons: what the best action does that another one does not, from the rules and not from the search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from service.rulesets.ruleset import Position
from service.rulesets.shared_effects import Merit

PARTS = {"floor": "points_of_round", "points": "points_of_round", "element_completed": "jokers"}
"""Names of merits that are part of another one. Only one of both is a reason, and no part if the whole is worse."""
ALIKE = (
    ("deny", "opponent_points", "opponent_tiles"),
    ("affordable", "colour_tiles", "tiles_kept", "tiles", "tiles_missing"),
)
"""Names of merits that are about the same. Only the most important is a reason."""

Merits = Mapping[tuple[str, Any], Merit]
"""Merits of an action by name and key."""


class Reason(NamedTuple):
    """A merit of two actions: `best` is greater than `other`."""

    name: str
    best: int
    other: int
    details: Mapping[str, Any] = {}  # what the number is about, such as a line, a colour or a seat


def compare(position: Position, best: int, other: int) -> list[Reason]:
    """Return what one legal action does that another one does not, most important first. It may be empty.

    Raises IllegalActionError.
    """
    return compare_all(position, best, [other])[0]


def compare_all(position: Position, best: int, others: Iterable[int]) -> list[list[Reason]]:
    """Return what `compare` returns for each of the other actions."""
    ours = _merits_by_place(position, best)
    return [_compare_merits(ours, _merits_by_place(position, other)) for other in others]


def _merits_by_place(position: Position, action: int) -> Merits:
    return {(merit.name, merit.key): merit for merit in position.merits(action)}


def _compare_merits(ours: Merits, theirs: Merits) -> list[Reason]:
    found: dict[str, tuple[float, Reason]] = {}
    for place, merit in {**theirs, **ours}.items():
        reason = Reason(merit.name, _value(ours, place), _value(theirs, place), merit.details)
        worth = (reason.best - reason.other) * merit.worth
        if worth > found.get(merit.name, (0.0,))[0]:
            found[merit.name] = worth, reason
    for part, whole in PARTS.items():
        if part in found:
            gained = _value(ours, (whole, None)) - _value(theirs, (whole, None))
            reason = found[part][1]
            is_enough = 0 <= gained <= reason.best - reason.other
            found.pop(whole if is_enough else part, None)
    for names in ALIKE:
        for name in sorted(found.keys() & names, key=lambda name: -found[name][0])[1:]:
            del found[name]
    return [reason for _, reason in sorted(found.values(), key=lambda pair: -pair[0])]


def _value(merits: Merits, place: tuple[str, Any]) -> int:
    return merits[place].value if place in merits else 0
