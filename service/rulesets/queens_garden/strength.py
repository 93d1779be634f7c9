"""How the levels play Queen's Garden; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ruleset import Play

WIN_STEEPNESS = 0.49  # 120 games of self-play, 2026-11-21: python -m tests.bench.bench_calibration --games 60

PLAYS = {
    "random": Play("random"),
    "novice": Play("greedy", noise=5.5),
    "beginner": Play("greedy", noise=3.6),
    "casual": Play("greedy", noise=2.0),
    "greedy": Play("greedy"),
    "club": Play("tree", simulations=25),
    "planner": Play("tree", simulations=150),
    "strategist": Play("tree", simulations=500),
    "expert": Play("tree", simulations=2500),
    "master": Play("tree"),
}

SEARCH_STYLE = {"few": 3}
