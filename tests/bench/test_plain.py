"""The bench's baselines play the games that the compiled rules play: else a ratio of their speeds would say nothing."""

from __future__ import annotations

import itertools
import random
import statistics
from pathlib import Path

import numpy as np
import pytest

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.bench.bench_rules import ONCE, plain_game, playing

GAMES = 40
FEWER = 15  # of a ruleset whose plain game is also followed move by move


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_random_games_score_the_same_as_those_of_the_compiled_rules(ruleset: Ruleset) -> None:
    """Mean scores of some games of each, within four standard errors; seeds are fixed."""
    compiled, plain = playing(ruleset), plain_game(ruleset)
    rows, out = np.zeros(3, ruleset.rules.dtype), np.empty(ruleset.most_drawn, np.int64)
    followed = Path(__file__).with_name(f"test_plain_{ruleset.folder.name}.py").exists()
    games = FEWER if followed else GAMES
    rng, state = random.Random(1), generator(b"\1" * 32)
    for (number, variant), seats in itertools.product(enumerate(ruleset.variants), ruleset.seat_counts):
        means: tuple[list[float], list[float]] = ([], [])
        for _ in range(games):
            compiled(rows, state, out, number, seats, 1, ONCE)
            means[0].append(float(rows[0]["score"][:seats].mean()))
            means[1].append(statistics.mean(plain(variant, seats, rng)))
        error = (sum(map(statistics.variance, means)) / games) ** 0.5
        assert abs(statistics.mean(means[0]) - statistics.mean(means[1])) < 4 * error, (variant, seats)
