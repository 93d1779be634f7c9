"""Train a ruleset's preference network: `python -m research.training.preferences azul --write`.

Needs the extra `learning`. A deep search plays games against itself, and the network learns which actions it visits.
decisions.py stores the games in a folder, so an interrupted run can continue. `--go-on` continues with the stored
network. `--write` stores the result as `preferences.npz` in the ruleset's `ai`. Benchmark matches show whether it plays
better.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from research.training import decisions, networks
from research.training.games import held_out, select
from research.training.networks import Pace
from research.training.preference_examples import MAX_ACTIONS, Examples, examples, features_of
from service.rulesets.code_cache import PREFERENCES
from service.rulesets.networks.network import UNITS, PreferenceNetwork, load_network
from service.rulesets.registry import RULESETS
from workers.warm import warm

BATCH_ROWS = 512
EPOCHS = 16
FROM_RANDOM = Pace(networks.RATE, networks.DECAY)
FURTHER = Pace(1e-3, 1e-2)
WIDTHS = (24, 48, 128, MAX_ACTIONS)  # maximum numbers of actions in a batch


def new_network(counts: tuple[int, int], seed: int) -> PreferenceNetwork:
    """Return a random network."""
    rng = np.random.default_rng(seed)

    def table(*shape: int, scale: float) -> Any:
        return (scale * rng.standard_normal(shape)).astype(np.float32)

    return PreferenceNetwork(
        state=table(counts[0], UNITS, scale=0.1),
        action=table(counts[1], UNITS, scale=0.1),
        bias=np.zeros(UNITS, np.float32),
        last=table(UNITS, scale=(2 / UNITS) ** 0.5),  # He et al. 2015
    )


def loss(network: PreferenceNetwork, batch: Examples) -> Any:
    """Return the Kullback-Leibler divergence of the preferences from the visits, in nats.

    Preferences are computed like in service/rulesets/networks/network.py.
    """
    hidden = (
        networks.rows(network.state, batch.state)[:, None] + networks.rows(network.action, batch.action) + network.bias
    )
    odds = jnp.where(batch.share < 0, -1e9, jax.nn.relu(hidden) @ network.last)
    share = jnp.maximum(batch.share, 0.0)
    saved = jnp.where(share > 0, share * jnp.log(jnp.maximum(share, 1e-9)), 0.0).sum()
    return (saved - (share * jax.nn.log_softmax(odds)).sum()) / len(share)


def batches(data: Examples, rng: np.random.Generator) -> Iterator[Examples]:
    """Yield all examples in random order, batched by similar numbers of actions and padded with empty rows."""
    counts = (data.share >= 0).sum(axis=1)
    parts = list[tuple[Any, int]]()
    for least, most in itertools.pairwise((0, *WIDTHS)):
        rows = rng.permutation(np.nonzero((counts > least) & (counts <= most))[0])
        parts += [(rows[k : k + BATCH_ROWS], most) for k in range(0, len(rows), BATCH_ROWS)]
    for number in rng.permutation(len(parts)):
        rows, most = parts[number]
        yield Examples(*map(_pad, (data.state[rows], data.action[rows, :most], data.share[rows, :most], rows)))


def _pad(part: Any) -> Any:
    """Return the array, padded with rows of -1 to BATCH_ROWS."""
    return np.concatenate([part, np.full((BATCH_ROWS - len(part), *part.shape[1:]), -1, part.dtype)])


def train(
    data: Examples, network: PreferenceNetwork, seed: int, epochs: int, pace: Pace = FROM_RANDOM
) -> tuple[PreferenceNetwork, float]:
    """Return the network of the epoch with the smallest error on held-out games, and this error."""
    rng, kept = np.random.default_rng(seed), held_out(data.games, seed)
    taught, checked, measure = select(data, ~kept), select(data, kept), jax.jit(loss)

    def error(network: PreferenceNetwork) -> float:
        return BATCH_ROWS * float(sum(measure(network, batch) for batch in batches(checked, rng))) / len(checked.games)

    return networks.descend(network, loss, lambda: batches(taught, rng), error, epochs, pace)


def main() -> None:
    """Train a network and print its error."""
    parser = argparse.ArgumentParser(prog="python -m research.training.preferences", description=__doc__)
    parser.add_argument(
        "ruleset", choices=[ruleset.id for ruleset in RULESETS.values() if ruleset.ai.preference_features]
    )
    decisions.add_options(parser, "tree@1000", 500)
    networks.add_options(parser, EPOCHS)
    options = parser.parse_args()
    warm()
    ruleset = RULESETS[options.ruleset]
    data = examples(ruleset, decisions.collect(options))
    counts, path = features_of(ruleset).counts, ruleset.ai_folder / PREFERENCES
    if options.go_on:
        network, pace = load_network(path, PreferenceNetwork, *counts), FURTHER
    else:
        network, pace = new_network(counts, options.seed), FROM_RANDOM
    network, error = train(data, network, options.seed, options.epochs, pace)
    command = f"python -m research.training.preferences {ruleset.id}{decisions.to_command_line(options)}"
    figures = {"positions": len(data.games), "nats_off": round(error, 4)}
    networks.finish(options, network, path, command, figures)


if __name__ == "__main__":
    main()
