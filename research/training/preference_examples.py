"""Decisions as examples for a network: what it sees of a position, and the share of the visits of each action."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from research.training.decisions import Decisions
from service.rulesets.compiler import jitted
from service.rulesets.networks.network import MAX_FEATURES, MAX_OF_ACTION, PreferenceFeatures
from service.rulesets.ruleset import Ruleset

MAX_ACTIONS = 256  # positions with more are left out

Numbers = npt.NDArray[np.int16]


class Examples(NamedTuple):
    """state: (n, features) and action: (n, actions, features), numbers of features, -1 where there are fewer;
    share: (n, actions), of the visits, -1 where there is no action; games: (n,).
    """

    state: Numbers
    action: Numbers
    share: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]

    def of(self, rows: Any) -> Examples:
        """Some of them."""
        return Examples(self.state[rows], self.action[rows], self.share[rows], self.games[rows])


def features_of(ruleset: Ruleset) -> PreferenceFeatures:
    """What its network sees (ValueError: it has none)."""
    if ruleset.ai.preference_features is None:
        raise ValueError(f"{ruleset.id} has no network")
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

    return jitted(extract)


def examples(ruleset: Ruleset, seen: Decisions) -> Examples:
    """What the network learns from; positions with more actions than MAX_ACTIONS are left out."""
    records = seen.records.reshape(-1).view(ruleset.rules.dtype)
    n, most = len(records), MAX_ACTIONS
    listed, counts = np.full((n, most), -2, np.int64), np.zeros(n, np.int64)
    state, action = np.full((n, MAX_FEATURES), -1, np.int16), np.full((n, most, MAX_OF_ACTION), -1, np.int16)
    room = np.zeros(MAX_FEATURES, np.int64), np.zeros(ruleset.max_actions, np.int64)
    _extractor(ruleset)(records, listed, counts, state, action, *room)
    share = np.where(listed >= 0, 0.0, -1.0).astype(np.float32)
    for k in range(seen.actions.shape[1]):
        rows, places = np.nonzero(listed == seen.actions[:, k, None])
        share[rows, places] = seen.visits[rows, k]
    all_visits = np.maximum(share, 0.0).sum(axis=1)
    share = np.where(share > 0, share / np.maximum(all_visits, 1.0)[:, None], share)
    good = (counts <= most) & (counts > 1) & (all_visits > 0)
    width = int((state >= 0).sum(axis=1).max())
    return Examples(state[good, :width], action[good], share[good], seen.games[good])
