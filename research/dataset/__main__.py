"""Write games of a player as a table: `python -m research.dataset --games 100000 --level greedy --out games.parquet`.

The file has one row for each decision; docs/guides/datasets.md lists the columns. Needs the extra `data`. A seed always
produces the same file, with any number of `--jobs`. The file has a temporary name until it is complete.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from research.dataset.playing import DatasetPlan
from research.dataset.writing import write
from research.matches import command
from research.matches.match import check_conditions
from service.rulesets.registry import RULESETS
from service.settings import cores
from workers.search.players import UnreadableParametersError, parse_player
from workers.warm import warm


def plan_of(options: argparse.Namespace) -> DatasetPlan:
    """Return the plan for the command line. Raises UnreadableParametersError."""
    ruleset = RULESETS[options.ruleset]
    plan = DatasetPlan(
        ruleset.id,
        tuple(options.variant or ruleset.variants),
        tuple(options.seats or ruleset.seat_counts[:1]),
        options.level,
        options.seed,
    )
    check_conditions(ruleset, plan.variants, plan.seats)
    if options.games < 1 or options.first < 0 or options.jobs < 1:
        raise UnreadableParametersError("--games and --jobs: at least 1; --first: at least 0")
    if options.out.exists():
        raise UnreadableParametersError(f"{options.out} already exists")
    player = parse_player(ruleset, plan.player)
    if player.kind == "tree" and player.simulations is None:
        print(f"{plan.player} is limited by time, so the same seed will not produce the same games", file=sys.stderr)
    return plan


def main() -> None:
    """Write the requested file."""
    parser = argparse.ArgumentParser(prog="python -m research.dataset", description=__doc__)
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--level", required=True, help="a level, or another player of matches such as tree@200")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--ruleset", choices=RULESETS, default=next(iter(RULESETS)))
    parser.add_argument("--variant", nargs="*", help="variants, in turn; default: all")
    parser.add_argument("--seats", type=int, nargs="*", help="numbers of seats, in turn; default: 2")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first game, for tables in several files")
    parser.add_argument("--jobs", type=int, default=cores(), help="number of processes; default: CPU cores")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    options = parser.parse_args()
    plan = plan_of(options)
    warm()
    began = time.monotonic()
    games = range(options.first, options.first + options.games)
    rows = write(plan, games, options.jobs, options.out, quiet=options.quiet)
    a_minute = 60 * len(games) / (time.monotonic() - began)
    print(f"{options.out}: {rows:,} decisions of {len(games):,} games, {a_minute:,.0f} games a minute")


if __name__ == "__main__":
    sys.exit(command.exit_status(main, "no file was written"))
