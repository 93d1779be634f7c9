"""How strong levels are at a ruleset: `measured.json` in its `ai`, as `python -m workers.arena.ladder` has left it."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path

MEASURED = "measured.json"


@dataclass(frozen=True)
class Strength:
    """What a level was measured to win against another, which sat on all other seats; a tie is shared.

    Equal play wins 1 / seats. Elo is told for two seats, where every step down to `random`, which has 0, was measured.
    """

    variants: tuple[str, ...]  # by turns
    seats: int
    level: str
    against: str
    wins: float  # share of the games
    low: float  # 95 % interval
    high: float
    games: int
    elo: float | None
    elo_low: float | None  # 95 % interval
    elo_high: float | None
    measured: str  # date
    command: str


def measured(folder: Path) -> tuple[Strength, ...]:
    """The Strengths that `python -m workers.arena.ladder --write` has left in a ruleset's `ai`; none without it."""
    file = folder / MEASURED
    rows = json.loads(file.read_text("utf-8"))["strength"] if file.exists() else []
    names = [field.name for field in fields(Strength) if field.name != "variants"]
    return tuple(Strength(tuple(row["variants"]), **{name: row[name] for name in names}) for row in rows)
