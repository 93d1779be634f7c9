"""How the AI levels play Azul. Their measured strength is in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import Calibration, LevelConfig

CALIBRATIONS = {  # python -m tests.bench.bench_calibration azul --seats … --players …, 2026-11-30
    # 400 games of weak levels with themselves, and 100 of strong play
    2: {"greedy": Calibration(1.2, -0.16), "expert": Calibration(2.5, -0.16)},
    # 100 and 700
    3: {"greedy": Calibration(1.26, -0.14), "expert": Calibration(1.6, 0.06)},
    # 100 and 650
    4: {"greedy": Calibration(1.27, -0.17), "expert": Calibration(1.61, 0.09)},
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
