"""What teaching any network takes: gradient descent, and a file that says how it was made.

The descent is AdamW, with a rate that falls to nothing along a cosine.
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
    """Of descent: its rate to begin with, and the decay of the weights."""

    rate: float
    decay: float


def rows(table: Any, numbers: Any) -> Any:
    """The sum of a table's rows with these numbers; -1 is none."""
    padded = jnp.concatenate([table, jnp.zeros((1, table.shape[1]))])
    return padded[numbers].sum(axis=-2)


def descend(
    network: Network,
    loss: Callable[[Network, Any], Any],
    batches: Callable[[], Iterator[Any]],
    off: Callable[[Network], float],
    epochs: int,
    pace: Pace,
) -> tuple[Network, float]:
    """The network after the epoch at whose end it was least off, and how far.

    loss: of a network and a batch; batches: all there are, anew for each epoch.
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
        at_end = off(network)
        print(f"epoch {epoch + 1}: {at_end:.4f} off", flush=True)
        if at_end < least:
            best, least = network, at_end
    return type(best)(*(np.asarray(table) for table in best)), least


def add_options(parser: argparse.ArgumentParser, epochs: int) -> None:
    """What may be said of teaching any network."""
    parser.add_argument("--go-on", action="store_true", help="teach the network that is there, not one at random")
    parser.add_argument("--epochs", type=int, default=epochs)
    parser.add_argument("--seed", type=int, default=1, help="of the games; those of a second player have the next")
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--folder", type=Path, default=Path("var/training"), help="of the games")
    parser.add_argument("--write", action="store_true", help="the network into the ruleset's folder")
    parser.add_argument("--out", type=Path, help="write it there instead")


def finish(options: argparse.Namespace, network: Any, path: Path, command: str, figures: Json) -> None:
    """Tell how the network was made, by which command but for `add_options`; if asked for, write it, as float16.

    path: of the network that is there, which is said to be made first where the command goes on from it.
    """
    said = f"{' --go-on' if options.go_on else ''} --epochs {options.epochs} --seed {options.seed} --write"
    provenance = {"generated_by": command + said, "date": dt.datetime.now(dt.UTC).date().isoformat(), **figures}
    if options.go_on:
        with np.load(path) as file:
            provenance["goes_on_from"] = json.loads(str(file["provenance"]))
    print(json.dumps(provenance, indent=2))
    if options.write or options.out:
        tables = {name: table.astype(np.float16) for name, table in network._asdict().items()}
        np.savez_compressed(options.out or path, provenance=json.dumps(provenance), **tables)
