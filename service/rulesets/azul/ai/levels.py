"""How the AI levels play Azul. Their measured strength is in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import Calibration, LevelConfig

CALIBRATIONS = {  # python -m tests.bench.bench_calibration azul --seats …, 2026-11-27
    2: Calibration(2.31, -0.1),  # 1,000 games of self-play
    3: Calibration(1.49, -0.01),  # 500
    4: Calibration(1.66, 0.11),  # 500
}

LEVEL_CONFIGS = {
    "random": LevelConfig("random"),
    "novice": LevelConfig("preference", temperature=5.0),
    "beginner": LevelConfig("preference", temperature=2.7),
    "learner": LevelConfig("preference", temperature=1.75),
    "casual": LevelConfig("preference", temperature=1.19),
    "club": LevelConfig("preference", temperature=0.695),
    "greedy": LevelConfig("preference"),
    "planner": LevelConfig("tree", simulations=6),
    "strategist": LevelConfig("tree", simulations=18),
    "veteran": LevelConfig("tree", simulations=56),
    "expert": LevelConfig("tree", simulations=230),
    "candidate-master": LevelConfig("tree", simulations=1000),
    "master": LevelConfig("tree"),
}

SEARCH_PARAMETERS = {"preference": 1.5, "preference_temperature": 2.2, "playout_preferred": 8, "value": 1.0}
