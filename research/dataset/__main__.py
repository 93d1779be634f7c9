"""Games of a player as a table: `python -m research.dataset --games 100000 --level greedy --out games.parquet`.

The file has one row for each decision; docs/guides/datasets.md lists the columns. Needs the extra `data`. A seed always
produces the same file, with any number of `--jobs`. The file has a temporary name until it is complete.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from research.dataset.playing import Asked
from research.dataset.writing import write
from research.matches import command
from research.matches.sides import player_of
from service.rulesets.registry import RULESETS
from service.settings import cores
from workers.search.players import UnreadableParametersError
from workers.warm import warm


def asked_for(options: argparse.Namespace) -> Asked:
    """What the command line asks for (Unreadable)."""
    ruleset = RULESETS[options.ruleset]
    asked = Asked(
        ruleset.id,
        tuple(options.variant or ruleset.variants),
        tuple(options.seats or ruleset.seat_counts[:1]),
        options.level,
        options.seed,
    )
    if unknown := set(asked.variants) - set(ruleset.variants):
        raise UnreadableParametersError(
            f"{ruleset.id} is played on {', '.join(ruleset.variants)}, not {', '.join(unknown)}"
        )
    if set(asked.seats) - set(ruleset.seat_counts):
        raise UnreadableParametersError(f"{ruleset.id} is played by {', '.join(map(str, ruleset.seat_counts))} seats")
    if options.games < 1 or options.first < 0 or options.jobs < 1:
        raise UnreadableParametersError("--games and --jobs: at least 1; --first: at least 0")
    if options.out.exists():
        raise UnreadableParametersError(f"{options.out} is there already")
    player = player_of(ruleset, asked.player)
    if player.kind == "tree" and player.simulations is None:
        print(f"{asked.player} is limited by time: the same seed will not bring the same games", file=sys.stderr)
    return asked


def main() -> None:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m research.dataset", description=__doc__)
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--level", required=True, help="or any other player of matches, such as tree@200")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--ruleset", choices=RULESETS, default=next(iter(RULESETS)))
    parser.add_argument("--variant", nargs="*", help="by turns; default: all")
    parser.add_argument("--seats", type=int, nargs="*", help="by turns; default: 2")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first game: for tables in several files")
    parser.add_argument("--jobs", type=int, default=cores(), help="processes; default: the cores")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    options = parser.parse_args()
    asked = asked_for(options)
    warm()
    began = time.monotonic()
    games = range(options.first, options.first + options.games)
    rows = write(asked, games, options.jobs, options.out, quiet=options.quiet)
    a_minute = 60 * len(games) / (time.monotonic() - began)
    print(f"{options.out}: {rows:,} decisions of {len(games):,} games, {a_minute:,.0f} games a minute")


if __name__ == "__main__":
    sys.exit(command.exit_status(main, "nothing is kept"))
