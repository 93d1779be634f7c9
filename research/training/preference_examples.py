"""Training examples of preference networks: features of a position, and each action's share of the visits."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from research.training.decisions import Decisions
from service.rulesets.compiler import jit
from service.rulesets.networks.network import MAX_ACTION_FEATURES, MAX_FEATURES, PreferenceFeatures
from service.rulesets.ruleset import Ruleset

MAX_ACTIONS = 256  # positions with more actions are left out

Numbers = npt.NDArray[np.int16]


class Examples(NamedTuple):
    """Examples.

    state: (n, features), action: (n, actions, features), numbers of features, padded with -1; share: share of the
    visits, (n, actions), padded with -1; games: (n,).
    """

    state: Numbers
    action: Numbers
    share: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]


def features_of(ruleset: Ruleset) -> PreferenceFeatures:
    """Return the features of the ruleset's preference network. Raises ValueError if it has none."""
    if ruleset.ai.preference_features is None:
        raise ValueError(f"{ruleset.id} has no preference network")
    return ruleset.ai.preference_features


@functools.cache
def _extractor(ruleset: Ruleset) -> Any:
    candidates, (of_state, of_action, _) = ruleset.rules.function("candidates"), features_of(ruleset)

    def extract(records: Any, listed: Any, counts: Any, state: Any, action: Any, room: Any, all_listed: Any) -> None:
        for row in range(len(records)):
            for k in range(of_state(records[row], room)):
                state[row, k] = room[k]
            counts[row] = candidates(records[row], all_listed)
            if counts[row] <= listed.shape[1]:
                for number in range(counts[row]):
                    listed[row, number] = all_listed[number]
                    for k in range(of_action(records[row], all_listed[number], room)):
                        action[row, number, k] = room[k]

    return jit(extract)


def examples(ruleset: Ruleset, seen: Decisions) -> Examples:
    """Return the training examples, without positions with more than MAX_ACTIONS actions."""
    records = seen.records.reshape(-1).view(ruleset.rules.dtype)
    n = len(records)
    listed, counts = np.full((n, MAX_ACTIONS), -2, np.int64), np.zeros(n, np.int64)
    state, action = (
        np.full((n, MAX_FEATURES), -1, np.int16),
        np.full((n, MAX_ACTIONS, MAX_ACTION_FEATURES), -1, np.int16),
    )
    room = np.zeros(MAX_FEATURES, np.int64), np.zeros(ruleset.max_actions, np.int64)
    _extractor(ruleset)(records, listed, counts, state, action, *room)
    share = np.where(listed >= 0, 0.0, -1.0).astype(np.float32)
    for k in range(seen.actions.shape[1]):
        rows, places = np.nonzero(listed == seen.actions[:, k, None])
        share[rows, places] = seen.visits[rows, k]
    all_visits = np.maximum(share, 0.0).sum(axis=1)
    share = np.where(share > 0, share / np.maximum(all_visits, 1.0)[:, None], share)
    good = (counts <= MAX_ACTIONS) & (counts > 1) & (all_visits > 0)
    width = int((state >= 0).sum(axis=1).max())
    return Examples(state[good, :width], action[good], share[good], seen.games[good])
