"""Decoders with faults that the loop must find, in a module of their own so that their processes start quickly."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from tests.fuzz.fuzzing import Decoder, Verdict, require


def bad(number: int, _: random.Random) -> Verdict:
    """Fail at the third input and succeed at the fourth."""
    require(number != 2, "it is two")
    if number == 3:
        raise IndexError(number)
    return Verdict("even" if number % 2 == 0 else "odd", accepted=number > 3)


@contextmanager
def failing() -> Iterator[Decoder]:
    yield bad


@contextmanager
def ending() -> Iterator[Decoder]:
    """Yield a decoder that ends its process at the third input."""
    yield partial(_at_the_third, lambda: os._exit(7))


@contextmanager
def hanging() -> Iterator[Decoder]:
    """Yield a decoder that hangs at the third input."""
    yield partial(_at_the_third, threading.Event().wait)


def _at_the_third(harm: Callable[[], object], number: int, _: random.Random) -> Verdict:
    if number == 2:
        harm()
    return Verdict("all", accepted=True)
