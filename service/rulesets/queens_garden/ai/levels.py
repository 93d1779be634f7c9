"""How the levels play Queen's Garden; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ruleset import Play

WIN_STEEPNESS = 0.88  # 120 games of self-play, 2026-11-22: python -m tests.bench.bench_calibration --games 60

PLAYS = {
    "random": Play("random"),
    "novice": Play("greedy", noise=11.5),
    "beginner": Play("greedy", noise=7.3),
    "learner": Play("greedy", noise=4.3),
    "casual": Play("greedy", noise=2.3),
    "greedy": Play("greedy"),
    "club": Play("tree", simulations=9),
    "planner": Play("tree", simulations=24),
    "strategist": Play("tree", simulations=56),
    "veteran": Play("tree", simulations=150),
    "expert": Play("tree", simulations=330),
    "candidate-master": Play("tree", simulations=950),
    "master": Play("tree"),
}

SEARCH_STYLE = {"plies": 0}
