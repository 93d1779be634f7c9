"""How each level plays a ruleset, and how strong it was measured to be there: `measured.json` in its `ai`."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, NamedTuple

MEASURED = "measured.json"


@dataclass(frozen=True)
class LevelConfig:
    """How a level plays a ruleset: what makes a good beginner of one game need not of another."""

    kind: Literal["random", "greedy", "preference", "tree"]
    simulations: int | None = None  # a decision and opponent, where it thinks ahead; None: what its time allows
    noise: float = 0.0  # points; the standard deviation of how it misjudges what an action leads to
    temperature: float = 0.0  # at which it draws by a network's preferences or a search's visits; 0: the first of them


class Calibration(NamedTuple):
    """How a return of the search becomes the log-odds of winning: 2 * steepness * artanh(return) + offset.

    Both are fitted to games: `python -m tests.bench.bench_calibration`.
    """

    steepness: float = 1.5
    offset: float = 0.0


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
