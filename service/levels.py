"""How strong an AI plays: a table that the API shows and the workers obey.

A level is data: its most time for a decision. How it plays a ruleset (`AI.level_configs`) and how strong it was
measured to be there (`Ruleset.strength`) stand with the ruleset: what makes a good beginner of one game need not of
another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Level:
    """One way to play."""

    id: str
    name: str
    budget_s: float  # seconds for a decision; 0: as long as it takes, which is less than a millisecond
    description: str

    @property
    def is_quick(self) -> bool:
        """Whether it decides without a search."""
        return self.budget_s == 0


_LEVELS = (
    Level("random", "Random", 0.0, "Plays any legal action. For a first try of a front end."),
    Level("novice", "Novice", 0.0, "A child's first opponent: sees what lies before it, and misjudges most of it."),
    Level("beginner", "Beginner", 0.0, "Knows what is good, and often takes the second best for it."),
    Level("learner", "Learner", 0.0, "Has understood what scores, and misjudges what it costs."),
    Level("casual", "Casual", 0.0, "Plays soundly for its own board, with an oversight now and then."),
    Level("club", "Club player", 0.0, "Overlooks little, and thinks no further: a match for most people."),
    Level("greedy", "Greedy", 0.0, "Takes what looks best at a glance, and is seldom wrong."),
    Level("planner", "Planner", 0.2, "Looks a few decisions ahead: a serious opponent."),
    Level("strategist", "Strategist", 0.3, "Thinks the round through, and spoils what others plan."),
    Level("veteran", "Veteran", 0.4, "Has seen most of it before, and forgets little."),
    Level("expert", "Expert", 0.5, "Misses little; who wins has played well."),
    Level("candidate-master", "Candidate master", 0.5, "Sees nearly all; to win takes luck, too."),
    Level("master", "Master", 0.5, "Thinks for half a second: as strong as we can."),
)
LEVELS: Mapping[str, Level] = MappingProxyType({level.id: level for level in _LEVELS})

QUICK = frozenset(level.id for level in _LEVELS if level.is_quick)
FALLBACK = "greedy"  # plays a decision that a level has failed at three times
LAST_RESORT = "random"  # and after five failures: needs nothing but the rules
