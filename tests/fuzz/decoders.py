"""The decoders by name, each as a context manager."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from tests.fuzz import positions
from tests.fuzz.bodies import bodies
from tests.fuzz.fuzzing import Decoder, Opener
from tests.fuzz.records import records


@contextmanager
def in_context(decoder: Decoder) -> Iterator[Decoder]:
    """Yield a decoder that needs no resources."""
    yield decoder


DECODERS: dict[str, Opener] = {
    "snapshot": partial(in_context, positions.snapshot),
    "position": partial(in_context, positions.position),
    "action": partial(in_context, positions.action),
    "draw": partial(in_context, positions.draw),
    "records": records,
    "bodies": bodies,
}
