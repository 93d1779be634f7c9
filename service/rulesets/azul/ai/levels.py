"""How the levels play Azul; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ruleset import Play

WIN_STEEPNESS = 1.52  # 120 games of self-play, 2026-11-22: python -m tests.bench.bench_calibration --games 60

PLAYS = {
    "random": Play("random"),
    "novice": Play("greedy", noise=9.0),
    "beginner": Play("greedy", noise=4.5),
    "learner": Play("greedy", noise=2.3),
    "casual": Play("greedy", noise=1.1),
    "greedy": Play("greedy"),
    "club": Play("tree", simulations=10),
    "planner": Play("tree", simulations=27),
    "strategist": Play("tree", simulations=85),
    "veteran": Play("tree", simulations=330),
    "expert": Play("tree", simulations=1150),
    "candidate-master": Play("tree", simulations=4000),
    "master": Play("tree"),
}

SEARCH_STYLE = {"playout_candidates": 3}
