"""How the levels play Summer Pavilion; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import LevelConfig

WIN_STEEPNESS = 1.59  # 1,000 games of self-play, 2026-11-25: python -m tests.bench.bench_calibration --games 500

LEVEL_CONFIGS = {
    "random": LevelConfig("random"),
    "novice": LevelConfig("preference", temperature=2.2),
    "beginner": LevelConfig("preference", temperature=1.55),
    "learner": LevelConfig("preference", temperature=1.05),
    "casual": LevelConfig("preference", temperature=0.62),
    "greedy": LevelConfig("preference", temperature=0.25),
    "club": LevelConfig("tree", simulations=2),
    "planner": LevelConfig("tree", simulations=6),
    "strategist": LevelConfig("tree", simulations=25),
    "veteran": LevelConfig("tree", simulations=130),
    "expert": LevelConfig("tree", simulations=500),
    "candidate-master": LevelConfig("tree", simulations=2000),
    "master": LevelConfig("tree"),
}

SEARCH_PARAMETERS = {"plies": 0, "preference": 2.0, "value": 1.0}
