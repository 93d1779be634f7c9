"""Weights of trained evaluations.

`python -m research.training` writes them to `weights.json` in a ruleset's `ai` folder.
"""

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
Weights = Mapping[str, Table]  # mostly points; see each ruleset's value_tables.py


@dataclass(frozen=True)
class TrainableEvaluation:
    """The parts of a ruleset's evaluation that training needs."""

    initial_weights: Weights  # before training
    tables: Callable[[Weights], Any]  # look-up tables of `evaluate`
    evaluate: Callable[[Record, int, Any], float]  # compiled: record, seat, tables -> points, while the game goes on


UNTRAINED = TrainableEvaluation({}, lambda _: None, lambda game, seat, _: float(game.score[seat]))
"""For a ruleset whose estimate is the score."""


def load_weights(folder: Path, initial_weights: Weights) -> Weights:
    """Return the weights of a folder, or the initial ones if it has none."""
    file = folder / WEIGHTS
    if not file.exists():
        return initial_weights
    stored = json.loads(file.read_text("utf-8"))["weights"]
    return {name: np.array(stored[name], np.float64) for name in initial_weights}


def interpolate(nodes: npt.NDArray[np.int64], table: Table) -> Table:
    """Interpolate a table linearly: from rows at `nodes` to a row for each moment from 0 to the last node."""
    moments = np.arange(nodes[-1] + 1)
    after = np.searchsorted(nodes, moments)
    before = np.maximum(after - 1, 0)
    part = (moments - nodes[before]) / np.maximum(nodes[after] - nodes[before], 1)
    share = part.reshape(-1, *[1] * (table.ndim - 1))
    return np.ascontiguousarray(table[before] * (1 - share) + table[after] * share)
