"""How strong an AI plays: a table that the API shows and the workers obey.

A level is data: the kind of player and its time for a decision. How it is played stands in workers.search; how strong
it was measured to be, ruleset by ruleset, in each ruleset's strength.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Kind = Literal["random", "greedy", "tree"]


@dataclass(frozen=True)
class Level:
    """One way to play."""

    id: str
    name: str
    kind: Kind
    budget_s: float  # seconds for a decision; 0: as long as it takes, which is less than a millisecond
    description: str


_LEVELS = (
    Level("random", "Random", "random", 0.0, "Plays any legal action. For a first try of a front end."),
    Level("greedy", "Greedy", "greedy", 0.0, "Takes what looks best now and never thinks of the others."),
    Level("planner", "Planner", "tree", 0.1, "Thinks ahead for a tenth of a second: a serious opponent."),
    Level("master", "Master", "tree", 0.5, "Thinks ahead for half a second: hard to beat."),
)
LEVELS: Mapping[str, Level] = MappingProxyType({level.id: level for level in _LEVELS})

FALLBACK = "greedy"  # plays a decision that a level has failed at three times
LAST_RESORT = "random"  # and after five failures: needs nothing but the rules
