"""Small networks for the preferred actions of strong players and the values of positions.

The first layer of a network has a row for each **feature**, a property that a position has or lacks ("the seat has two
red tiles on its third line"). The layer of a position is the sum of the rows of its features (as in NNUE, Nasu 2018).
The output is a weighted sum of its positive numbers.

- The **preference** for an action is in log-odds. The action adds the rows of its own features to the position's sum.
- The **value** of a position for a seat is the expected return (see workers/search/playouts.py), after tanh. A second
  layer may follow the first.

`python -m research.training.preferences` and `python -m research.training.values` write `preferences.npz` and
`values.npz` into a ruleset's `ai` folder. Without these files the search uses no networks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from service.rulesets.code_cache import PREFERENCES, VALUES
from service.rulesets.kernel import Floats, Ints, Record, Rules, as_int, compiled_as, helper

Singles = npt.NDArray[np.float32]

UNITS = 32  # of a hidden layer
HIDDEN = 2 * UNITS  # size of the memory: the layer of a position, and the layer of an action or the second layer
MAX_TABLE_BYTES = 1_000_000  # bytes: Numba puts no larger array into machine code, but its address in this process
MAX_FEATURES = 320  # of a position
NOTE = MAX_FEATURES - 1  # index at which a position's features may leave a number for its actions' features
MAX_ACTION_FEATURES = 16
LEADS = 81  # estimated lead in steps of two points, around 0: the last features of a value network


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
    """Features of a preference network. The functions are helpers; they write feature numbers and return how many.

    Features of actions are computed after those of their position, with the same array.
    """

    of_state: Callable[[Record, Ints], int]  # of a position in which a seat decides
    of_action: Callable[[Record, int, Ints], int]  # of a legal action in it
    counts: tuple[int, int]  # number of features of positions and of actions


class ValueFeatures(NamedTuple):
    """Features of a value network; see PreferenceFeatures."""

    of_state: Callable[[Record, int, Ints], int]  # of a position from a seat's perspective
    size: int  # number of features without LEADS


def load_network(path: Path, kind: type[AnyNetwork], *counts: int) -> AnyNetwork:
    """Return the network of a file. `counts`: rows of its first tables.

    Raises ValueError if the file has other features or a table that is too large.
    """
    with np.load(path) as file:
        tables = {name: np.ascontiguousarray(file[name].astype(np.float32)) for name in kind._fields if name in file}
    network = kind(**tables)
    if tuple(map(len, tables.values()))[: len(counts)] != counts:
        raise ValueError(f"{path} has other features: train the network again")
    if max(table.nbytes for table in tables.values()) > MAX_TABLE_BYTES:
        raise ValueError(f"{path} has a table of more than {MAX_TABLE_BYTES} bytes, which is too large to be compiled")
    return network


@compiled_as(f"{__package__}.network_code:add_rows")
def add_rows(start: Singles, table: Singles, features: Ints, count: int, out: Singles, first: int) -> None:
    """Write the sum of `start` and the rows of `count` features into `out`, from `first` on."""
    total = start[:UNITS].copy()
    for feature in features[:count]:
        total += table[feature]
    out[first : first + UNITS] = total


@compiled_as(f"{__package__}.network_code:layer_output")
def layer_output(hidden: Singles, first: int, last: Singles) -> float:
    """Return the output of the layer that begins at `first`."""
    terms = np.maximum(hidden[first : first + UNITS], np.float32(0)) * last
    while len(terms) > 1:
        terms = terms[: len(terms) // 2] + terms[len(terms) // 2 :]
    return float(terms[0])


@compiled_as(f"{__package__}.network_code:second_layer")
def second_layer(hidden: Singles, second: Singles) -> None:
    """Write the second layer into the second half of `hidden`."""
    total = second[UNITS].copy()
    for unit in range(UNITS):
        total += np.maximum(hidden[unit], np.float32(0)) * second[unit]
    hidden[UNITS:] = total


@helper
def lead_step(lead: float, width: int, steps: int) -> int:
    """Return the step of a lead in points. The steps are `width` points wide, and the middle one begins at 0."""
    return max(0, min(steps - 1, math.floor(lead / width) + steps // 2))


@helper
def score_step(game: Record, seat: int, other: int, width: int, steps: int) -> int:
    """Return the step of the lead of a seat's score over another's."""
    return lead_step(as_int(game.score[seat]) - as_int(game.score[other]), width, steps)


@helper
def lead_feature(lead: float) -> int:
    """Return the feature of an estimated lead, from 0 to LEADS - 1."""
    return lead_step(lead, 2, LEADS)


@helper
def preference_of(hidden: Singles, features: Ints, count: int, network: PreferenceNetwork) -> float:
    """Return the log-odds of an action with these features, given the layer of its position."""
    add_rows(hidden, network.action, features, count, hidden, UNITS)
    return layer_output(hidden, UNITS, network.last)


def output_of(network: ValueNetwork) -> Callable[[Singles], float]:
    """Return a helper that computes the output from the position's layer in the first half of `hidden`."""
    last, second = network.last, network.second
    if second is None:

        @helper
        def of_one_layer(hidden: Singles) -> float:
            return layer_output(hidden, 0, last)

        return of_one_layer

    @helper
    def of_two_layers(hidden: Singles) -> float:
        second_layer(hidden, second)
        return layer_output(hidden, UNITS, last)

    return of_two_layers


def add_preferences(rules: Rules, features: PreferenceFeatures, folder: Path) -> None:
    """Add the rule `preferences` if the folder has a preference network."""
    if not (folder / PREFERENCES).exists():
        return
    network = load_network(folder / PREFERENCES, PreferenceNetwork, *features.counts)
    of_state, of_action = features.of_state, features.of_action

    def preferences(game: Record, actions: Ints, out: Floats, numbers: Ints, hidden: Singles) -> None:
        add_rows(network.bias, network.state, numbers, of_state(game, numbers), hidden, 0)
        for k in range(len(actions)):
            out[k] = preference_of(hidden, numbers, of_action(game, actions[k], numbers), network)

    rules(preferences)


def add_value(rules: Rules, features: ValueFeatures, folder: Path) -> None:
    """Add the rule `value` if the folder has a value network."""
    if not (folder / VALUES).exists():
        return
    of_state, size = features
    network = load_network(folder / VALUES, ValueNetwork, size + LEADS)
    state, bias, output, offset = network.state, network.bias, output_of(network), float(network.offset[0])

    def value(game: Record, seat: int, lead: float, numbers: Ints, hidden: Singles) -> float:
        count = of_state(game, seat, numbers)
        numbers[count] = size + lead_feature(lead)
        add_rows(bias, state, numbers, count + 1, hidden, 0)
        return math.tanh(output(hidden) + offset)

    rules(value)
