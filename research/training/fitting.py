"""From positions and how their games went on to the weights of an evaluation: regularized least squares.

What is fitted is the lead of one seat over another, for every two seats of a position: search asks for nothing else.
How it depends on a weight is asked by a small difference, so an evaluation may use its weights as it likes, as long as
that is nearly linear. A ridge draws all back to the initial weights.

The lead at the end says the truth, but with all the chance of the rest of the game in it. So a second step is fitted to
a mixture: the lead that the first step's weights expect where chance acts next, and those after it, each with a share
of what is left (temporal differences, Sutton 1988). The share, like the ridge, is the one that misses the lead at the
end by least, in games kept apart.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from research.training.selfplay import Seen
from service.rulesets.compiler import jitted
from service.rulesets.kernel import DRAWING
from service.rulesets.networks.learned import TrainableEvaluation, Weights
from service.rulesets.ruleset import Ruleset
from service.rulesets.seats import MAX_SEATS

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

APART = 0.2  # of the games: kept apart, to measure by
RIDGES = tuple(10.0**k for k in np.arange(1.0, 6.0, 0.5))
STEP = 0.02  # of a weight, to see what it changes
SHARES = ((1.0,), (1.0, 0.8, 0.6, 0.4))  # of what is still to come after an act of chance, tried by step
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
    """Two seats of a position each: positions, their rows in Seen, the seats, the first's lead at the end; all (n,)."""

    positions: Any  # structured array
    rows: Ints
    first: Ints
    second: Ints
    leads: Array
    games: Ints  # their numbers


def pairs(ruleset: Ruleset, seen: Seen) -> Pairs:
    """Every two seats of every position."""
    positions = _positions(ruleset, seen)
    found = []
    for a, b in itertools.combinations(range(MAX_SEATS), 2):
        rows = np.nonzero(positions["seats"] > b)[0]
        found.append((rows, np.full(len(rows), a), np.full(len(rows), b)))
    rows, first, second = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Pairs(positions[rows], rows, first, second, _leads(seen.scores, rows, first, second), seen.games[rows])


def _positions(ruleset: Ruleset, seen: Seen) -> Any:
    """As a structured array (n,)."""
    return seen.records.reshape(-1).view(ruleset.rules.dtype)


def _leads(scores: Any, rows: Ints, first: Ints, second: Ints) -> Array:
    return np.asarray(scores[rows, first] - scores[rows, second], np.float64)


class Evaluation:
    """A ruleset's evaluation, with whatever weights, asked of many positions at once."""

    def __init__(self, trainable: TrainableEvaluation) -> None:
        self._learnable = trainable
        evaluate = trainable.evaluate

        def each(positions: Any, seats: Any, tables: Any, out: Any) -> None:
            for k in range(len(positions)):
                out[k] = evaluate(positions[k], seats[k], tables)

        self._each = jitted(each)

    def _tables(self, weights: Array) -> Any:
        return self._learnable.tables(shaped(self._learnable.initial_weights, weights))

    def _points(self, positions: Any, seats: Ints, tables: Any) -> Array:
        """What each seat expects in its position."""
        out = np.empty(len(positions))
        self._each(positions, seats, tables, out)
        return out

    def points(self, positions: Any, weights: Array) -> Array:
        """What all seats expect, (n, 4); 0 for seats that are not there."""
        tables = self._tables(weights)
        expected = np.zeros((len(positions), MAX_SEATS))
        for seat in range(MAX_SEATS):
            rows = np.nonzero(positions["seats"] > seat)[0]
            expected[rows, seat] = self._points(positions[rows], np.full(len(rows), seat), tables)
        return expected

    def leads(self, data: Pairs, weights: Array) -> Array:
        """The lead that it expects, of all pairs."""
        tables = self._tables(weights)
        first = self._points(data.positions, data.first, tables)
        return first - self._points(data.positions, data.second, tables)

    def slopes(self, data: Pairs, weights: Array, base: Array) -> npt.NDArray[np.float32]:
        """How the lead changes with each weight, [pair, weight], by a small difference; `base`: by these weights."""
        slopes = np.zeros((len(base), len(weights)), np.float32)
        for k in tqdm(range(len(weights)), unit=" weights"):
            moved = weights.copy()
            moved[k] += STEP
            slopes[:, k] = (self.leads(data, moved) - base) / STEP
        return slopes


def mixed(seen: Seen, drawing: npt.NDArray[np.bool_], expected: Array, share: float) -> Array:
    """What each seat may hope for, (n, 4): where chance acts next, what is expected there, with `share` of the rest.

    drawing: (n,), whether chance acts; expected: (n, 4), points.
    """
    hoped = seen.scores.astype(np.float64)
    if share == 1.0:
        return hoped
    after, game = hoped[-1].copy(), seen.games[-1]
    for row in range(len(hoped) - 1, -1, -1):
        if seen.games[row] != game:
            after, game = hoped[row].copy(), seen.games[row]
        hoped[row] = after
        if drawing[row]:
            after = (1 - share) * expected[row] + share * after
    return hoped


def off(errors: Array) -> float:
    """Root of the mean square."""
    return float(np.sqrt(np.mean(errors**2)))


class Fit(NamedTuple):
    """The weights, how many positions, the ridge and the share that were best, how far the lead is missed."""

    weights: Weights
    positions: int
    ridge: float
    share: float
    off_before: float
    off_after: float


def fit(ruleset: Ruleset, seen: Seen, count: int, seed: int) -> Fit:
    """Steps of Gauss and Newton from the initial weights, over `count` of the positions, drawn at random."""
    initial_weights, evaluation = ruleset.ai.trainable.initial_weights, Evaluation(ruleset.ai.trainable)
    rng = np.random.default_rng(seed)
    kept = np.sort(rng.permutation(len(seen.games))[:count])
    data = pairs(ruleset, Seen(seen.records[kept], seen.scores[kept], seen.games[kept]))
    games = np.unique(data.games)
    apart = np.isin(data.games, rng.choice(games, int(APART * len(games)), replace=False))
    positions, begun = _positions(ruleset, seen), flat(initial_weights)
    missed = off((data.leads - evaluation.leads(data, begun))[apart])
    best = Fit(initial_weights, len(kept), 0.0, 1.0, missed, missed)
    for shares in SHARES:
        weights = flat(best.weights)
        leads, expected = evaluation.leads(data, weights), evaluation.points(positions, weights)
        slopes = evaluation.slopes(data, weights, leads)
        known, moved = slopes[~apart], slopes @ (weights - begun).astype(np.float32)
        square = (known.T @ known).astype(np.float64)
        for share in shares:
            hoped = mixed(seen, positions["status"] == DRAWING, expected, share)[kept]
            aim = _leads(hoped, data.rows, data.first, data.second) - leads + moved
            side = known.T.astype(np.float64) @ aim[~apart]
            for ridge in RIDGES:
                tried = np.round(begun + np.linalg.solve(square + ridge * np.eye(len(begun)), side), DECIMALS)
                missed = off((data.leads - evaluation.leads(data, tried))[apart])
                if missed < best.off_after:
                    best = best._replace(
                        weights=shaped(initial_weights, tried), ridge=ridge, share=share, off_after=missed
                    )
    return best
