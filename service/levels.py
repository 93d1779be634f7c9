"""How strong an AI plays: a table that the API shows and the workers obey.

A level is data: the kind of player and its time for a decision. How it is played stands in workers.search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Kind = Literal["random", "greedy", "tree"]


@dataclass(frozen=True)
class Strength:
    """Measured: `wins` is the share of games won against level `against` (a tie counts half), two seats."""

    against: str
    wins: float
    low: float  # 95 % interval
    high: float
    games: int
    measured: str  # date
    command: str  # {level} stands for the level itself


@dataclass(frozen=True)
class Level:
    """One way to play."""

    id: str
    name: str
    kind: Kind
    budget_s: float  # seconds for a decision; 0: as long as it takes, which is less than a millisecond
    description: str
    strength: Mapping[str, Mapping[str, Strength]] = field(default_factory=dict)  # by ruleset, by variant


def _measured(
    against: str, games: int, shares: Mapping[str, tuple[float, float, float]], deals: int
) -> Mapping[str, Mapping[str, Strength]]:
    """`shares`: (wins, low, high) by variant of Azul."""
    command = f"python -m workers.arena azul --levels {{level}} {against} --pairs {deals}"
    return {
        "azul": {
            variant: Strength(against, wins, low, high, games, "2026-11-21", command)
            for variant, (wins, low, high) in shares.items()
        }
    }


_LEVELS = (
    Level("random", "Random", "random", 0.0, "Plays any legal action. For a first try of a front end."),
    Level(
        "greedy",
        "Greedy",
        "greedy",
        0.0,
        "Takes what looks best now and never thinks of the others.",
        _measured("random", 200, {"coloured": (1.0, 0.981, 1.0), "grey": (1.0, 0.981, 1.0)}, 100),
    ),
    Level(
        "planner",
        "Planner",
        "tree",
        0.1,
        "Thinks ahead for a tenth of a second: a serious opponent.",
        _measured("greedy", 30, {"coloured": (1.0, 0.886, 1.0), "grey": (1.0, 0.886, 1.0)}, 15),
    ),
    Level(
        "master",
        "Master",
        "tree",
        0.5,
        "Thinks ahead for half a second: hard to beat.",
        _measured("planner", 8, {"coloured": (0.75, 0.409, 0.929)}, 4),
    ),
)
LEVELS: Mapping[str, Level] = MappingProxyType({level.id: level for level in _LEVELS})

FALLBACK = "greedy"  # plays a decision that a level has failed at three times
LAST_RESORT = "random"  # and after five failures: needs nothing but the rules
