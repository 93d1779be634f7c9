"""How strong is each level? `python -m research.matches.ladder azul`: every level against the one below it.

A step is played until it is known whether the stronger level wins more or less than 65 % and 85 % of the games, or
until the deals run out; with more than two seats, one seat of the level against all others of the one below, until it
is known whether it wins more than its part. What is played is kept in a folder, and not played again.

`--write` puts what the folder holds into the ruleset's `measured.json`, where `GET /v1/levels` finds it; `--plot`
draws the ladders of all rulesets from these files.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson

from research.matches import command
from research.matches.match import Match, Result
from research.matches.results import file_name
from research.matches.running import run
from research.matches.statistics import elo, plot
from research.matches.statistics.elo import Rating
from service.levels import LEVELS
from service.rulesets.ai_levels import MEASURED, Strength, measured
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.rulesets.wire import Json
from workers.search.players import UnreadableParametersError
from workers.warm import warm

WITHIN = (0.65, 0.85)  # share of games that a step of the ladder is to win
STEPS = tuple((stronger, weaker) for weaker, stronger in itertools.pairwise(LEVELS))
DEALS = 400
SEED = 1


@dataclass(frozen=True)
class Step:
    """A level against the one below: what was played, and when."""

    level: str
    against: str
    result: Result
    date: str


def verdict(step: Step) -> str:
    """Whether the step is as wide as it is to be, as far as that is known; with more seats, whether it is one."""
    low, high = step.result.interval
    least, most = WITHIN if step.result.match.seats == 2 else (1 / step.result.match.seats, 1.0)
    if high < least:
        return "TOO SMALL"
    if low > most:
        return "TOO BIG"
    return "as it should be" if least <= low and high <= most else "open"


def rated(steps: Sequence[Step]) -> list[Rating | None]:
    """The rating of each step's level; None where a step below was not measured, or not with two seats."""
    unbroken = [
        step
        for step, (level, _) in zip(steps, STEPS, strict=False)
        if step.level == level and step.result.match.seats == 2 and step.result.deals
    ]
    ratings: list[Rating | None] = [*elo.ladder(step.result.deals for step in unbroken)]
    return ratings + [None] * (len(steps) - len(ratings))


def table(steps: Sequence[Step]) -> str:
    """Lines for a person."""
    lines = [
        f"{'level':12} {'against':12} {'wins':>6} {'interval':>16} {'games':>6} {'Elo':>6} {'interval':>14} budget"
    ]
    for step, rating in zip(steps, rated(steps), strict=True):
        result = step.result
        ranked = ("", "") if rating is None else (f"{rating.elo:.0f}", f"{rating.low:.0f} to {rating.high:.0f}")
        lines.append(
            f"{step.level:12} {step.against:12} {result.wins:6.1%} {result.interval_words:>16} "
            f"{len(result.counted):6} {ranked[0]:>6} {ranked[1]:>14} {LEVELS[step.level].budget_s:.1f} s  "
            f"{verdict(step)}"
        )
    hours = sum(step.result.cpu_s for step in steps) / 3600
    return "\n".join([*lines, f"played in {hours:.2f} core-hours"])


def rows(steps: Sequence[Step], commands: Sequence[str]) -> list[Json]:
    """The rows of `measured.json` for the steps; `commands`: of each."""
    rows_ = []
    for step, rating, line in zip(steps, rated(steps), commands, strict=True):
        match, (low, high) = step.result.match, step.result.interval
        strength = Strength(
            variants=match.variants,
            seats=match.seats,
            level=step.level,
            against=step.against,
            wins=round(step.result.wins, 4),
            low=round(low, 4),
            high=round(high, 4),
            games=len(step.result.counted),
            elo=None if rating is None else round(rating.elo),
            elo_low=None if rating is None else round(rating.low),
            elo_high=None if rating is None else round(rating.high),
            measured=step.date,
            command=line,
        )
        rows_.append({**asdict(strength), "core_seconds": round(step.result.cpu_s, 1)})
    return rows_


def write(folder: Path, rows_: Sequence[Json], line: str) -> None:
    """Put rows into the file of a ruleset's folder, in place of those with as many seats (Unusable)."""
    file = folder / MEASURED
    before = orjson.loads(file.read_bytes())["strength"] if file.exists() else []
    seats = {row["seats"] for row in rows_}
    every = sorted([row for row in before if row["seats"] not in seats] + list(rows_), key=lambda row: row["seats"])
    content = {
        "generated_by": line,
        "date": datetime.now(UTC).date().isoformat(),
        "core_seconds": round(sum(row["core_seconds"] for row in every), 1),
        "strength": every,
    }
    command.written(file, orjson.dumps(content, option=orjson.OPT_INDENT_2).decode() + "\n")


def climb(ruleset: Ruleset, options: argparse.Namespace) -> list[Step]:
    """Play the steps that are asked for; all that the folder holds, in the ladder's order (Unreadable, Unusable)."""
    steps = []
    bounds = WITHIN if options.seats == 2 else (1 / options.seats,)
    for level, against in STEPS:
        match = Match(ruleset.id, ruleset.variants, options.seats, (level, against), options.seed)
        path = options.results / file_name(match)
        chosen = options.steps is None or level in options.steps
        if not chosen and not path.exists():
            continue
        title = None if options.quiet else f"{ruleset.id}: {level}"
        result = run(match, options.deals if chosen else 0, command.players(options), bounds, path, title=title)
        if result.deals:
            date = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
            steps.append(Step(level, against, result, date))
    return steps


def _line(ruleset: Ruleset, options: argparse.Namespace, deals: int, *more: str) -> str:
    """The command that measures what is asked, of one ruleset, with so many deals."""
    words = ["python -m research.matches.ladder", ruleset.id, *more]
    words += [f"--seats {options.seats}"] if options.seats != 2 else []
    words += [f"--deals {deals}"] if deals != DEALS else []
    words += [f"--seed {options.seed}"] if options.seed != SEED else []
    return " ".join(words)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m research.matches.ladder", description="how strong is each level?")
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help=f"of {', '.join(RULESETS)}; default: all")
    parser.add_argument("--steps", nargs="+", metavar="LEVEL", help="only these, each against the one below")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deals", type=int, default=DEALS, help="at most, for each step")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--results", type=Path, default=Path("var/arena"), metavar="FOLDER", help="where they are kept")
    parser.add_argument("--write", action="store_true", help=f"put them into the rulesets' {MEASURED}")
    parser.add_argument("--plot", type=Path, metavar="FILE", help=f"draw what all rulesets' {MEASURED} hold, as SVG")
    command.add_places(parser)
    return parser.parse_args()


def main() -> None:
    """Play, and print a table for each ruleset."""
    options = _arguments()
    warm()
    unknown = (set(options.rulesets) - set(RULESETS)) | (set(options.steps or ()) - {level for level, _ in STEPS})
    if unknown:
        raise UnreadableParametersError(f"no ruleset, or no level that has one below it: {', '.join(sorted(unknown))}")
    for name in options.rulesets or RULESETS:
        ruleset = RULESETS[name]
        steps = climb(ruleset, options)
        print(f"\n{ruleset.id}, {options.seats} seats\n{table(steps)}", flush=True)
        if options.write:
            commands = [_line(ruleset, options, len(step.result.deals), f"--steps {step.level}") for step in steps]
            write(ruleset.ai_folder, rows(steps, commands), _line(ruleset, options, options.deals, "--write"))
    if options.plot:
        strength = {ruleset.id: measured(ruleset.ai_folder) for ruleset in RULESETS.values()}
        command.written(options.plot, plot.of_ladders(strength))


if __name__ == "__main__":
    sys.exit(command.exit_status(main))
