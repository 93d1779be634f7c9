"""What whoever learns a ruleset sees and may do, in numbers; and what chance an environment is seeded with.

The **observation** is a vector of counts: how often the position has each feature that the ruleset's network of
preferences sees (`preference_features.py` in its `ai`), as the seat to decide sees it.

An **action** is a number below `actions`. Where the ruleset's actions are integers from 0 on, it is that integer. Where
they are bit fields, far too many to number, it is a place in the list of the ruleset's candidates (its rule
`candidates`), and means something in its position only.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass

import numpy as np

from service.rulesets.kernel import Ints, RngState, generator
from service.rulesets.networks.network import PreferenceFeatures
from service.rulesets.ruleset import Position, Ruleset


@dataclass(frozen=True)
class Spaces:
    """Of a ruleset."""

    ruleset: Ruleset
    features: PreferenceFeatures
    actions: int  # how many there are
    are_numbered: bool  # whether an action is the ruleset's integer; else a place among the candidates

    @property
    def observed(self) -> int:
        """Length of an observation."""
        return self.features.counts[0]

    @property
    def listing(self) -> str:
        """The rule that lists what may be chosen."""
        return "legal_actions" if self.are_numbered else "candidates"

    def listed(self, position: Position) -> Ints:
        """The ruleset's integers that may be chosen, (count,)."""
        out = np.empty(self.ruleset.max_actions, np.int64)
        return out[: getattr(self.ruleset.rules, self.listing)(position.table_state(), out)]

    def integer(self, position: Position, action: int) -> int:
        """The ruleset's integer of an action (IndexError: there is no such candidate)."""
        return action if self.are_numbered else int(self.listed(position)[action])

    def mask(self, position: Position) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which actions may be chosen, (actions,); none where nobody decides."""
        listed, mask = self.listed(position), np.zeros(self.actions, np.bool_)
        mask[listed if self.are_numbered else slice(len(listed))] = True
        return mask


def spaces_of(ruleset: Ruleset) -> Spaces:
    """ValueError: the ruleset does not say what a network sees, or how many actions there are."""
    features, numbered = ruleset.ai.preference_features, ruleset.action_count is not None
    actions = ruleset.action_count if numbered else ruleset.max_candidates
    if features is None or actions is None:
        raise ValueError(f"{ruleset.id} has no features of positions, or no number of actions")
    return Spaces(ruleset, features, actions, numbered)


def seeded(seed: int) -> RngState:
    """The chance of an environment."""
    return generator(hmac.digest(b"environment", str(seed).encode(), "sha256"))
