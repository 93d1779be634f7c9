"""The loop over damaged inputs. Each depends only on the seed and its number, so it can be repeated.

A decoder returns a verdict. It raises `FuzzFaultError` if it has accepted input that it does not understand, or
rejected input without a reason, and anything else if it has failed. The loop runs in a separate process, because a
decoder may hang or end its process. The parent knows the last input.
"""

from __future__ import annotations

import math
import multiprocessing
import random
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from multiprocessing.sharedctypes import Synchronized
from typing import NamedTuple

SLOW_S = 3.0  # processor time for one input
HANGS_S = 600.0  # elapsed time, and the machine may be busy
MAX_FAULTS = 20


class FuzzFaultError(AssertionError):
    """A decoder has accepted input that it does not understand, or rejected input without a reason."""


def require(condition: object, why: str) -> None:
    """Raise FuzzFaultError unless the condition is true."""
    if not condition:
        raise FuzzFaultError(why)


class Verdict(NamedTuple):
    """The part of the decoder that the input belongs to (a ruleset, an operation), and whether it was accepted."""

    part: str
    accepted: bool


Decoder = Callable[[int, random.Random], Verdict]
Opener = Callable[[], AbstractContextManager[Decoder]]


@dataclass
class Figures:
    """Accepted and rejected inputs by part, faults, and times."""

    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0
    slowest: float = 0.0

    def lines(self) -> list[str]:
        """Return a table by part."""
        parts = sorted(self.accepted | self.refused)
        rows = [(part, self.accepted[part], self.refused[part]) for part in parts]
        rows.append(("all", self.accepted.total(), self.refused.total()))
        return [f"  {name:24} {taken + not_taken:>9,} inputs {not_taken:>9,} refused {taken:>9,} accepted"
                for name, taken, not_taken in rows]  # fmt: skip


def try_all(
    name: str,
    decoder: Decoder,
    seed: str,
    numbers: Iterable[int],
    report: Callable[[int], None],
    limit_s: float = math.inf,
) -> Figures:
    """Try inputs for some processor time. `report` is called with the number of each before it is tried."""
    figures, began = Figures(), time.process_time()
    for number in numbers:
        report(number)
        before = time.process_time()
        try:
            part, accepted = decoder(number, random.Random(f"{seed} {name} {number}"))
            (figures.accepted if accepted else figures.refused)[part] += 1
        except Exception:  # noqa: BLE001 - every exception is a fault
            figures.faults.append(f"{name} {number}, seed {seed}:\n{traceback.format_exc(limit=-12)[-3_000:]}")
        took = time.process_time() - before
        figures.slowest = max(figures.slowest, took)
        if took > SLOW_S and number != 0:  # the first input creates the good ones
            figures.faults.append(f"{name} {number}, seed {seed}: {took:.1f} s")
        if len(figures.faults) >= MAX_FAULTS or time.process_time() - began > limit_s:
            break
    figures.seconds = time.process_time() - began
    return figures


def _child(
    name: str, opener: Opener, seed: str, numbers: range, limit_s: float, at: Synchronized[int], pipe: object
) -> None:
    def report(number: int) -> None:
        at.value = number

    with opener() as decoder:
        pipe.send(try_all(name, decoder, seed, numbers, report, limit_s))  # type: ignore[attr-defined]


def try_apart(name: str, opener: Opener, seed: str, numbers: range, limit_s: float = math.inf) -> Figures:
    """Try inputs in a separate process, which may hang or end. `limit_s` limits its processor time."""
    context = multiprocessing.get_context("spawn")
    at = context.Value("q", -1)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(name, opener, seed, numbers, limit_s, at, theirs))
    process.start()
    theirs.close()
    last, since = -2, time.monotonic()
    while process.is_alive() and not ours.poll(0.5):
        if at.value != last:
            last, since = at.value, time.monotonic()
        elif at.value > numbers.start and time.monotonic() - since > HANGS_S:
            process.kill()
            process.join()
            return Figures(faults=[f"{name} {last}, seed {seed}: hangs"])
    try:
        figures: Figures = ours.recv()
    except EOFError:
        process.join()
        return Figures(faults=[f"{name} {at.value}, seed {seed}: ended the process ({process.exitcode})"])
    process.join()
    return figures
