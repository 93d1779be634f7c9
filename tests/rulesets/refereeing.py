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

MAX_LEGAL = 1000  # a longer list is not compared: pieces discarded in all ways; the ruleset has a test of that


class Referee(Protocol):
    """A module that tells the rules."""

    def legal(self, position: Json) -> Iterable[Json]:
        """The legal actions of the seat to decide, aliases too."""

    def play(self, position: Json, action: Json) -> None:
        """Lay out, in place, a decision and all that follows by itself."""

    def resolve_draw(self, position: Json, draw: Json) -> None:
        """Lay out, in place, what chance has brought. AssertionError if it must bring more or less."""

    def standing(self, position: Json, seat: int) -> tuple[int, ...]:
        """What the seats are ordered by at the end, the best first."""


def has_referee(ruleset: Ruleset) -> bool:
    """Return whether the ruleset has a referee."""
    return importlib.util.find_spec(f"tests.rulesets.{ruleset.folder.name}.referee") is not None


def referee_of(ruleset: Ruleset) -> Referee:
    """The ruleset's referee."""
    return cast("Referee", importlib.import_module(f"tests.rulesets.{ruleset.folder.name}.referee"))


def of_action(before: Position, action: int) -> Iterator[str]:
    """What the referee says against an action that was played."""
    ruleset = before.ruleset
    referee, position = referee_of(ruleset), ruleset.view(before)
    listed = before.legal_actions()
    if len(listed) <= MAX_LEGAL:
        allowed = {*map(ruleset.wire.encode, referee.legal(position))}
        if other := allowed ^ {*listed, *before.aliases()}:
            yield f"the referee sees it otherwise whether this is legal: {ruleset.wire.decode(min(other))}"
    referee.play(position, ruleset.wire.decode(action))
    yield from of_position(position, before.play(action))


def of_draw(before: Position, drawn: Sequence[int]) -> Iterator[str]:
    """What the referee says against what was drawn."""
    position = before.ruleset.view(before)
    try:
        referee_of(before.ruleset).resolve_draw(position, before.ruleset.wire.name_draw(before.table_state(), drawn))
    except AssertionError:
        yield f"the referee expects another number of tiles than {len(drawn)}"
        return
    yield from of_position(position, before.resolve_draw(drawn))


def of_position(expected: Json, after: Position) -> Iterator[str]:
    """What differs from the position that the referee has laid out, and from its ranks once the game is over."""
    actual = after.ruleset.view(after)
    if other := [name for name in actual if actual[name] != expected.get(name)]:
        yield f"the referee leaves another position: {', '.join(other)}"
    if after.status == "over":
        standings = [referee_of(after.ruleset).standing(expected, seat) for seat in range(after.seats)]
        ranks = [1 + sum(other > standing for other in standings) for standing in standings]
        if ranks != [seat.rank for seat in after.outcome()]:
            yield f"the referee ranks the seats {ranks}"
