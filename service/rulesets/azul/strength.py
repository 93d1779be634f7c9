"""How the levels play Azul; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ruleset import Play

WIN_STEEPNESS = 1.75  # 120 games of self-play, 2026-11-21: python -m tests.bench.bench_calibration --games 60

PLAYS = {
    "random": Play("random"),
    "novice": Play("greedy", noise=10.0),
    "beginner": Play("greedy", noise=4.5),
    "casual": Play("greedy", noise=1.9),
    "greedy": Play("greedy"),
    "club": Play("tree", simulations=18),
    "planner": Play("tree", simulations=90),
    "strategist": Play("tree", simulations=250),
    "expert": Play("tree", simulations=800),
    "master": Play("tree"),
}

SEARCH_STYLE = {"few": 3}
