"""Measure environments: `python -m tests.bench.bench_envs [RULESET …]`.

Prints decisions a second on one core with two seats: of `VectorEnv` with 256 games and random actions, including
observations, masks and rewards; of one `GameEnv`; and of the compiled loop of random games in bench_rules, without
observations. The measurements take turns, and their medians are printed.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

from research.envs.aec import GameEnv
from research.envs.vector import VectorEnv
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.bench.bench_rules import games_a_second
from workers.warm import warm

PASSES = 9
SECONDS = 0.5  # per measurement
GAMES = 256


def decisions_a_second(decide: Callable[[], int]) -> float:
    """Return decisions a second of processor time. `decide` returns how many it has made."""
    began, decisions = time.process_time(), 0
    while time.process_time() - began < SECONDS:
        decisions += decide()
    return decisions / (time.process_time() - began)


def of_vector(ruleset: Ruleset) -> Callable[[], float]:
    """Return a measurement of VectorEnv."""
    games = VectorEnv(ruleset.id, ruleset.variants[0], 2, GAMES)
    games.reset(1)

    def decide() -> int:
        games.step(games.draw_actions())
        return GAMES

    return lambda: decisions_a_second(decide)


def of_one(ruleset: Ruleset) -> Callable[[], float]:
    """Return a measurement of GameEnv."""
    game = GameEnv(ruleset.id, ruleset.variants[0], 2)
    game.reset(1)

    def decide() -> int:
        observation = game.last()[0]
        if game.terminations[game.agent_selection]:
            game.reset()
        else:
            game.step(int(game.action_space(game.agent_selection).sample(observation["action_mask"])))
        return 1

    return lambda: decisions_a_second(decide)


def main() -> None:
    """Print the figures."""
    warm()
    for name in sys.argv[1:] or RULESETS:
        ruleset = RULESETS[name]
        loop, vector, one = games_a_second(ruleset, 0), of_vector(ruleset), of_one(ruleset)
        rows = [(loop(seconds=SECONDS)[1], vector(), one()) for _ in range(PASSES)]
        random, many, single = (statistics.median(column) for column in zip(*rows, strict=True))
        share = statistics.median(row[1] / row[0] for row in rows)
        print(
            f"{name}: {many:,.0f} decisions a second by VectorEnv, {share:.2f} of the {random:,.0f} of random games;"
            f" {single:,.0f} by GameEnv, a {many / single:,.0f}th"
        )


if __name__ == "__main__":
    main()
