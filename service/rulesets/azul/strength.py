"""What the levels were measured to win at Azul, two seats. The command of each row repeats the measurement."""

from __future__ import annotations

from service.rulesets.ruleset import strengths

STRENGTH = strengths(
    "azul",
    (
        ("coloured", "greedy", "random", 1.0, 0.981, 1.0, 100, "2026-11-21"),
        ("grey", "greedy", "random", 1.0, 0.981, 1.0, 100, "2026-11-21"),
        ("coloured", "planner", "greedy", 1.0, 0.886, 1.0, 15, "2026-11-21"),
        ("grey", "planner", "greedy", 1.0, 0.886, 1.0, 15, "2026-11-21"),
        ("coloured", "master", "planner", 0.646, 0.447, 0.805, 12, "2026-11-21"),
    ),
)

WIN_STEEPNESS = 1.75  # 120 games of self-play, 2026-11-21: python -m tests.bench.bench_calibration --games 60
