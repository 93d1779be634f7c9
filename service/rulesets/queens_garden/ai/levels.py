"""How the AI levels play Queen's Garden. Their measured strength is in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import Calibration, LevelConfig

CALIBRATIONS = {  # python -m tests.bench.bench_calibration queens-garden --seats … --players …, 2026-11-30
    2: Calibration({"greedy": 1.05, "expert": 1.53}, -0.1),  # 280 games of `greedy` and `club` with themselves, and 200
    3: Calibration({"greedy": 1.0, "expert": 1.37}, -0.16),  # estimated, and 120
    4: Calibration({"greedy": 1.0, "expert": 1.25}, -0.18),  # as with three seats, and 50
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
