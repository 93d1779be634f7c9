"""What an evaluation learned: `weights.json` in a ruleset's `ai`, as `python -m research.training` has left it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from service.rulesets.code_cache import WEIGHTS
from service.rulesets.kernel import Record

Table = npt.NDArray[np.float64]
Weights = Mapping[str, Table]  # points, mostly; each ruleset's value_tables.py says which


@dataclass(frozen=True)
class TrainableEvaluation:
    """A ruleset's evaluation, as it is taught."""

    initial_weights: Weights  # what learning begins with
    tables: Callable[[Weights], Any]  # what is looked up
    evaluate: Callable[[Record, int, Any], float]  # compiled: record, seat, tables -> points, while the game goes on


UNTRAINED = TrainableEvaluation({}, lambda _: None, lambda game, seat, _: float(game.score[seat]))
"""Of a ruleset whose estimate is the score."""


def learned(folder: Path, initial_weights: Weights) -> Weights:
    """The weights of the folder; the initial ones where there are none."""
    file = folder / WEIGHTS
    if not file.exists():
        return initial_weights
    stored = json.loads(file.read_text("utf-8"))["weights"]
    return {name: np.array(stored[name], np.float64) for name in initial_weights}


def between(nodes: npt.NDArray[np.int64], table: Table) -> Table:
    """A table given at some moments, [node, …], interpolated linearly at all from 0 to the last node."""
    moments = np.arange(nodes[-1] + 1)
    after = np.searchsorted(nodes, moments)
    before = np.maximum(after - 1, 0)
    part = (moments - nodes[before]) / np.maximum(nodes[after] - nodes[before], 1)
    share = part.reshape(-1, *[1] * (table.ndim - 1))
    return np.ascontiguousarray(table[before] * (1 - share) + table[after] * share)
