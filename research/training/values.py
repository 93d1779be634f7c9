"""Teach a ruleset's values: `python -m research.training.values azul --write` (with the extra `learning`).

Games are played by what the ruleset's preferences draw (outcomes.py keeps them in a folder, so that it can be gone on
with), and the network learns what return each seat got from the positions on the way. Then, with `--judge`, it learns
what a search of few simulations expects of a position of each of the first of these games (judged.py); with `--player`,
from fewer games of a search (decisions.py), how they ended and what the search expected. With `--go-on` the network
that is there learns these two, and no games without search. With `--write` the result is `values.npz` in the ruleset's
`ai`. Benchmark matches tell whether it plays better.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from research.training import decisions, games, judged, networks, outcomes
from research.training.decisions import Decisions
from research.training.games import apart
from research.training.judged import Judged
from research.training.networks import Pace
from research.training.outcomes import KEPT_OF_A_GAME, Outcomes, asks_anywhere
from service.rulesets.code_cache import VALUES
from service.rulesets.compiler import jitted
from service.rulesets.kernel import DRAWING
from service.rulesets.networks.network import (
    LEADS,
    MAX_FEATURES,
    UNITS,
    ValueFeatures,
    ValueNetwork,
    lead_feature,
    stored,
)
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.rulesets.seats import MAX_SEATS
from workers.search.players import parameters_of
from workers.warm import warm

EXPECTED_SHARE = 0.5  # of what is learned from a searched position; the rest is how the game ended
ROWS_A_STEP = 2048
A_PART = 100_000  # positions whose features are asked at once

FIRST = Pace(networks.RATE, 0.3)
JUDGED = Pace(1e-3, 1.0)  # slower, for what was learned from games without search is good already
JUDGED_EPOCHS = 4
SEARCHED = Pace(5e-4, networks.DECAY)


class Examples(NamedTuple):
    """state: (n, features), numbers of features, -1 where there are fewer; returns, games: (n,). A row for each seat
    of each position.
    """

    state: npt.NDArray[np.int16]
    returns: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]

    def of(self, rows: Any) -> Examples:
        """Some of them."""
        return Examples(self.state[rows], self.returns[rows], self.games[rows])


def features_of(ruleset: Ruleset) -> ValueFeatures:
    """What its network sees (ValueError: it has none)."""
    if ruleset.ai.value_features is None:
        raise ValueError(f"{ruleset.id} has no network of values")
    return ruleset.ai.value_features


def returns_of(ruleset: Ruleset, seen: Outcomes, seats: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """(n, 4): what the search makes of how the games ended, for each seat. seats: (n,), how many there are."""
    parameters, playing = parameters_of(ruleset), np.arange(MAX_SEATS) < seats[:, None]
    scores = np.where(playing, seen.scores, -np.inf)
    others = np.stack([np.delete(scores, seat, axis=1).max(axis=1) for seat in range(MAX_SEATS)], axis=1)
    leads = np.where(playing, scores, 0.0) - others
    mixed = (1.0 - parameters.win) * np.tanh(leads / parameters.scale) + parameters.win * seen.won
    return np.asarray(mixed, np.float32)


def examples(ruleset: Ruleset, seen: Outcomes, expected: npt.NDArray[np.float32] | None = None) -> Examples:
    """What the network learns from. expected: (n, 4), the returns that a search expected, if there was one."""
    records = seen.records.reshape(-1).view(ruleset.rules.dtype)
    returns = returns_of(ruleset, seen, records["seats"].astype(np.int64))
    if expected is not None:
        returns += EXPECTED_SHARE * (expected - returns)
    return _examples(ruleset, records, returns, seen.games)


def examples_of_judged(ruleset: Ruleset, seen: Judged) -> Examples:
    """The same of positions that a search has judged."""
    return _examples(ruleset, seen.records.reshape(-1).view(ruleset.rules.dtype), seen.expected, seen.games)


def _examples(
    ruleset: Ruleset, records: Any, returns: npt.NDArray[np.float32], of_games: npt.NDArray[np.int64]
) -> Examples:
    """A row for each seat of each record; returns: (n, 4)."""
    (of_state, size), estimate = features_of(ruleset), ruleset.rules.function("estimate")

    def extract(records: Any, seats: Any, room: Any, out: Any) -> None:
        for row in range(len(records)):
            game, seat = records[row], seats[row]
            count, other = of_state(game, seat, room), -math.inf
            for k in range(count):
                out[row, k] = room[k]
            for k in range(game.seats):
                if k != seat:
                    other = max(other, estimate(game, k))
            out[row, count] = size + lead_feature(estimate(game, seat) - other)

    compiled, room = jitted(extract), np.zeros(MAX_FEATURES, np.int64)
    rows, seats = np.nonzero(np.arange(MAX_SEATS) < records["seats"][:, None])
    parts = []
    for first in range(0, len(rows), A_PART):
        part = slice(first, first + A_PART)
        state = np.full((len(rows[part]), MAX_FEATURES), -1, np.int16)
        compiled(records[rows[part]], seats[part], room, state)
        parts.append(state[:, : int((state >= 0).sum(axis=1).max())])
    width = max(part.shape[1] for part in parts)
    joined = np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1])), constant_values=-1) for part in parts])
    return Examples(joined, returns[rows, seats], of_games[rows])


def examples_of_search(ruleset: Ruleset, seen: Decisions, seed: int) -> Examples:
    """The same of searched games: of those of their positions that a search asks the value of."""
    if asks_anywhere(ruleset):
        most = KEPT_OF_A_GAME * len(np.unique(seen.games))
        rows = np.sort(np.random.default_rng(seed).permutation(len(seen.games))[:most])
    else:
        rows = np.flatnonzero(seen.asked.reshape(-1).view(ruleset.rules.dtype)["status"] == DRAWING)
    asked = Outcomes(seen.asked[rows], seen.scores[rows], seen.won[rows], seen.games[rows])
    return examples(ruleset, asked, seen.expected[rows])


def begun(count: int, seed: int) -> ValueNetwork:
    """A network at random."""
    rng = np.random.default_rng(seed)
    state, last = 0.1 * rng.standard_normal((count, UNITS)), 0.1 * rng.standard_normal(UNITS)
    second = np.zeros((UNITS + 1, UNITS))
    second[:UNITS] = (2 / UNITS) ** 0.5 * rng.standard_normal((UNITS, UNITS))  # He et al. 2015
    tables = (state, np.zeros(UNITS), last, np.zeros(1), second)
    return ValueNetwork(*(np.asarray(table, np.float32) for table in tables))


def value(network: ValueNetwork, state: Any) -> Any:
    """Of positions, as service/rulesets/networks/network.py computes it."""
    hidden = jax.nn.relu(networks.rows(network.state, state) + network.bias)
    if network.second is not None:
        hidden = jax.nn.relu(hidden @ network.second[:UNITS] + network.second[UNITS])
    return jnp.tanh(hidden @ network.last + network.offset)


def loss(network: ValueNetwork, batch: Examples) -> Any:
    """How far the values are from the returns: mean square."""
    return jnp.mean((value(network, batch.state) - batch.returns) ** 2)


def batches(data: Examples, rng: np.random.Generator) -> Iterator[Examples]:
    """In any order; what is too little for a batch is left out."""
    for rows in np.array_split(rng.permutation(len(data.games)), range(ROWS_A_STEP, len(data.games), ROWS_A_STEP)):
        if len(rows) == ROWS_A_STEP:
            yield data.of(rows)


def train(
    data: Examples, network: ValueNetwork, seed: int, epochs: int, pace: Pace = FIRST
) -> tuple[ValueNetwork, float]:
    """The network of the epoch that was best on games kept apart, and how far it was off there (mean square)."""
    rng, kept = np.random.default_rng(seed), apart(data.games, seed)
    taught, checked, measure = data.of(~kept), data.of(kept), jax.jit(loss)

    def off(network: ValueNetwork) -> float:
        parts = (checked.of(slice(k, k + ROWS_A_STEP)) for k in range(0, len(checked.games), ROWS_A_STEP))
        return float(sum(measure(network, part) * len(part.games) for part in parts)) / len(checked.games)

    return networks.descend(network, loss, lambda: batches(taught, rng), off, epochs, pace)


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m research.training.values", description=__doc__)
    able = [ruleset.id for ruleset in RULESETS.values() if ruleset.ai.value_features]
    parser.add_argument("ruleset", choices=able)
    parser.add_argument("--batches", type=int, default=60, help=f"of {outcomes.A_BATCH:,} games without search")
    parser.add_argument("--judge", metavar="PLAYER", help="whose expectations to learn, as in a match")
    parser.add_argument("--judged", type=int, default=20, help=f"batches of {outcomes.A_BATCH:,} positions for that")
    decisions.add_options(parser, None, 0)
    networks.add_options(parser, 4)
    options = parser.parse_args()
    warm()
    ruleset = RULESETS[options.ruleset]
    count, command = features_of(ruleset).size + LEADS, f"python -m research.training.values {ruleset.id}"
    if options.go_on:
        network, figures = stored(ruleset.ai_folder / VALUES, ValueNetwork, count), dict[str, float]()
    else:
        store = options.folder / f"outcomes {ruleset.id} {options.seed}"
        asked = (ruleset.id, "", options.batches, options.seed, options.jobs, store, 1)
        many = examples(ruleset, games.collect(outcomes.play, Outcomes, *asked))
        network, off = train(many, begun(count, options.seed), options.seed, options.epochs)
        figures = {
            "positions": len(many.games),
            "mean_square_off": round(off, 4),
            "mean_square_of_returns": round(float(np.mean(many.returns**2)), 4),
        }
        command += f" --batches {options.batches}"
    if options.judge:
        store = options.folder / f"judged {ruleset.id} {options.judge} {options.seed}"
        asked = (ruleset.id, options.judge, options.judged, options.seed, options.jobs, store, 1)
        good = examples_of_judged(ruleset, games.collect(judged.play, Judged, *asked))
        network, off = train(good, network, options.seed, JUDGED_EPOCHS, JUDGED)
        figures |= {"judged_positions": len(good.games), "judged_mean_square_off": round(off, 4)}
        command += f" --judge {options.judge} --judged {options.judged}"
    if options.player:
        good = examples_of_search(ruleset, decisions.played(options), options.seed)
        network, off = train(good, network, options.seed, options.epochs, SEARCHED)
        figures |= {"searched_positions": len(good.games), "searched_mean_square_off": round(off, 4)}
        command += decisions.written(options)
    networks.finish(options, network, ruleset.ai_folder / VALUES, command, figures)


if __name__ == "__main__":
    main()
