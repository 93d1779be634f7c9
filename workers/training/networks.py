"""What teaching any network takes: gradient descent, and a file that says how it was made.

The descent is AdamW, with a rate that falls to nothing along a cosine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import optax

from service.rulesets.wire import Json

RATE, DECAY = 3e-3, 1e-4
Network = TypeVar("Network", bound=Any)


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
) -> tuple[Network, float]:
    """The network after the epoch at whose end it was least off, and how far.

    loss: of a network and a batch; batches: all there are, anew for each epoch.
    """
    steps = epochs * sum(1 for _ in batches())
    optimizer = optax.adamw(optax.cosine_decay_schedule(RATE, steps), weight_decay=DECAY)

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


def write(path: Path, network: Any, provenance: Json) -> None:
    """The weights as float16, and how they were made."""
    tables = {name: table.astype(np.float16) for name, table in network._asdict().items()}
    np.savez_compressed(path, provenance=json.dumps(provenance), **tables)
