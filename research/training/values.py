"""Train a ruleset's value network: `python -m research.training.values azul --write`. Needs the extra `learning`.

The training has up to three stages:

1. The ruleset's preferences play games without search (outcomes.py), and the network learns the return of each seat
   from the positions. `--go-on` replaces this stage by the stored network.
2. With `--judge`, it learns the expectations of a short search in one position of each game (judgements.py).
3. With `--player`, it learns from games of a search (decisions.py): their results and the expectations of the search.

Games are stored in a folder, so an interrupted run can continue. `--write` stores the result as `values.npz` in the
ruleset's `ai`. Benchmark matches show whether it plays better.
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

from research.training import decisions, games, judgements, networks, outcomes
from research.training.decisions import Decisions
from research.training.games import held_out, select
from research.training.judgements import Judgements
from research.training.networks import Pace
from research.training.outcomes import KEPT_OF_A_GAME, Outcomes, has_no_playouts
from service.rulesets.code_cache import VALUES
from service.rulesets.compiler import jit
from service.rulesets.kernel import DRAWING
from service.rulesets.networks.network import (
    LEADS,
    MAX_FEATURES,
    UNITS,
    ValueFeatures,
    ValueNetwork,
    lead_feature,
    load_network,
)
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.rulesets.seats import MAX_SEATS
from workers.search.players import parameters_of
from workers.warm import warm

EXPECTED_SHARE = 0.5  # weight of the search's expectation; the rest is the result of the game
ROWS_A_STEP = 2048
PART_ROWS = 100_000  # rows whose features are computed at a time

FIRST = Pace(networks.RATE, 0.3)
JUDGED = Pace(1e-3, 1.0)  # slower, because the first stage has already learned most
JUDGED_EPOCHS = 4
SEARCHED = Pace(5e-4, networks.DECAY)


class Examples(NamedTuple):
    """Examples, with a row for each seat of each position.

    state: (n, features), numbers of features, padded with -1; returns, games: (n,).
    """

    state: npt.NDArray[np.int16]
    returns: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]


def features_of(ruleset: Ruleset) -> ValueFeatures:
    """Return the features of the ruleset's value network. Raises ValueError if it has none."""
    if ruleset.ai.value_features is None:
        raise ValueError(f"{ruleset.id} has no value network")
    return ruleset.ai.value_features


def returns_of(ruleset: Ruleset, seen: Outcomes, seats: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """Return the search's return of the final results for each seat, (n, 4). seats: number of seats, (n,)."""
    parameters, playing = parameters_of(ruleset), np.arange(MAX_SEATS) < seats[:, None]
    scores = np.where(playing, seen.scores, -np.inf)
    others = np.stack([np.delete(scores, seat, axis=1).max(axis=1) for seat in range(MAX_SEATS)], axis=1)
    leads = np.where(playing, scores, 0.0) - others
    mixed = (1.0 - parameters.win) * np.tanh(leads / parameters.scale) + parameters.win * seen.won
    return np.asarray(mixed, np.float32)


def examples(ruleset: Ruleset, seen: Outcomes, expected: npt.NDArray[np.float32] | None = None) -> Examples:
    """Return training examples. expected: returns that a search expected, (n, 4), if there was one."""
    records = seen.records.reshape(-1).view(ruleset.rules.dtype)
    returns = returns_of(ruleset, seen, records["seats"].astype(np.int64))
    if expected is not None:
        returns += EXPECTED_SHARE * (expected - returns)
    return _examples(ruleset, records, returns, seen.games)


def examples_of_judged(ruleset: Ruleset, seen: Judgements) -> Examples:
    """Return training examples from judged positions."""
    return _examples(ruleset, seen.records.reshape(-1).view(ruleset.rules.dtype), seen.expected, seen.games)


def _examples(
    ruleset: Ruleset, records: Any, returns: npt.NDArray[np.float32], of_games: npt.NDArray[np.int64]
) -> Examples:
    """Return a row for each seat of each record. returns: (n, 4)."""
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

    compiled, room = jit(extract), np.zeros(MAX_FEATURES, np.int64)
    rows, seats = np.nonzero(np.arange(MAX_SEATS) < records["seats"][:, None])
    parts = []
    for first in range(0, len(rows), PART_ROWS):
        part = slice(first, first + PART_ROWS)
        state = np.full((len(rows[part]), MAX_FEATURES), -1, np.int16)
        compiled(records[rows[part]], seats[part], room, state)
        parts.append(state[:, : int((state >= 0).sum(axis=1).max())])
    width = max(part.shape[1] for part in parts)
    joined = np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1])), constant_values=-1) for part in parts])
    return Examples(joined, returns[rows, seats], of_games[rows])


def examples_of_search(ruleset: Ruleset, seen: Decisions, seed: int) -> Examples:
    """Return training examples from searched games, from the positions that a search evaluates."""
    if has_no_playouts(ruleset):
        count = KEPT_OF_A_GAME * len(np.unique(seen.games))
        rows = np.sort(np.random.default_rng(seed).permutation(len(seen.games))[:count])
    else:
        rows = np.flatnonzero(seen.asked.reshape(-1).view(ruleset.rules.dtype)["status"] == DRAWING)
    asked = Outcomes(seen.asked[rows], seen.scores[rows], seen.won[rows], seen.games[rows])
    return examples(ruleset, asked, seen.expected[rows])


def new_network(count: int, seed: int) -> ValueNetwork:
    """Return a random network."""
    rng = np.random.default_rng(seed)
    state, last = 0.1 * rng.standard_normal((count, UNITS)), 0.1 * rng.standard_normal(UNITS)
    second = np.zeros((UNITS + 1, UNITS))
    second[:UNITS] = (2 / UNITS) ** 0.5 * rng.standard_normal((UNITS, UNITS))  # He et al. 2015
    tables = (state, np.zeros(UNITS), last, np.zeros(1), second)
    return ValueNetwork(*(np.asarray(table, np.float32) for table in tables))


def value(network: ValueNetwork, state: Any) -> Any:
    """Return the values of positions, like service/rulesets/networks/network.py."""
    hidden = jax.nn.relu(networks.rows(network.state, state) + network.bias)
    if network.second is not None:
        hidden = jax.nn.relu(hidden @ network.second[:UNITS] + network.second[UNITS])
    return jnp.tanh(hidden @ network.last + network.offset)


def loss(network: ValueNetwork, batch: Examples) -> Any:
    """Return the mean square error of the values."""
    return jnp.mean((value(network, batch.state) - batch.returns) ** 2)


def batches(data: Examples, rng: np.random.Generator) -> Iterator[Examples]:
    """Yield batches in random order. An incomplete batch is left out."""
    for rows in np.array_split(rng.permutation(len(data.games)), range(ROWS_A_STEP, len(data.games), ROWS_A_STEP)):
        if len(rows) == ROWS_A_STEP:
            yield select(data, rows)


def train(
    data: Examples, network: ValueNetwork, seed: int, epochs: int, pace: Pace = FIRST
) -> tuple[ValueNetwork, float]:
    """Return the network of the epoch with the smallest error on held-out games, and this error (mean square)."""
    rng, kept = np.random.default_rng(seed), held_out(data.games, seed)
    taught, checked, measure = select(data, ~kept), select(data, kept), jax.jit(loss)

    def error(network: ValueNetwork) -> float:
        parts = (select(checked, slice(k, k + ROWS_A_STEP)) for k in range(0, len(checked.games), ROWS_A_STEP))
        return float(sum(measure(network, part) * len(part.games) for part in parts)) / len(checked.games)

    return networks.descend(network, loss, lambda: batches(taught, rng), error, epochs, pace)


def main() -> None:
    """Train a network and print its errors."""
    parser = argparse.ArgumentParser(prog="python -m research.training.values", description=__doc__)
    choices = [ruleset.id for ruleset in RULESETS.values() if ruleset.ai.value_features]
    parser.add_argument("ruleset", choices=choices)
    parser.add_argument("--batches", type=int, default=60, help=f"batches of {outcomes.BATCH_GAMES:,} games")
    parser.add_argument("--judge", metavar="PLAYER", help="player whose expectations to learn")
    parser.add_argument("--judged", type=int, default=20, help=f"batches of {outcomes.BATCH_GAMES:,} positions")
    decisions.add_options(parser, None, 0)
    networks.add_options(parser, 4)
    options = parser.parse_args()
    warm()
    ruleset = RULESETS[options.ruleset]
    count, command = features_of(ruleset).size + LEADS, f"python -m research.training.values {ruleset.id}"
    if options.go_on:
        network, figures = load_network(ruleset.ai_folder / VALUES, ValueNetwork, count), dict[str, float]()
    else:
        store = options.folder / f"outcomes {ruleset.id} {options.seed}"
        arguments = (ruleset.id, "", options.batches, options.seed, options.jobs, store, 1)
        many = examples(ruleset, games.collect(outcomes.play, Outcomes, *arguments))
        network, error = train(many, new_network(count, options.seed), options.seed, options.epochs)
        figures = {
            "positions": len(many.games),
            "mean_square_off": round(error, 4),
            "mean_square_of_returns": round(float(np.mean(many.returns**2)), 4),
        }
        command += f" --batches {options.batches}"
    if options.judge:
        store = options.folder / f"judged {ruleset.id} {options.judge} {options.seed}"
        arguments = (ruleset.id, options.judge, options.judged, options.seed, options.jobs, store, 1)
        good = examples_of_judged(ruleset, games.collect(judgements.play, Judgements, *arguments))
        network, error = train(good, network, options.seed, JUDGED_EPOCHS, JUDGED)
        figures |= {"judged_positions": len(good.games), "judged_mean_square_off": round(error, 4)}
        command += f" --judge {options.judge} --judged {options.judged}"
    if options.player:
        good = examples_of_search(ruleset, decisions.collect(options), options.seed)
        network, error = train(good, network, options.seed, options.epochs, SEARCHED)
        figures |= {"searched_positions": len(good.games), "searched_mean_square_off": round(error, 4)}
        command += decisions.to_command_line(options)
    networks.finish(options, network, ruleset.ai_folder / VALUES, command, figures)


if __name__ == "__main__":
    main()
