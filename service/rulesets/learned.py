"""What an evaluation learned: `weights.json` in a ruleset's folder, as `python -m workers.training` has left it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import Record

WEIGHTS = "weights.json"

Weights = Mapping[str, npt.NDArray[np.float64]]  # points, mostly; each ruleset's prospects.py tells which


@dataclass(frozen=True)
class Learnable:
    """A ruleset's evaluation, as it is taught."""

    untaught: Weights  # what learning begins with
    tables: Callable[[Weights], Any]  # what is looked up
    judge: Callable[[Record, int, Any], float]  # compiled: record, seat, tables -> points, while the game goes on


def learned(folder: Path, untaught: Weights) -> Weights:
    """The weights of the folder; the untaught ones where there are none."""
    file = folder / WEIGHTS
    if not file.exists():
        return untaught
    told = json.loads(file.read_text("utf-8"))["weights"]
    return {name: np.array(told[name], np.float64) for name in untaught}
