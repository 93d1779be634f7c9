"""How strong is each level? `python -m research.matches.ladder azul`: every level against the one below it.

A step ends when it is known whether the stronger level wins more or less than 65 % and 85 % of the games, or when all
deals are played. With more than two seats, one seat of the level plays against the level below on all others, until it
is known whether it wins more than an equal share. Games are stored in a folder and not played again.

`--write` stores the results in the ruleset's `measured.json`, which `GET /v1/levels` returns. `--plot` draws the
ladders of all rulesets from these files.
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
from service.rulesets.ai_levels import MEASURED, Strength, load_strength
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.rulesets.wire import Json
from workers.search.players import UnreadableParametersError
from workers.warm import warm

TARGET_SHARES = (0.65, 0.85)  # of wins in a step of the ladder
STEPS = tuple((stronger, weaker) for weaker, stronger in itertools.pairwise(LEVELS))
DEALS = 400


@dataclass(frozen=True)
class Step:
    """A level against the one below."""

    level: str
    against: str
    result: Result
    date: str


def verdict(step: Step) -> str:
    """Return whether the step has the target width, or that this is still open."""
    low, high = step.result.interval
    low_target, high_target = TARGET_SHARES if step.result.match.seats == 2 else (1 / step.result.match.seats, 1.0)
    if high < low_target:
        return "TOO SMALL"
    if low > high_target:
        return "TOO BIG"
    return "as it should be" if low_target <= low and high <= high_target else "open"


def ratings(steps: Sequence[Step]) -> list[Rating | None]:
    """Return the rating of each step's level, or None if a lower step was not measured with two seats."""
    unbroken = [
        step
        for step, (level, _) in zip(steps, STEPS, strict=False)
        if step.level == level and step.result.match.seats == 2 and step.result.deals
    ]
    rated = elo.ladder(step.result.deals for step in unbroken)
    return [*rated, *[None] * (len(steps) - len(rated))]


def table(steps: Sequence[Step]) -> str:
    """Return a text table of the steps."""
    lines = [
        f"{'level':12} {'against':12} {'wins':>6} {'interval':>16} {'games':>6} {'Elo':>6} {'interval':>14} budget"
    ]
    for step, rating in zip(steps, ratings(steps), strict=True):
        result = step.result
        ranked = ("", "") if rating is None else (f"{rating.elo:.0f}", f"{rating.low:.0f} to {rating.high:.0f}")
        lines.append(
            f"{step.level:12} {step.against:12} {result.win_share:6.1%} {result.interval_words:>16} "
            f"{len(result.counted_games):6} {ranked[0]:>6} {ranked[1]:>14} {LEVELS[step.level].budget_s:.1f} s  "
            f"{verdict(step)}"
        )
    hours = sum(step.result.cpu_s for step in steps) / 3600
    return "\n".join([*lines, f"played in {hours:.2f} core-hours"])


def rows(steps: Sequence[Step], commands: Sequence[str]) -> list[Json]:
    """Return the rows of `measured.json`. `commands`: the command that measured each step."""
    json_rows = []
    for step, rating, line in zip(steps, ratings(steps), commands, strict=True):
        match, (low, high) = step.result.match, step.result.interval
        strength = Strength(
            variants=match.variants,
            seats=match.seats,
            level=step.level,
            against=step.against,
            wins=round(step.result.win_share, 4),
            low=round(low, 4),
            high=round(high, 4),
            games=len(step.result.counted_games),
            elo=None if rating is None else round(rating.elo),
            elo_low=None if rating is None else round(rating.low),
            elo_high=None if rating is None else round(rating.high),
            measured=step.date,
            command=line,
        )
        json_rows.append({**asdict(strength), "core_seconds": round(step.result.cpu_s, 1)})
    return json_rows


def write(folder: Path, json_rows: Sequence[Json], line: str) -> None:
    """Store rows in a ruleset's file and replace those with the same numbers of seats. Raises UnusableResultsError."""
    file = folder / MEASURED
    before = orjson.loads(file.read_bytes())["strength"] if file.exists() else []
    seats = {row["seats"] for row in json_rows}
    kept = [row for row in before if row["seats"] not in seats]
    strength = sorted([*kept, *json_rows], key=lambda row: row["seats"])
    content = {
        "generated_by": line,
        "date": datetime.now(UTC).date().isoformat(),
        "core_seconds": round(sum(row["core_seconds"] for row in strength), 1),
        "strength": strength,
    }
    command.write_text(file, orjson.dumps(content, option=orjson.OPT_INDENT_2).decode() + "\n")


def climb(ruleset: Ruleset, options: argparse.Namespace) -> list[Step]:
    """Play the requested steps. Return all stored steps, in order."""
    steps = []
    bounds = TARGET_SHARES if options.seats == 2 else (1 / options.seats,)
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


def _line(ruleset: Ruleset, options: argparse.Namespace, deals: int, *steps: str) -> str:
    """Return the command that measures one ruleset with these options."""
    words = ["python -m research.matches.ladder", ruleset.id, *steps]
    words += [f"--seats {options.seats}"] if options.seats != 2 else []
    words += [f"--deals {deals}"] if deals != DEALS else []
    words += [f"--seed {options.seed}"] if options.seed != command.SEED else []
    return " ".join(words)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m research.matches.ladder", description="how strong is each level?")
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help=f"{', '.join(RULESETS)}; default: all")
    parser.add_argument("--steps", nargs="+", metavar="LEVEL", help="only these levels, each against the one below")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deals", type=int, default=DEALS, help="maximum for each step")
    parser.add_argument("--write", action="store_true", help=f"store the results in the rulesets' {MEASURED}")
    parser.add_argument("--plot", type=Path, metavar="FILE", help=f"draw the {MEASURED} of all rulesets as SVG")
    command.add_store(parser)
    return parser.parse_args()


def main() -> None:
    """Play the steps and print a table for each ruleset."""
    options = _arguments()
    warm()
    unknown = (set(options.rulesets) - set(RULESETS)) | (set(options.steps or ()) - {level for level, _ in STEPS})
    if unknown:
        raise UnreadableParametersError(
            f"unknown ruleset, or a level without one below it: {', '.join(sorted(unknown))}"
        )
    for name in options.rulesets or RULESETS:
        ruleset = RULESETS[name]
        steps = climb(ruleset, options)
        print(f"\n{ruleset.id}, {options.seats} seats\n{table(steps)}", flush=True)
        if options.write:
            commands = [_line(ruleset, options, len(step.result.deals), f"--steps {step.level}") for step in steps]
            write(ruleset.ai_folder, rows(steps, commands), _line(ruleset, options, options.deals, "--write"))
    if options.plot:
        strength = {ruleset.id: load_strength(ruleset.ai_folder) for ruleset in RULESETS.values()}
        command.write_text(options.plot, plot.of_ladders(strength))


if __name__ == "__main__":
    sys.exit(command.exit_status(main))
