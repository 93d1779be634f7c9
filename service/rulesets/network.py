"""A small network that says which actions a strong player prefers in a position.

Its first layer has a row for each **feature**, something that is so or is not ("the seat has two red tiles on its third
line"); a position is the sum of the rows of its features (as in NNUE, Nasu 2018). To that each action adds the rows of
its own features, and what is above zero of the sum is weighed: the **preference** for it, in log-odds.

`network.npz` in a ruleset's `ai` is what `python -m workers.training.network` has left; where there is none, the
search does without.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.compiled import NETWORK
from service.rulesets.kernel import Floats, Ints, Record, Rules, helper

Singles = npt.NDArray[np.float32]

UNITS = 32  # of the hidden layer
HIDDEN = 2 * UNITS  # what the layer needs room for: once for the position, once for an action
MOST_FEATURES = 256  # of a position
MOST_OF_ACTION = 16


class Network(NamedTuple):
    """The weights, float32. state: (features of positions, UNITS); action: (features of actions, UNITS);
    bias, last: (UNITS,).
    """

    state: Singles
    action: Singles
    bias: Singles
    last: Singles


class NetworkFeatures(NamedTuple):
    """What a ruleset's network sees: features by number, written into an array; how many. Helpers (kernel.helper)."""

    of_state: Callable[[Record, Ints], int]  # of a position in which a seat decides
    of_action: Callable[[Record, int, Ints], int]  # of a legal action in it
    counts: tuple[int, int]  # features that there are, of positions and of actions


def trained(folder: Path, state_features: int, action_features: int) -> Network:
    """The network of the folder. ValueError: it is of other features."""
    with np.load(folder / NETWORK) as stored:
        network = Network(*(np.ascontiguousarray(stored[name].astype(np.float32)) for name in Network._fields))
    if (len(network.state), len(network.action)) != (state_features, action_features):
        raise ValueError(f"{folder / NETWORK} is of other features")
    return network


@helper
def sum_rows(hidden: Singles, features: Ints, count: int, network: Network) -> None:
    """The layer of a position with these features, into the first half of `hidden`."""
    for unit in range(UNITS):
        hidden[unit] = network.bias[unit]
    for k in range(count):
        feature = features[k]
        for unit in range(UNITS):
            hidden[unit] += network.state[feature, unit]


@helper
def preference_of(hidden: Singles, features: Ints, count: int, network: Network) -> float:
    """For the action with these features, after `sum_rows`: log-odds."""
    for unit in range(UNITS):
        hidden[UNITS + unit] = hidden[unit]
    for k in range(count):
        feature = features[k]
        for unit in range(UNITS):
            hidden[UNITS + unit] += network.action[feature, unit]
    total = np.float32(0.0)
    for unit in range(UNITS):
        total += network.last[unit] * max(hidden[UNITS + unit], np.float32(0.0))
    return float(total)


def add_rule(rules: Rules, features: NetworkFeatures, folder: Path) -> None:
    """Make the rule `preferences` of the network in the folder; none where there is no network."""
    if not (folder / NETWORK).exists():
        return
    network = trained(folder, *features.counts)
    of_state, of_action = features.of_state, features.of_action

    def preferences(game: Record, actions: Ints, out: Floats, numbers: Ints, hidden: Singles) -> None:
        sum_rows(hidden, numbers, of_state(game, numbers), network)
        for k in range(len(actions)):
            out[k] = preference_of(hidden, numbers, of_action(game, actions[k], numbers), network)

    rules(preferences)
