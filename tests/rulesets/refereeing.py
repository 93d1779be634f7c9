"""Compare the compiled rules with the ruleset's referee, `tests/rulesets/<ruleset>/referee.py`.

A referee is written from the rulebook alone, works on the JSON of positions, and shares no code with the rules. It
therefore exposes misread and mistyped rules, see docs/decisions/0008-referees-in-tests.md.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, cast

from service.rulesets.ruleset import Position, Ruleset

Json = dict[str, Any]

MAX_LEGAL = 1000  # longer lists are not compared: they come from discards, which the ruleset's tests check


class Referee(Protocol):
    """A module with the rules of a ruleset."""

    def legal(self, position: Json) -> Iterable[Json]:
        """Return the legal actions of the deciding seat, including aliases."""

    def play(self, position: Json, action: Json) -> None:
        """Apply a decision and everything that follows from it, in place."""

    def resolve_draw(self, position: Json, draw: Json) -> None:
        """Apply a draw in place. AssertionError if it has the wrong number of tiles."""

    def standing(self, position: Json, seat: int) -> tuple[int, ...]:
        """Return the values that order the seats at the end, the most important first."""


def has_referee(ruleset: Ruleset) -> bool:
    """Return whether the ruleset has a referee."""
    return importlib.util.find_spec(f"tests.rulesets.{ruleset.folder.name}.referee") is not None


def referee_of(ruleset: Ruleset) -> Referee:
    """Return the ruleset's referee."""
    return cast("Referee", importlib.import_module(f"tests.rulesets.{ruleset.folder.name}.referee"))


def of_action(before: Position, action: int) -> Iterator[str]:
    """Yield the referee's objections to an action."""
    ruleset = before.ruleset
    referee, position = referee_of(ruleset), ruleset.view(before)
    listed = before.legal_actions()
    if len(listed) <= MAX_LEGAL:
        allowed = {*map(ruleset.wire.encode, referee.legal(position))}
        if other := allowed ^ {*listed, *before.aliases()}:
            yield f"the referee disagrees about whether this is legal: {ruleset.wire.decode(min(other))}"
    referee.play(position, ruleset.wire.decode(action))
    yield from of_position(position, before.play(action))


def of_draw(before: Position, drawn: Sequence[int]) -> Iterator[str]:
    """Yield the referee's objections to a draw."""
    position = before.ruleset.view(before)
    try:
        referee_of(before.ruleset).resolve_draw(position, before.ruleset.wire.name_draw(before.table_state(), drawn))
    except AssertionError:
        yield f"the referee expects another number of tiles than {len(drawn)}"
        return
    yield from of_position(position, before.resolve_draw(drawn))


def of_position(expected: Json, after: Position) -> Iterator[str]:
    """Yield differences from the referee's position, and from its ranks when the game is over."""
    actual = after.ruleset.view(after)
    if other := [name for name in actual if actual[name] != expected.get(name)]:
        yield f"the referee has another position: {', '.join(other)}"
    if after.status == "over":
        standings = [referee_of(after.ruleset).standing(expected, seat) for seat in range(after.seats)]
        ranks = [1 + sum(other > standing for other in standings) for standing in standings]
        if ranks != [seat.rank for seat in after.outcome()]:
            yield f"the referee ranks the seats {ranks}"
