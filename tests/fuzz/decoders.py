"""The decoders by name, each as a context in which it can be tried."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from tests.fuzz import positions
from tests.fuzz.bodies import bodies
from tests.fuzz.fuzzing import Decoder, Opener
from tests.fuzz.records import records


@contextmanager
def alone(decoder: Decoder) -> Iterator[Decoder]:
    """A decoder that needs nothing but itself."""
    yield decoder


DECODERS: dict[str, Opener] = {
    "snapshot": partial(alone, positions.snapshot),
    "position": partial(alone, positions.position),
    "action": partial(alone, positions.action),
    "draw": partial(alone, positions.draw),
    "records": records,
    "bodies": bodies,
}
