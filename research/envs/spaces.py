"""Observation and action spaces of a ruleset, and the seeding of environments.

The **observation** is a vector of counts: how often each feature of the ruleset's preference network
(`preference_features.py` in its `ai`) occurs in the position, from the perspective of the seat to decide; then the
pieces of each kind in the bag and in the reserve that refills it.

An **action** is a number below `actions`. If the ruleset's actions are consecutive integers, it is that integer. If
they are bit fields, it is an index into the list of candidates (the rule `candidates`), valid only for its position.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from operator import index

import numpy as np

from service.rulesets.kernel import Ints, RngState, generator
from service.rulesets.networks.network import MAX_FEATURES, PreferenceFeatures
from service.rulesets.ruleset import Position, Ruleset

PILES = ("bag", "box_lid", "tower")  # fields of records: pieces that chance draws, and their reserve, by kind
MAX_SEEN = MAX_FEATURES + 256  # features of a position, and the pieces in its piles
RESET_NEEDED = "call reset first: the environment has no game yet"


@dataclass(frozen=True)
class Spaces:
    """Spaces of a ruleset."""

    ruleset: Ruleset
    features: PreferenceFeatures
    actions: int  # number of actions
    are_numbered: bool  # whether an action is the ruleset's integer, not an index of a candidate

    def __reduce__(self) -> tuple[Callable[[Ruleset], Spaces], tuple[Ruleset]]:
        return spaces_of, (self.ruleset,)

    @property
    def observation_size(self) -> int:
        """Length of an observation."""
        return self.features.counts[0] + sum(int(self.ruleset.rules.dtype[pile].shape[0]) for pile in self.piles)

    @property
    def piles(self) -> tuple[str, ...]:
        """Names of the piles in the ruleset's record."""
        return tuple(pile for pile in PILES if pile in (self.ruleset.rules.dtype.names or ()))

    @property
    def listing(self) -> str:
        """Name of the rule that lists the possible actions."""
        return "legal_actions" if self.are_numbered else "candidates"

    def list_integers(self, position: Position) -> Ints:
        """Return the possible actions as the ruleset's integers, (count,)."""
        out = np.empty(self.ruleset.max_actions, np.int64)
        return out[: getattr(self.ruleset.rules, self.listing)(position.table_state(), out)]

    def integer(self, position: Position, action: int) -> int:
        """Return the ruleset's integer of an action. Raises IndexError for an unknown candidate."""
        return action if self.are_numbered else int(self.list_integers(position)[action])

    def mask(self, position: Position) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return the mask of possible actions, (actions,). It is all False if no seat decides."""
        listed, mask = self.list_integers(position), np.zeros(self.actions, np.bool_)
        mask[listed if self.are_numbered else slice(len(listed))] = True
        return mask


def spaces_of(ruleset: Ruleset) -> Spaces:
    """Return the spaces. Raises ValueError if the ruleset has no network features or no number of actions."""
    features, numbered = ruleset.ai.preference_features, ruleset.action_count is not None
    actions = ruleset.action_count if numbered else ruleset.max_candidates
    if features is None or actions is None:
        raise ValueError(f"{ruleset.id} has no features of positions, or no number of actions")
    return Spaces(ruleset, features, actions, numbered)


def check_seed(seed: int) -> int:
    """Return the seed. Raises TypeError if it is no integer, and ValueError if it is negative."""
    number = index(seed)
    if number < 0:
        raise ValueError(f"the seed must not be negative: {number}")
    return number


def generator_of(seed: int) -> RngState:
    """Return the random generator of a game. Raises the errors of `check_seed`."""
    return _generator(check_seed(seed))


def generator_of_actions(seed: int) -> RngState:
    """Return the random generator of drawn actions, which differs from those of games."""
    return _generator(-1 - check_seed(seed))


def _generator(number: int) -> RngState:
    return generator(hmac.digest(b"environment", b"%d" % number, "sha256"))
