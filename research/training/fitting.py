"""Fitting an evaluation's weights to positions and results, by regularized least squares.

The fit predicts the lead of one seat over another, for each pair of seats in a position, because the search uses only
leads. Derivatives by the weights are numerical, so an evaluation can use its weights in any nearly linear way. A ridge
penalty keeps the weights near the initial ones.

The lead at the end is exact but contains the chance of the whole remaining game. So a second step is fitted to a
mixture of the leads that the first step's weights predict wherever chance acts next, each with a share of the rest
(temporal differences, Sutton 1988). Share and ridge are chosen by the smallest error of the final lead in held-out
games.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from research.training.games import select
from research.training.selfplay import Seen
from service.rulesets.compiler import jit
from service.rulesets.kernel import DRAWING
from service.rulesets.networks.trained_weights import TrainableEvaluation, Weights
from service.rulesets.ruleset import Ruleset
from service.rulesets.seats import MAX_SEATS

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

HELD_OUT = 0.2  # share of the games for measuring errors
RIDGES = tuple(10.0**k for k in np.arange(1.0, 6.0, 0.5))
STEP = 0.02  # change of a weight for its derivative
SHARES = ((1.0,), (1.0, 0.8, 0.6, 0.4))  # weights of later predictions, tried in each step
DECIMALS = 3


def flatten(weights: Weights) -> Array:
    """Return all weights as one array."""
    return np.concatenate([np.ravel(table) for table in weights.values()])


def unflatten(like: Weights, numbers: Array) -> Weights:
    """Return the array as weights with the shapes of `like`."""
    ends = np.cumsum([table.size for table in like.values()])
    parts = np.split(numbers, ends[:-1])
    return {name: part.reshape(table.shape) for (name, table), part in zip(like.items(), parts, strict=True)}


class Pairs(NamedTuple):
    """Pairs of seats: positions, their rows in Seen, both seats, the first seat's lead at the end; all (n,)."""

    positions: Any  # structured array
    rows: Ints
    first: Ints
    second: Ints
    leads: Array
    games: Ints  # numbers of the games


def pairs(ruleset: Ruleset, seen: Seen) -> Pairs:
    """Return all pairs of seats in all positions."""
    positions = _positions(ruleset, seen)
    found = []
    for a, b in itertools.combinations(range(MAX_SEATS), 2):
        rows = np.nonzero(positions["seats"] > b)[0]
        found.append((rows, np.full(len(rows), a), np.full(len(rows), b)))
    rows, first, second = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Pairs(positions[rows], rows, first, second, _lead_at_end(seen.scores, rows, first, second), seen.games[rows])


def _positions(ruleset: Ruleset, seen: Seen) -> Any:
    """Return the records as a structured array (n,)."""
    return seen.records.reshape(-1).view(ruleset.rules.dtype)


def _lead_at_end(scores: Any, rows: Ints, first: Ints, second: Ints) -> Array:
    return np.asarray(scores[rows, first] - scores[rows, second], np.float64)


class Evaluation:
    """A ruleset's evaluation of many positions, with any weights."""

    def __init__(self, trainable: TrainableEvaluation) -> None:
        self._learnable = trainable
        evaluate = trainable.evaluate

        def evaluate_all(positions: Any, seats: Any, tables: Any, out: Any) -> None:
            for k in range(len(positions)):
                out[k] = evaluate(positions[k], seats[k], tables)

        self._evaluate_all = jit(evaluate_all)

    def _tables(self, weights: Array) -> Any:
        return self._learnable.tables(unflatten(self._learnable.initial_weights, weights))

    def _points(self, positions: Any, seats: Ints, tables: Any) -> Array:
        """Return the expected points of each seat in its position."""
        out = np.empty(len(positions))
        self._evaluate_all(positions, seats, tables, out)
        return out

    def points(self, positions: Any, weights: Array) -> Array:
        """Return the expected points of all seats, (n, 4), 0 for unused seats."""
        tables = self._tables(weights)
        expected = np.zeros((len(positions), MAX_SEATS))
        for seat in range(MAX_SEATS):
            rows = np.nonzero(positions["seats"] > seat)[0]
            expected[rows, seat] = self._points(positions[rows], np.full(len(rows), seat), tables)
        return expected

    def predict_leads(self, data: Pairs, weights: Array) -> Array:
        """Return the predicted leads of all pairs."""
        tables = self._tables(weights)
        first = self._points(data.positions, data.first, tables)
        return first - self._points(data.positions, data.second, tables)

    def slopes(self, data: Pairs, weights: Array, base: Array) -> npt.NDArray[np.float32]:
        """Return the derivative of each lead by each weight, [pair, weight]. `base`: leads with these weights."""
        slopes = np.zeros((len(base), len(weights)), np.float32)
        for k in tqdm(range(len(weights)), unit=" weights"):
            moved = weights.copy()
            moved[k] += STEP
            slopes[:, k] = (self.predict_leads(data, moved) - base) / STEP
        return slopes


def blend_targets(seen: Seen, drawing: npt.NDArray[np.bool_], expected: Array, share: float) -> Array:
    """Return the targets of each seat, (n, 4): the prediction where chance acts next, with `share` of later ones.

    drawing: whether chance acts, (n,); expected: predicted points, (n, 4).
    """
    targets = seen.scores.astype(np.float64)
    if share == 1.0:
        return targets
    after, game = targets[-1].copy(), seen.games[-1]
    for row in range(len(targets) - 1, -1, -1):
        if seen.games[row] != game:
            after, game = targets[row].copy(), seen.games[row]
        targets[row] = after
        if drawing[row]:
            after = (1 - share) * expected[row] + share * after
    return targets


def root_mean_square(errors: Array) -> float:
    """Return the root mean square."""
    return float(np.sqrt(np.mean(errors**2)))


class Fit(NamedTuple):
    """Weights, number of positions, best ridge and share, and errors of the lead before and after."""

    weights: Weights
    positions: int
    ridge: float
    share: float
    off_before: float
    off_after: float


def fit(ruleset: Ruleset, seen: Seen, count: int, seed: int) -> Fit:
    """Fit the weights in Gauss-Newton steps from the initial ones, on `count` random positions."""
    initial_weights, evaluation = ruleset.ai.trainable.initial_weights, Evaluation(ruleset.ai.trainable)
    rng = np.random.default_rng(seed)
    kept = np.sort(rng.permutation(len(seen.games))[:count])
    data = pairs(ruleset, select(seen, kept))
    games = np.unique(data.games)
    held_out = np.isin(data.games, rng.choice(games, int(HELD_OUT * len(games)), replace=False))
    positions, initial = _positions(ruleset, seen), flatten(initial_weights)
    error = root_mean_square((data.leads - evaluation.predict_leads(data, initial))[held_out])
    best = Fit(initial_weights, len(kept), 0.0, 1.0, error, error)
    for shares in SHARES:
        weights = flatten(best.weights)
        leads, expected = evaluation.predict_leads(data, weights), evaluation.points(positions, weights)
        slopes = evaluation.slopes(data, weights, leads)
        fitted, moved = slopes[~held_out], slopes @ (weights - initial).astype(np.float32)
        square = (fitted.T @ fitted).astype(np.float64)
        for share in shares:
            targets = blend_targets(seen, positions["status"] == DRAWING, expected, share)[kept]
            aim = _lead_at_end(targets, data.rows, data.first, data.second) - leads + moved
            side = fitted.T.astype(np.float64) @ aim[~held_out]
            for ridge in RIDGES:
                tried = np.round(initial + np.linalg.solve(square + ridge * np.eye(len(initial)), side), DECIMALS)
                error = root_mean_square((data.leads - evaluation.predict_leads(data, tried))[held_out])
                if error < best.off_after:
                    best = best._replace(
                        weights=unflatten(initial_weights, tried), ridge=ridge, share=share, off_after=error
                    )
    return best
