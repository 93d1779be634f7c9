"""Measure the rules against baselines of the same run: `python -m tests.bench.bench_rules`.

Prints random games of two seats a second on one core: with the compiled rules that search uses (random_action, apply,
sample, deal), with the same functions uncompiled (AZUL_PLAIN=1, in another process), and with compiled rules that draw
each decision from the list of all legal actions; then the share of each rule in the time. Finally prints the
microseconds of the checked operations `Position.play`, `legal_actions`, `view`, `read` and `effects`, and their ratio
to the compiled `apply`.
"""

from __future__ import annotations

import itertools
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from service.rulesets.code_cache import PLAIN
from service.rulesets.compiler import jit
from service.rulesets.kernel import DRAWING, OVER, generator, new_record, random_below
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from tests.rulesets.playing import random_walk
from workers.warm import warm

ROUNDS = 7  # their median is printed
ONCE, COPY, CHOOSE, APPLY, CHANCE = range(5)  # the part that the loop of random games repeats
LISTED = -1  # instead: draw every decision from the list of all legal actions


def playing(ruleset: Ruleset) -> Callable[..., int]:
    """Return a compiled loop of random games: (rows, rng, buffer, variant, seats, games, again) -> decisions made.

    Row 0 is the game and row 2 is blank. Repeated parts work on row 1, a copy.
    """
    names = ("start", "random_action", "apply", "legal_actions", "sample", "resolve_draw")
    start, random_action, apply, legal_actions, sample, deal = map(ruleset.rules.function, names)

    def play(rows: Any, rng: Any, out: Any, variant: int, seats: int, games: int, again: int) -> int:
        decisions = 0
        for _ in range(games):
            rows[0] = rows[2]
            table_state = rows[0]
            start(table_state, variant, seats, -1)
            while table_state.status != OVER:
                if again > CHOOSE or again == COPY:
                    rows[1] = rows[0]
                if table_state.status == DRAWING:
                    if again == CHANCE:
                        deal(rows[1], out[: sample(rows[1], rng, out)])
                    deal(table_state, out[: sample(table_state, rng, out)])
                else:
                    if again == CHOOSE:
                        random_action(table_state, rng)
                    if again == LISTED:
                        action = out[random_below(rng, legal_actions(table_state, out))]
                    else:
                        action = random_action(table_state, rng)
                    if again == APPLY:
                        apply(rows[1], action)
                    apply(table_state, action)
                    decisions += 1
        return decisions

    return play if os.environ.get(PLAIN) else cast("Callable[..., int]", jit(play))


def games_a_second(ruleset: Ruleset, variant: int) -> Callable[..., tuple[float, float]]:
    """Return a measurement: (repeated part, seconds) -> (games, decisions) a second of processor time."""
    play = playing(ruleset)
    rows, rng = np.zeros(3, ruleset.rules.dtype), generator(os.urandom(32))
    if os.environ.get(PLAIN):
        rows = rows.view(np.recarray)
    out = np.empty(max(ruleset.max_drawn, ruleset.max_actions), np.int64)
    play(rows, rng, out, variant, 2, 1, ONCE)

    def measure(again: int = ONCE, seconds: float = 0.7, games_at_once: int = 50) -> tuple[float, float]:
        games = decisions = 0
        began = time.process_time()
        while time.process_time() - began < seconds:
            decisions += play(rows, rng, out, variant, 2, games_at_once, again)
            games += games_at_once
        spent = time.process_time() - began
        return games / spent, decisions / spent

    return measure


def shares(measure: Callable[..., tuple[float, float]]) -> dict[str, float]:
    """Return the share of each rule in the time of a random game, from games in which the rule is called twice."""
    passes = [[1 / measure(again, 0.15)[0] for again in (ONCE, COPY, CHOOSE, APPLY, CHANCE)] for _ in range(ROUNDS)]
    lasts = [min(column) for column in zip(*passes, strict=True)]
    return {
        "random_action": lasts[CHOOSE] / lasts[ONCE] - 1,
        "apply": (lasts[APPLY] - lasts[COPY]) / lasts[ONCE],
        "sample and deal": (lasts[CHANCE] - lasts[COPY]) / lasts[ONCE],
    }


def uncompiled_games_a_second(ruleset: Ruleset, variant: int) -> float:
    """Return the games a second of the uncompiled loop, measured in another process."""
    measured = f"games_a_second(RULESETS[{ruleset.id!r}], {variant})(games_at_once=1, seconds=5)[0]"
    code = f"from tests.bench.bench_rules import *; print({measured})"
    environment = {**os.environ, PLAIN: "1"}
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=environment, capture_output=True, check=True)
    return float(ran.stdout)


def middle_positions(ruleset: Ruleset, variant: str, count: int = 300) -> list[Position]:
    """Return positions of random games in which a seat decides."""
    rng = generator(b"\1" * 32)
    positions = (position for _ in itertools.count() for position in random_walk(ruleset.start(variant, 2, None), rng))
    return list(itertools.islice((position for position in positions if position.status == "deciding"), count))


def microseconds(positions: list[Position], work: Callable[[Position], Any]) -> float:
    """Return the processor time of `work` per position, the best of five passes."""
    best = float("inf")
    for _ in range(5):
        began = time.process_time()
        for position in positions:
            work(position)
        best = min(best, time.process_time() - began)
    return best / len(positions) * 1e6


def main() -> None:
    """Print the figures."""
    warm()
    for ruleset in RULESETS.values():
        print(f"{ruleset.id}: a record of {ruleset.rules.dtype.itemsize} bytes")
        for number, variant in enumerate(ruleset.variants):
            compiled = games_a_second(ruleset, number)
            rows = [compiled() for _ in range(ROUNDS)]
            games, decisions = (statistics.median(column) for column in zip(*rows, strict=True))
            uncompiled = uncompiled_games_a_second(ruleset, number)
            print(
                f"  {variant}: {games:,.0f} random two-seat games a second ({decisions:,.0f} decisions);"
                f" uncompiled {uncompiled:.2f}; ratio {games / uncompiled:,.0f}"
            )
            listed_games, listed_decisions = compiled(LISTED)
            print(
                f"    out of the list of all legal actions {listed_games:,.0f} games"
                f" ({listed_decisions:,.0f} decisions):"
                f" random_action decides {decisions / listed_decisions:.1f} times as fast"
            )
            print(
                "    of the compiled time " + ", ".join(f"{rule} {part:.0%}" for rule, part in shares(compiled).items())
            )
        checked_operations(ruleset)


def checked_operations(ruleset: Ruleset) -> None:
    """Print the cost of checked operations and their ratio to an unchecked `apply` to a new record."""
    positions = middle_positions(ruleset, ruleset.variants[0])
    actions = {position: position.legal_actions()[0] for position in positions}
    views = {position: ruleset.view(position) for position in positions}
    dtype, apply = ruleset.rules.dtype, ruleset.rules.apply
    work: dict[str, Callable[[Position], Any]] = {
        "apply to a fresh record (baseline)": lambda p: apply(new_record(dtype, p.to_bytes()), actions[p]),
        "Position.play": lambda p: p.play(actions[p]),
        "Position.legal_actions": lambda p: p.legal_actions(),
        "Position.step": lambda p: p.step(actions[p]),
        "view": ruleset.view,
        "read": lambda p: ruleset.read(views[p]),
    }
    base = 0.0
    for name, call in work.items():
        cost = microseconds(positions, call)
        base = base or cost
        print(f"  {name}: {cost:.1f} µs, {cost / base:.1f} x the baseline")


if __name__ == "__main__":
    main()
