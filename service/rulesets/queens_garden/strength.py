"""What the levels were measured to win at Queen's Garden, two seats. The command of each row repeats it."""

from __future__ import annotations

from service.rulesets.ruleset import strengths

STRENGTH = strengths(
    "queens-garden",
    (
        ("standard", "greedy", "random", 1.0, 0.981, 1.0, 100, "2026-11-21"),
        ("reverse", "greedy", "random", 1.0, 0.981, 1.0, 100, "2026-11-21"),
        ("standard", "planner", "greedy", 0.838, 0.742, 0.903, 40, "2026-11-21"),
        ("reverse", "planner", "greedy", 0.888, 0.8, 0.94, 40, "2026-11-21"),
    ),
)

WIN_STEEPNESS = 0.49  # 120 games of self-play, 2026-11-21: python -m tests.bench.bench_calibration --games 60
