"""AI levels: the table that the API shows and the workers use.

A level limits the time per decision. Each ruleset configures how it plays (`AI.level_configs`) and has its measured
strength (`Ruleset.strength`), because a good beginner needs different settings in each game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Level:
    """A playing strength."""

    id: str
    name: str
    budget_s: float  # maximum processor time per decision; 0: no search, under a millisecond
    description: str

    @property
    def is_quick(self) -> bool:
        """Whether the level decides without a search."""
        return self.budget_s == 0


_LEVELS = (
    Level("random", "Random", 0.0, "Plays any legal move. Good for trying out a front end."),
    Level("novice", "Novice", 0.0, "A child's first opponent. Sees what is obvious and misjudges most of the rest."),
    Level("beginner", "Beginner", 0.0, "Knows good moves but often picks the second best."),
    Level("learner", "Learner", 0.0, "Understands what scores but misjudges what it costs."),
    Level("casual", "Casual", 0.0, "Plays solidly on its own board, with a slip now and then."),
    Level("club", "Club player", 0.0, "Misses little but does not plan ahead. A match for most people."),
    Level("greedy", "Greedy", 0.0, "Takes what looks best right now and is rarely wrong."),
    Level("planner", "Planner", 0.2, "Looks a few moves ahead. A serious opponent."),
    Level("strategist", "Strategist", 0.3, "Thinks the whole round through and gets in your way."),
    Level("veteran", "Veteran", 0.4, "Very experienced and hard to surprise."),
    Level("expert", "Expert", 0.5, "Misses almost nothing. If you win, you played well."),
    Level("candidate-master", "Candidate master", 0.5, "Sees nearly everything. You also need some luck to win."),
    Level("master", "Master", 0.5, "Thinks for half a second per move. The strongest level."),
)
LEVELS: Mapping[str, Level] = MappingProxyType({level.id: level for level in _LEVELS})

QUICK = frozenset(level.id for level in _LEVELS if level.is_quick)
FALLBACK = "greedy"  # takes a decision after a level failed at it three times
LAST_RESORT = "random"  # after five failures; needs only the rules
