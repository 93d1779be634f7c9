"""How the levels play Queen's Garden; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import Calibration, LevelConfig

CALIBRATIONS = {  # python -m tests.bench.bench_calibration queens-garden --seats …, 2026-11-26
    2: Calibration(1.53),  # 1,000 games of self-play
    3: Calibration(1.37, -0.16),  # 120
    4: Calibration(1.25, -0.18),  # 50
}

LEVEL_CONFIGS = {
    "random": LevelConfig("random"),
    "novice": LevelConfig("preference", temperature=0.9),
    "beginner": LevelConfig("preference", temperature=0.66),
    "learner": LevelConfig("preference", temperature=0.46),
    "casual": LevelConfig("preference", temperature=0.28),
    "greedy": LevelConfig("preference"),
    "club": LevelConfig("tree", simulations=12),
    "planner": LevelConfig("tree", simulations=36),
    "strategist": LevelConfig("tree", simulations=110),
    "veteran": LevelConfig("tree", simulations=300),
    "expert": LevelConfig("tree", simulations=750),
    "candidate-master": LevelConfig("tree", simulations=2200),
    "master": LevelConfig("tree"),
}

SEARCH_PARAMETERS = {"plies": 0, "preference": 1.0, "value": 1.0}
