"""`python -m tests.bench.bench_rules`: what the rules cost, each beside a baseline taken in the same run.

Random two-seat games a second on one core: the compiled rules (random_action, apply, sample, deal: what search
uses) beside the plain-object loop of the same rules in tests/bench/plain_azul.py. Then what the checked door costs:
`Position.play`, `legal_actions`, `view`, `read`, `effects`, in microseconds, beside the compiled `apply`.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import njit

from service.rulesets.kernel import DRAWING, OVER, generator, new_record
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from tests.bench.plain_azul import play_random_game

ROUNDS = 7  # compiled and plain alternate, and the median of the ratios is told


def playing(ruleset: Ruleset) -> Callable[..., int]:
    """A compiled loop of random games: (record, rng, buffer, variant, seats, games) -> decisions made."""
    rules = ruleset.rules
    start, random_action, apply = rules.start, rules.random_action, rules.apply
    sample, deal = rules.sample, rules.deal

    @njit(nogil=True)
    def play(game: Any, blank: Any, rng: Any, out: Any, variant: int, seats: int, games: int) -> int:
        decisions = 0
        for _ in range(games):
            game[0] = blank[0]
            record = game[0]
            start(record, variant, seats, -1)
            while record.status != OVER:
                if record.status == DRAWING:
                    deal(record, out[: sample(record, rng, out)])
                else:
                    apply(record, random_action(record, rng))
                    decisions += 1
        return decisions

    return cast("Callable[..., int]", play)


def games_a_second(ruleset: Ruleset, variant: int, seconds: float = 0.7) -> Callable[[], tuple[float, float]]:
    """A measurement: (games, decisions) a second of processor time."""
    play = playing(ruleset)
    game, blank = np.zeros(1, ruleset.rules.dtype), np.zeros(1, ruleset.rules.dtype)
    rng, out = generator(os.urandom(32)), np.empty(ruleset.most_drawn, np.int64)
    play(game, blank, rng, out, variant, 2, 1)

    def measure() -> tuple[float, float]:
        games = decisions = 0
        began = time.process_time()
        while time.process_time() - began < seconds:
            decisions += play(game, blank, rng, out, variant, 2, 500)
            games += 500
        spent = time.process_time() - began
        return games / spent, decisions / spent

    return measure


def plain_games_a_second(variant: str, seconds: float = 0.7) -> float:
    """The plain-object loop, per second of processor time."""
    rng, games, began = random.Random(7), 0, time.process_time()
    while time.process_time() - began < seconds:
        play_random_game(variant, 2, rng)
        games += 1
    return games / (time.process_time() - began)


def middle_positions(ruleset: Ruleset, variant: str, count: int = 300) -> list[Position]:
    """Positions of random games in which a seat decides."""
    rng = generator(b"\1" * 32)
    found: list[Position] = []
    while len(found) < count:
        position = ruleset.start(variant, 2, None)
        while position.status != "over":
            if position.status == "drawing":
                position = position.deal(position.sample(rng))
            else:
                found.append(position)
                position = position.play(position.random_action(rng))
    return found[:count]


def microseconds(positions: list[Position], work: Callable[[Position], Any]) -> float:
    """Processor time of `work` for one position, the best of five passes."""
    best = float("inf")
    for _ in range(5):
        began = time.process_time()
        for position in positions:
            work(position)
        best = min(best, time.process_time() - began)
    return best / len(positions) * 1e6


def main() -> None:
    """Print the figures."""
    for ruleset in RULESETS.values():
        print(f"{ruleset.id}: a record of {ruleset.rules.dtype.itemsize} bytes")
        for number, variant in enumerate(ruleset.variants):
            compiled = games_a_second(ruleset, number)
            rows = [(*compiled(), plain_games_a_second(variant)) for _ in range(ROUNDS)]
            games, decisions, plain = (statistics.median(column) for column in zip(*rows, strict=True))
            ratios = sorted(row[0] / row[2] for row in rows)
            print(
                f"  {variant}: {games:,.0f} random two-seat games a second ({decisions:,.0f} decisions); plain objects"
                f" {plain:,.0f}; ratio {statistics.median(ratios):.0f} (of {ratios[0]:.0f} to {ratios[-1]:.0f})"
            )
        doors(ruleset)


def doors(ruleset: Ruleset) -> None:
    """What the checked door costs, beside an unchecked `apply` to a fresh record."""
    positions = middle_positions(ruleset, ruleset.variants[0])
    actions = {position: position.legal_actions()[0] for position in positions}
    views = {position: ruleset.view(position) for position in positions}
    dtype, apply = ruleset.rules.dtype, ruleset.rules.apply
    work: dict[str, Callable[[Position], Any]] = {
        "apply to a fresh record (baseline)": lambda p: apply(new_record(dtype, p.to_bytes()), actions[p]),
        "Position.play": lambda p: p.play(actions[p]),
        "Position.legal_actions": lambda p: p.legal_actions(),
        "Position.effects": lambda p: p.effects(actions[p]),
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
