"""Training of networks: gradient descent, and files with their origin.

The optimizer is AdamW with a cosine decay of the learning rate to 0.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import optax

from service.rulesets.wire import Json
from service.settings import cores

RATE, DECAY = 3e-3, 1e-4
Network = TypeVar("Network", bound=Any)


class Pace(NamedTuple):
    """Initial learning rate and weight decay."""

    rate: float
    decay: float


def rows(table: Any, numbers: Any) -> Any:
    """Return the sum of a table's rows with these numbers. -1 stands for no row."""
    padded = jnp.concatenate([table, jnp.zeros((1, table.shape[1]))])
    return padded[numbers].sum(axis=-2)


def descend(
    network: Network,
    loss: Callable[[Network, Any], Any],
    batches: Callable[[], Iterator[Any]],
    error: Callable[[Network], float],
    epochs: int,
    pace: Pace,
) -> tuple[Network, float]:
    """Return the network of the epoch with the smallest error, and this error.

    loss: function of a network and a batch; batches: returns the batches of an epoch; error: function of a network.
    """
    steps = epochs * sum(1 for _ in batches())
    optimizer = optax.adamw(optax.cosine_decay_schedule(pace.rate, steps), weight_decay=pace.decay)

    @jax.jit
    def step(network: Network, state: Any, batch: Any) -> Any:
        changes, state = optimizer.update(jax.grad(loss)(network, batch), state, network)
        return optax.apply_updates(network, changes), state

    best, least, state = network, np.inf, optimizer.init(network)
    for epoch in range(epochs):
        for batch in batches():
            network, state = step(network, state, batch)
        current = error(network)
        print(f"epoch {epoch + 1}: {current:.4f} off", flush=True)
        if current < least:
            best, least = network, current
    return type(best)(*(np.asarray(table) for table in best)), least


def add_options(parser: argparse.ArgumentParser, epochs: int) -> None:
    """Add the common options of training."""
    parser.add_argument("--go-on", action="store_true", help="continue with the stored network instead of a random one")
    parser.add_argument("--epochs", type=int, default=epochs)
    parser.add_argument("--seed", type=int, default=1, help="seed of the games; a second player has the next seed")
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--folder", type=Path, default=Path("var/training"), help="folder of the games")
    parser.add_argument("--write", action="store_true", help="write the network into the ruleset's folder")
    parser.add_argument("--out", type=Path, help="write the network into this file instead")


def finish(options: argparse.Namespace, network: Any, path: Path, command: str, figures: Json) -> None:
    """Print the network's origin, and write the network as float16 if requested.

    command: without the options of `add_options`; path: file of the stored network, whose origin is included with
    `--go-on`.
    """
    added = f"{' --go-on' if options.go_on else ''} --epochs {options.epochs} --seed {options.seed} --write"
    provenance = {"generated_by": command + added, "date": dt.datetime.now(dt.UTC).date().isoformat(), **figures}
    if options.go_on:
        with np.load(path) as file:
            provenance["goes_on_from"] = json.loads(str(file["provenance"]))
    print(json.dumps(provenance, indent=2))
    if options.write or options.out:
        tables = {name: table.astype(np.float16) for name, table in network._asdict().items()}
        np.savez_compressed(options.out or path, provenance=json.dumps(provenance), **tables)
