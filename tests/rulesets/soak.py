"""Play random games and check every position: `python -m tests.rulesets.soak summer-pavilion --actions 1000000`.

Plays all variants, numbers of seats and ways to choose. Checks the record after every action and draw with the
ruleset's `tests/rulesets/<ruleset>/invariants.py`. At some steps (`--every`) also converts the position to JSON and
back, compares the bytes after the step with those after its effects, and compares the step with the ruleset's referee,
see tests.rulesets.refereeing.

Prints progress, figures and the seed. Exits with 1 on a fault, which is printed with everything needed to repeat it.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Record, RngState, generator, new_record
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import InconsistentStateError, Position, Ruleset
from tests.rulesets import refereeing
from workers.warm import warm

SOAKED = [name for name, ruleset in RULESETS.items() if refereeing.has_referee(ruleset)]
Faults = Callable[[Record], list[str]]
Task = tuple[str, str, int, int, int]  # ruleset, seed, number of the first game, actions, steps between close checks
CHUNK = 20_000  # actions per task
EVERY = 100  # steps between close checks
MAX_STEPS = 20_000  # per game
FEW = 4
WAYS = ("any", "low", "high", "good")  # the choice among a few random actions


@dataclass
class Figures:
    """Numbers of games and steps, and the faults."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        """Add the figures of another task."""
        longest = max(self.counts["longest game"], other.counts["longest game"])
        self.counts.update(other.counts)
        self.counts["longest game"] = longest
        self.faults += other.faults


def faults_by(ruleset: Ruleset) -> Faults:
    """Return the ruleset's invariants."""
    module = importlib.import_module(f"tests.rulesets.{ruleset.folder.name}.invariants")
    return module.faults_of_record  # type: ignore[no-any-return]


def choose(ruleset: Ruleset, table_state: Record, rng: RngState, way: str) -> int:
    """Return a legal action: any, or of a few random ones the lowest, the highest or the one with the best estimate."""
    rules = ruleset.rules
    actions = [int(rules.random_action(table_state, rng)) for _ in range(1 if way == "any" else FEW)]
    if way == "good":
        return max(actions, key=lambda action: worth(ruleset, table_state, action))
    return max(actions) if way == "high" else min(actions)


def worth(ruleset: Ruleset, table_state: Record, action: int) -> float:
    """Return the estimate for the deciding seat after an action."""
    after = new_record(ruleset.rules.dtype, table_state.tobytes())
    ruleset.rules.apply(after, action)
    return float(ruleset.rules.estimate(after, int(table_state["seat"])))


def step(ruleset: Ruleset, table_state: Record, rng: RngState, way: str, *, closely: bool) -> Iterator[str]:
    """Apply an action or draw in place, and yield its faults. `closely`: also check effects and ask the referee."""
    rules, before = ruleset.rules, ruleset.from_bytes(table_state.tobytes()) if closely else None
    if table_state["status"] == DECIDING:
        action = choose(ruleset, table_state, rng, way)
        if reason := rules.check(table_state, action):
            yield f"the random action {action} is refused: {ruleset.reasons[reason]}"
            return
        rules.apply(table_state, action)
        if before:
            yield from differences(table_state, before.step(action)[1])
            yield from refereeing.of_action(before, action)
    else:
        out = np.empty(ruleset.max_drawn, np.int64)
        drawn = out[: rules.sample(table_state, rng, out)]
        if rules.check_draw(table_state, drawn):
            yield f"the sampled draw {drawn.tolist()} is refused"
            return
        rules.resolve_draw(table_state, drawn)
        if before:
            yield from differences(table_state, before.step_draw(drawn.tolist())[1])
            yield from refereeing.of_draw(before, drawn.tolist())


def differences(table_state: Record, by_effects: Position) -> Iterator[str]:
    """Yield a fault if the effects lead to another position."""
    if by_effects.to_bytes() != table_state.tobytes():
        yield "the effects leave another position"


def read_back(ruleset: Ruleset, table_state: Record) -> Iterator[str]:
    """Yield the faults of the position as JSON."""
    try:
        again = ruleset.wire.from_json(ruleset.wire.to_json(table_state))
    except InconsistentStateError as error:
        yield f"its view is not read: {error}"
        return
    if again.tobytes() != table_state.tobytes():
        yield "its view is read as another position"


def tables(ruleset: Ruleset) -> list[tuple[str, str, int]]:
    """Return the kinds of games, which are played in turn: way to choose, side, number of seats."""
    return list(itertools.product(WAYS, ruleset.variants, ruleset.seat_counts))


def game(ruleset: Ruleset, seed: str, number: int, figures: Figures, every: int = EVERY) -> None:
    """Play one game to its end or its first fault."""
    faults_of, kinds = faults_by(ruleset), tables(ruleset)
    way, variant, seats = kinds[number % len(kinds)]
    rng = generator(sha256(f"{seed}.{number}".encode()).digest())
    table_state = ruleset.start(variant, seats, None).table_state()
    figures.counts["games"] += 1
    for taken in range(MAX_STEPS):
        if table_state["status"] == OVER:
            figures.counts["longest game"] = max(figures.counts["longest game"], taken)
            return
        closely = taken % every == number % every
        figures.counts["draws" if table_state["status"] == DRAWING else "actions"] += 1
        matches = [*step(ruleset, table_state, rng, way, closely=closely), *faults_of(table_state)]
        if closely or table_state["status"] == OVER:
            figures.counts["checked closely"] += 1
            matches += read_back(ruleset, table_state)
        if matches:
            figures.faults.append(
                f"seed {seed} game {number} ({way}, {variant}, {seats} seats) step {taken}: {matches}"
            )
            return
    figures.faults.append(f"seed {seed} game {number} ({way}, {variant}, {seats} seats): no end")


def chunk(task: Task) -> Figures:
    """Play games until enough actions are played or a fault is found. Runs in a separate process."""
    name, seed, first, actions, every = task
    ruleset, figures = RULESETS[name], Figures()
    for number in itertools.count(first):
        if figures.counts["actions"] >= actions or figures.faults:
            return figures
        game(ruleset, seed, number, figures, every)
    raise AssertionError("endless")


def soak(name: str, actions: int, seed: str, processes: int, every: int = EVERY) -> Figures:
    """Play all games in several processes, and print the progress."""
    sizes = [min(CHUNK, actions - begun) for begun in range(0, actions, CHUNK)]
    tasks = [(name, seed, number * CHUNK, size, every) for number, size in enumerate(sizes)]
    figures, began = Figures(), time.monotonic()
    for done, part in enumerate(results(tasks, processes), start=1):
        figures.add(part)
        seconds = time.monotonic() - began
        print(f"{figures.counts['actions']:>10,} actions, {seconds:.0f} s, {done} of {len(tasks)} tasks", flush=True)
        if figures.faults:
            break
    return figures


def results(tasks: list[Task], processes: int) -> Iterator[Figures]:
    """Yield the figures of each task when it is done. One process means this process."""
    if processes == 1:
        yield from map(chunk, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(chunk, tasks)


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 without faults, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.rulesets.soak", description=__doc__)
    parser.add_argument("rulesets", nargs="*", choices=[*SOAKED, []], help="default: all with a referee")
    parser.add_argument("--actions", type=int, default=100_000, help="per ruleset")
    parser.add_argument("--every", type=int, default=EVERY, help="steps between close checks")
    parser.add_argument("--seed", default=None, help="any text; drawn if not given")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    warm()
    seed = os.urandom(4).hex() if options.seed is None else options.seed
    faults = [fault for ruleset in options.rulesets or SOAKED for fault in _soak_and_print(ruleset, seed, options)]
    return 1 if faults else 0


def _soak_and_print(ruleset: str, seed: str, options: argparse.Namespace) -> list[str]:
    """Soak one ruleset, print the figures, and return the faults."""
    print(f"{ruleset}, seed {seed}, {options.processes} processes")
    began = time.monotonic()
    figures = soak(ruleset, options.actions, seed, options.processes, options.every)
    counts = ", ".join(f"{number:,} {name}" for name, number in sorted(figures.counts.items()))
    print(f"{counts}; {time.monotonic() - began:.1f} s; {len(figures.faults)} faults")
    for fault in figures.faults:
        print(fault)
    return figures.faults


if __name__ == "__main__":
    sys.exit(main())
