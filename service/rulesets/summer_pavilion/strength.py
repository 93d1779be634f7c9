"""What the levels were measured to win at Summer Pavilion, two seats. The command of each row repeats it."""

from __future__ import annotations

from service.rulesets.ruleset import strengths

STRENGTH = strengths(
    "summer-pavilion",
    (
        ("coloured", "greedy", "random", 1.0, 0.963, 1.0, 50, "2026-11-21"),
        ("grey", "greedy", "random", 1.0, 0.963, 1.0, 50, "2026-11-21"),
        ("coloured", "planner", "greedy", 0.875, 0.739, 0.945, 20, "2026-11-21"),
        ("grey", "planner", "greedy", 0.862, 0.724, 0.938, 20, "2026-11-21"),
    ),
)

WIN_STEEPNESS = 1.28  # 120 games of self-play, 2026-11-21: python -m tests.bench.bench_calibration --games 60
