"""Decoders with faults, which the loop must find; apart from all else, so that their processes load nothing else."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from tests.fuzz.fuzzing import Decoder, Verdict, must


def bad(number: int, _: random.Random) -> Verdict:
    """Fails at the third input, and is content with the fourth."""
    must(number != 2, "it is two")
    if number == 3:
        raise IndexError(number)
    return Verdict("even" if number % 2 == 0 else "odd", accepted=number > 3)


@contextmanager
def failing() -> Iterator[Decoder]:
    yield bad


@contextmanager
def ending() -> Iterator[Decoder]:
    """Brings its process down at the third input."""
    yield partial(_at_the_third, lambda: os._exit(7))


@contextmanager
def hanging() -> Iterator[Decoder]:
    """Never comes to an end of the third input."""
    yield partial(_at_the_third, threading.Event().wait)


def _at_the_third(harm: Callable[[], object], number: int, _: random.Random) -> Verdict:
    if number == 2:
        harm()
    return Verdict("all", accepted=True)
