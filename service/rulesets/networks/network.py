"""Small networks: which actions a strong player prefers, and what a position is worth.

The first layer of a network has a row for each **feature**, something that is so or is not ("the seat has two red tiles
on its third line"); a position is the sum of the rows of its features (as in NNUE, Nasu 2018), and what is above zero
of the sum is weighed.

- The **preference** for an action, in log-odds: to the position's sum the action adds the rows of its own features.
- The **value** of a position for a seat: the return (see workers/search/playouts.py) that it may expect, pressed
  through tanh. What is above zero of the position's sum may go through a second layer first.

`preferences.npz` and `values.npz` in a ruleset's `ai` are what `python -m research.training.preferences` and
`python -m research.training.values` have left; where there are none, the search does without.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from service.rulesets.code_cache import PREFERENCES, VALUES
from service.rulesets.kernel import Floats, Ints, Record, Rules, as_int, helper

Singles = npt.NDArray[np.float32]

UNITS = 32  # of a hidden layer
HIDDEN = 2 * UNITS  # what there must be room for: the layer of a position, and that of an action or the second one
MAX_OF_A_TABLE = 1_000_000  # bytes: Numba puts no larger array into machine code, but its address in this process
MAX_FEATURES = 320  # of a position
NOTE = MAX_FEATURES - 1  # where features of a position may leave a number for those of its actions
MAX_OF_ACTION = 16
LEADS = 81  # by estimate, two points by two, around even: the last features of a network of values


class PreferenceNetwork(NamedTuple):
    """The weights, float32. state: (features of positions, UNITS); action: (features of actions, UNITS);
    bias, last: (UNITS,).
    """

    state: Singles
    action: Singles
    bias: Singles
    last: Singles


class ValueNetwork(NamedTuple):
    """The weights, float32. state: (features of positions, then LEADS, UNITS); bias, last: (UNITS,); offset: (1,);
    second: (UNITS + 1, UNITS), from unit to unit, then a bias; None where there is no second layer.
    """

    state: Singles
    bias: Singles
    last: Singles
    offset: Singles
    second: Singles | None = None


AnyNetwork = TypeVar("AnyNetwork", PreferenceNetwork, ValueNetwork)


class PreferenceFeatures(NamedTuple):
    """What a network of preferences sees: features by number, written into an array; how many. kernel.helper's.

    Those of actions are asked for after those of their position, with the same array.
    """

    of_state: Callable[[Record, Ints], int]  # of a position in which a seat decides
    of_action: Callable[[Record, int, Ints], int]  # of a legal action in it
    counts: tuple[int, int]  # features that there are, of positions and of actions


class ValueFeatures(NamedTuple):
    """What a network of values sees; see PreferenceFeatures."""

    of_state: Callable[[Record, int, Ints], int]  # of a position that the search asks for, as a seat sees it
    size: int  # features that there are, without LEADS


def stored(path: Path, kind: type[AnyNetwork], *counts: int) -> AnyNetwork:
    """The network of a file, whose first tables have so many rows (ValueError: others, or one that is too large)."""
    with np.load(path) as file:
        tables = {name: np.ascontiguousarray(file[name].astype(np.float32)) for name in kind._fields if name in file}
    network = kind(**tables)
    if tuple(map(len, tables.values()))[: len(counts)] != counts:
        raise ValueError(f"{path} is of other features")
    if max(table.nbytes for table in tables.values()) > MAX_OF_A_TABLE:
        raise ValueError(f"{path} has a table that is too large to be compiled")
    return network


@helper
def add_rows(start: Singles, table: Singles, features: Ints, count: int, out: Singles, first: int) -> None:
    """Write to `out` from `first` on: the first UNITS numbers of `start`, plus the rows of `count` features."""
    for unit in range(UNITS):
        out[first + unit] = start[unit]
    for k in range(count):
        row = features[k]
        for unit in range(UNITS):
            out[first + unit] += table[row, unit]


@helper
def weighed(hidden: Singles, first: int, last: Singles) -> float:
    """Return the output of the layer that begins at `first`. Overwrites the layer."""
    for unit in range(first, first + UNITS):
        hidden[unit] = max(hidden[unit], np.float32(0)) * last[unit - first]
    width = UNITS // 2
    while width > 0:
        for unit in range(first, first + width):
            hidden[unit] += hidden[unit + width]
        width //= 2
    return np.float64(hidden[first])  # `float` leaves a float32 in compiled code


@helper
def second_layer(hidden: Singles, second: Singles) -> None:
    """Compute the layer above the first half of `hidden`, into the other half."""
    for unit in range(UNITS):
        hidden[UNITS + unit] = second[UNITS, unit]
    for row in range(UNITS):
        factor = max(hidden[row], np.float32(0))
        for unit in range(UNITS):
            hidden[UNITS + unit] += factor * second[row, unit]


@helper
def lead_step(lead: float, width: int, steps: int) -> int:
    """Which of so many steps around even, each `width` points wide, it is to lead by so many points."""
    return max(0, min(steps - 1, math.floor(lead / width) + steps // 2))


@helper
def score_step(game: Record, seat: int, other: int, width: int, steps: int) -> int:
    """The same of a seat's score over another's."""
    return lead_step(as_int(game.score[seat]) - as_int(game.score[other]), width, steps)


@helper
def lead_feature(lead: float) -> int:
    """Which of LEADS it is to lead by so many points, by estimate."""
    return lead_step(lead, 2, LEADS)


@helper
def preference_of(hidden: Singles, features: Ints, count: int, network: PreferenceNetwork) -> float:
    """For the action with these features, after the layer of its position: log-odds."""
    add_rows(hidden, network.action, features, count, hidden, UNITS)
    return weighed(hidden, UNITS, network.last)


def output_of(network: ValueNetwork) -> Callable[[Singles], float]:
    """kernel.helper's: the output, of the position's layer in the first half of `hidden`."""
    last, second = network.last, network.second
    if second is None:

        @helper
        def of_one_layer(hidden: Singles) -> float:
            return weighed(hidden, 0, last)

        return of_one_layer

    @helper
    def of_two_layers(hidden: Singles) -> float:
        second_layer(hidden, second)
        return weighed(hidden, UNITS, last)

    return of_two_layers


def add_preferences(rules: Rules, features: PreferenceFeatures, folder: Path) -> None:
    """Make the rule `preferences` of the network in the folder; none where there is no network."""
    if not (folder / PREFERENCES).exists():
        return
    network = stored(folder / PREFERENCES, PreferenceNetwork, *features.counts)
    of_state, of_action = features.of_state, features.of_action

    def preferences(game: Record, actions: Ints, out: Floats, numbers: Ints, hidden: Singles) -> None:
        add_rows(network.bias, network.state, numbers, of_state(game, numbers), hidden, 0)
        for k in range(len(actions)):
            out[k] = preference_of(hidden, numbers, of_action(game, actions[k], numbers), network)

    rules(preferences)


def add_value(rules: Rules, features: ValueFeatures, folder: Path) -> None:
    """Make the rule `value` of the network in the folder; none where there is no network."""
    if not (folder / VALUES).exists():
        return
    of_state, size = features
    network = stored(folder / VALUES, ValueNetwork, size + LEADS)
    state, bias, output, offset = network.state, network.bias, output_of(network), float(network.offset[0])

    def value(game: Record, seat: int, lead: float, numbers: Ints, hidden: Singles) -> float:
        count = of_state(game, seat, numbers)
        numbers[count] = size + lead_feature(lead)
        add_rows(bias, state, numbers, count + 1, hidden, 0)
        return math.tanh(output(hidden) + offset)

    rules(value)
