"""How the levels play Summer Pavilion; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import LevelConfig

WIN_STEEPNESS = 1.29  # 120 games of self-play, 2026-11-22: python -m tests.bench.bench_calibration --games 60

LEVEL_CONFIGS = {
    "random": LevelConfig("random"),
    "novice": LevelConfig("greedy", noise=6.2),
    "beginner": LevelConfig("greedy", noise=4.7),
    "learner": LevelConfig("greedy", noise=2.8),
    "casual": LevelConfig("greedy", noise=1.2),
    "greedy": LevelConfig("greedy"),
    "club": LevelConfig("tree", simulations=4),
    "planner": LevelConfig("tree", simulations=8),
    "strategist": LevelConfig("tree", simulations=17),
    "veteran": LevelConfig("tree", simulations=34),
    "expert": LevelConfig("tree", simulations=85),
    "candidate-master": LevelConfig("tree", simulations=600),
    "master": LevelConfig("tree"),
}

SEARCH_PARAMETERS = {"plies": 0}
