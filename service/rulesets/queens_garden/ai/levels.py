"""How the levels play Queen's Garden; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import LevelConfig

WIN_STEEPNESS = 0.88  # 120 games of self-play, 2026-11-22: python -m tests.bench.bench_calibration --games 60

LEVEL_CONFIGS = {
    "random": LevelConfig("random"),
    "novice": LevelConfig("greedy", noise=11.5),
    "beginner": LevelConfig("greedy", noise=7.3),
    "learner": LevelConfig("greedy", noise=4.3),
    "casual": LevelConfig("greedy", noise=2.3),
    "greedy": LevelConfig("greedy"),
    "club": LevelConfig("tree", simulations=9),
    "planner": LevelConfig("tree", simulations=24),
    "strategist": LevelConfig("tree", simulations=56),
    "veteran": LevelConfig("tree", simulations=150),
    "expert": LevelConfig("tree", simulations=330),
    "candidate-master": LevelConfig("tree", simulations=950),
    "master": LevelConfig("tree"),
}

SEARCH_PARAMETERS = {"plies": 0, "preference": 1.0, "value": 1.0}
