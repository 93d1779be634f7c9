"""How the levels play Azul; what they were measured to win stands in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import Calibration, LevelConfig

CALIBRATIONS = {  # python -m tests.bench.bench_calibration azul --seats …, 2026-11-26
    2: Calibration(2.36),  # 2,000 games of self-play
    3: Calibration(1.55, 0.02),  # 50
    4: Calibration(2.03, 0.35),  # 50
}

LEVEL_CONFIGS = {
    "random": LevelConfig("random"),
    "novice": LevelConfig("preference", temperature=3.5),
    "beginner": LevelConfig("preference", temperature=2.1),
    "learner": LevelConfig("preference", temperature=1.2),
    "casual": LevelConfig("preference", temperature=0.7),
    "greedy": LevelConfig("preference"),
    "club": LevelConfig("tree", simulations=7),
    "planner": LevelConfig("tree", simulations=22),
    "strategist": LevelConfig("tree", simulations=62),
    "veteran": LevelConfig("tree", simulations=220),
    "expert": LevelConfig("tree", simulations=700),
    "candidate-master": LevelConfig("tree", simulations=2800),
    "master": LevelConfig("tree"),
}

SEARCH_PARAMETERS = {"preference": 1.5, "playout_preferred": 8, "value": 1.0}
