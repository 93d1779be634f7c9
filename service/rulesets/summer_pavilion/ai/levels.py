"""How the levels play Summer Pavilion; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ruleset import Play

WIN_STEEPNESS = 1.29  # 120 games of self-play, 2026-11-22: python -m tests.bench.bench_calibration --games 60

PLAYS = {
    "random": Play("random"),
    "novice": Play("greedy", noise=6.2),
    "beginner": Play("greedy", noise=4.7),
    "learner": Play("greedy", noise=2.8),
    "casual": Play("greedy", noise=1.2),
    "greedy": Play("greedy"),
    "club": Play("tree", simulations=4),
    "planner": Play("tree", simulations=8),
    "strategist": Play("tree", simulations=17),
    "veteran": Play("tree", simulations=34),
    "expert": Play("tree", simulations=85),
    "candidate-master": Play("tree", simulations=600),
    "master": Play("tree"),
}

SEARCH_STYLE = {"plies": 0}
