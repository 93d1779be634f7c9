"""How the AI levels play Summer Pavilion. Their measured strength is in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import Calibration, LevelConfig

CALIBRATIONS = {  # python -m tests.bench.bench_calibration summer-pavilion --seats … --players …, 2026-11-30
    # 220 games of weak levels with themselves, and 2,000 of strong play
    2: {"greedy": Calibration(1.35, -0.16), "expert": Calibration(1.65, -0.16)},
    # 100 and 200
    3: {"greedy": Calibration(1.31, -0.08), "expert": Calibration(1.62, 0.1)},
    # 100 and 150
    4: {"greedy": Calibration(1.2, -0.07), "expert": Calibration(1.46, 0.22)},
}

LEVEL_CONFIGS = {
    "random": LevelConfig("random"),
    "novice": LevelConfig("preference", temperature=2.4),
    "beginner": LevelConfig("preference", temperature=1.88),
    "learner": LevelConfig("preference", temperature=1.44),
    "casual": LevelConfig("preference", temperature=1.07),
    "club": LevelConfig("preference", temperature=0.76),
    "greedy": LevelConfig("preference", temperature=0.48),
    "planner": LevelConfig("tree", simulations=5, temperature=1.0),
    "strategist": LevelConfig("tree", simulations=9, temperature=0.25),
    "veteran": LevelConfig("tree", simulations=16),
    "expert": LevelConfig("tree", simulations=100),
    "candidate-master": LevelConfig("tree", simulations=600),
    "master": LevelConfig("tree"),
}

SEARCH_PARAMETERS = {"plies": 0, "preference": 2.0, "value": 1.0}
