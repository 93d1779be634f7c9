"""From positions and how their games ended to the weights of an evaluation: regularized least squares.

What is fitted is the lead of one seat over another, for every two seats of a position: search asks for nothing else.
How it depends on a weight is asked by a small difference, so an evaluation may use its weights as it likes, as long as
that is nearly linear. A ridge draws all back to the untaught weights.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from service.rulesets.kernel import MOST_SEATS
from service.rulesets.learned import Learnable, Weights
from service.rulesets.ruleset import Ruleset
from workers.training.selfplay import Seen

Array = npt.NDArray[np.float64]

APART = 0.2  # of the games: kept apart, to measure by
RIDGES = tuple(10.0**k for k in np.arange(1.0, 6.0, 0.5))
STEP = 0.02  # of a weight
DECIMALS = 3


def flat(weights: Weights) -> Array:
    """All numbers, one after the other."""
    return np.concatenate([np.ravel(table) for table in weights.values()])


def shaped(like: Weights, numbers: Array) -> Weights:
    """And back."""
    ends = np.cumsum([table.size for table in like.values()])
    parts = np.split(numbers, ends[:-1])
    return {name: part.reshape(table.shape) for (name, table), part in zip(like.items(), parts, strict=True)}


class Pairs(NamedTuple):
    """Two seats of a position each: positions, the seats (n,), the lead at the end of the first (n,), the game (n,)."""

    positions: Any  # structured array (n,)
    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    leads: Array
    games: npt.NDArray[np.int64]


def pairs(ruleset: Ruleset, seen: Seen) -> Pairs:
    """Every two seats of every position."""
    positions = seen.records.reshape(-1).view(ruleset.rules.dtype)
    found = []
    for a, b in itertools.combinations(range(MOST_SEATS), 2):
        rows = np.nonzero(positions["seats"] > b)[0]
        found.append((rows, np.full(len(rows), a), np.full(len(rows), b)))
    rows, first, second = (np.concatenate(parts) for parts in zip(*found, strict=True))
    leads = (seen.scores[rows, first] - seen.scores[rows, second]).astype(np.float64)
    return Pairs(positions[rows], first, second, leads, seen.games[rows])


def _expected(judge: Any) -> Callable[[Pairs, Any], Array]:
    """The lead that an evaluation expects, of all pairs."""

    @numba.njit(nogil=True)
    def leads(positions: Any, first: Any, second: Any, tables: Any, out: Any) -> None:
        for k in range(len(positions)):
            out[k] = judge(positions[k], first[k], tables) - judge(positions[k], second[k], tables)

    def expected(data: Pairs, tables: Any) -> Array:
        out = np.empty(len(data.leads))
        leads(data.positions, data.first, data.second, tables, out)
        return out

    return expected


def _slopes(
    learnable: Learnable, expected: Callable[[Pairs, Any], Array], data: Pairs, base: Array
) -> npt.NDArray[np.float32]:
    """How the lead changes with each weight, [pair, weight], by a small difference; `base`: by the untaught ones."""
    begun = flat(learnable.untaught)
    slopes = np.zeros((len(base), len(begun)), np.float32)
    for k in tqdm(range(len(begun)), unit=" weights"):
        moved = begun.copy()
        moved[k] += STEP
        slopes[:, k] = (expected(data, learnable.tables(shaped(learnable.untaught, moved))) - base) / STEP
    return slopes


def off(errors: Array) -> float:
    """Root of the mean square."""
    return float(np.sqrt(np.mean(errors**2)))


class Fit(NamedTuple):
    """The weights, and by how many points the lead at the end was missed in games kept apart."""

    weights: Weights
    ridge: float
    off_before: float
    off_after: float


def fit(ruleset: Ruleset, seen: Seen, seed: int) -> Fit:
    """One step of Gauss and Newton from the untaught weights; the ridge is the best of RIDGES in games kept apart."""
    learnable = ruleset.learnable
    expected, data = _expected(learnable.judge), pairs(ruleset, seen)
    games = np.unique(data.games)
    apart = np.isin(data.games, np.random.default_rng(seed).choice(games, int(APART * len(games)), replace=False))
    begun = flat(learnable.untaught)
    base = expected(data, learnable.tables(learnable.untaught))
    slopes, left = _slopes(learnable, expected, data, base), data.leads - base
    known = slopes[~apart]
    square, side = (known.T @ known).astype(np.float64), known.T.astype(np.float64) @ left[~apart]
    solved = {ridge: np.linalg.solve(square + ridge * np.eye(len(begun)), side) for ridge in RIDGES}
    missed = {ridge: off(left[apart] - slopes[apart] @ change) for ridge, change in solved.items()}
    best = min(missed, key=missed.__getitem__)
    weights = shaped(learnable.untaught, np.round(begun + solved[best], DECIMALS))
    after = data.leads - expected(data, learnable.tables(weights))
    return Fit(weights, best, off(left[apart]), off(after[apart]))
