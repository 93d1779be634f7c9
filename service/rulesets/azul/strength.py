"""How the levels play Azul; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ruleset import Play

WIN_STEEPNESS = 1.75  # 120 games of self-play, 2026-11-21: python -m tests.bench.bench_calibration --games 60

PLAYS = {
    "random": Play("random"),
    "novice": Play("greedy", noise=6.5),
    "beginner": Play("greedy", noise=2.9),
    "casual": Play("greedy", noise=1.1),
    "greedy": Play("greedy"),
    "club": Play("tree", simulations=14),
    "planner": Play("tree", simulations=50),
    "strategist": Play("tree", simulations=220),
    "expert": Play("tree", simulations=900),
    "master": Play("tree"),
}

SEARCH_STYLE = {"few": 3}
