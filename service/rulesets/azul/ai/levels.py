"""How the levels play Azul; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import LevelConfig

WIN_STEEPNESS = 1.52  # 120 games of self-play, 2026-11-22: python -m tests.bench.bench_calibration --games 60

LEVEL_CONFIGS = {
    "random": LevelConfig("random"),
    "novice": LevelConfig("greedy", noise=9.0),
    "beginner": LevelConfig("greedy", noise=4.5),
    "learner": LevelConfig("greedy", noise=2.3),
    "casual": LevelConfig("greedy", noise=1.1),
    "greedy": LevelConfig("greedy"),
    "club": LevelConfig("tree", simulations=10),
    "planner": LevelConfig("tree", simulations=27),
    "strategist": LevelConfig("tree", simulations=85),
    "veteran": LevelConfig("tree", simulations=330),
    "expert": LevelConfig("tree", simulations=1150),
    "candidate-master": LevelConfig("tree", simulations=4000),
    "master": LevelConfig("tree"),
}

SEARCH_PARAMETERS = {"playout_candidates": 3}
