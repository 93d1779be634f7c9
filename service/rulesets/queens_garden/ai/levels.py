"""How the AI levels play Queen's Garden. Their measured strength is in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import Calibration, LevelConfig

CALIBRATIONS = {  # python -m tests.bench.bench_calibration queens-garden --seats … --players …, 2026-11-30
    # 280 games of weak levels with themselves, and 200 of strong play
    2: {"greedy": Calibration(1.05, -0.1), "expert": Calibration(1.53, -0.1)},
    # 100 and 320
    3: {"greedy": Calibration(1.01, -0.15), "expert": Calibration(1.33, -0.05)},
    # 100 and 150
    4: {"greedy": Calibration(1.3, -0.01), "expert": Calibration(1.31, 0.09)},
}

LEVEL_CONFIGS = {
    "random": LevelConfig("random"),
    "novice": LevelConfig("preference", temperature=7.2),
    "beginner": LevelConfig("preference", temperature=2.0),
    "learner": LevelConfig("preference", temperature=1.16),
    "casual": LevelConfig("preference", temperature=0.8),
    "club": LevelConfig("preference", temperature=0.515),
    "greedy": LevelConfig("preference", temperature=0.215),
    "planner": LevelConfig("tree", simulations=10),
    "strategist": LevelConfig("tree", simulations=34),
    "veteran": LevelConfig("tree", simulations=130),
    "expert": LevelConfig("tree", simulations=480),
    "candidate-master": LevelConfig("tree", simulations=2000),
    "master": LevelConfig("tree"),
}

SEARCH_PARAMETERS = {"plies": 0, "preference": 1.0, "value": 1.0}
