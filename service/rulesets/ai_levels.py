"""How the AI levels play a ruleset, and their measured strength (`measured.json` in the ruleset's `ai` folder)."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, NamedTuple

MEASURED = "measured.json"


@dataclass(frozen=True)
class LevelConfig:
    """How a level plays a ruleset."""

    kind: Literal["random", "greedy", "preference", "tree"]
    simulations: int | None = None  # per decision and opponent, for searching levels; None: limited by time only
    noise: float = 0.0  # standard deviation of evaluation errors, in points
    temperature: float = 0.0  # for sampling by network preferences or search visits; 0: always the best


class Calibration(NamedTuple):
    """Converts a search return to log-odds of winning: 2 * steepness * artanh(return) + offset.

    Both are fitted to games with `python -m tests.bench.bench_calibration`. Weak players waste advantages, so they
    depend on the level of the players.
    """

    steepness: float = 1.5
    offset: float = 0.0


@dataclass(frozen=True)
class Strength:
    """Measured share of games that a level won against another level on all other seats.

    Ties count in part; equal strength wins 1 / seats. Elo is relative to `random` (0). It requires two seats and
    measurements of every step down to `random`.
    """

    variants: tuple[str, ...]  # played in turn
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


def load_strength(folder: Path) -> tuple[Strength, ...]:
    """Return the measurements written by `python -m research.matches.ladder --write`; empty if the file is missing."""
    file = folder / MEASURED
    rows = json.loads(file.read_text("utf-8"))["strength"] if file.exists() else []
    names = [field.name for field in fields(Strength) if field.name != "variants"]
    return tuple(Strength(tuple(row["variants"]), **{name: row[name] for name in names}) for row in rows)
