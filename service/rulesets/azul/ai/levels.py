"""How the AI levels play Azul. Their measured strength is in measured.json."""

from __future__ import annotations

from service.rulesets.ai_levels import Calibration, LevelConfig

CALIBRATIONS = {  # python -m tests.bench.bench_calibration azul --seats … --players …, 2026-11-30
    2: Calibration({"greedy": 1.2, "expert": 2.5}, -0.16),  # 400 games of `greedy` and `club` with themselves, and 100
    3: Calibration({"greedy": 1.1, "expert": 1.49}, -0.01),  # 30 and 500
    4: Calibration({"greedy": 1.1, "expert": 1.66}, 0.11),  # as with three seats, and 500
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
