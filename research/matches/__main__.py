"""Play a benchmark match: `python -m research.matches azul --players master planner`.

See docs/development/matches.md.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from research.matches import command
from research.matches.match import Match
from research.matches.running import run
from research.matches.statistics import plot
from service.rulesets.registry import RULESETS
from workers.warm import warm


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m research.matches", description="AI against AI")
    parser.add_argument("ruleset", choices=RULESETS)
    parser.add_argument("--variant", help="default: all variants, in turn")
    parser.add_argument(
        "--players",
        nargs=2,
        required=True,
        metavar=("FIRST", "SECOND"),
        help="a level, a setting (tree:playout_candidates=4@0.2s, uct@5000), a taste (taste:token=6@400) "
        "or program[@SECONDSs]:COMMAND",
    )
    parser.add_argument("--seats", type=int, default=2, help="the second player has all but one")
    parser.add_argument("--deals", type=int, default=20, help="each is played once for every seat")
    parser.add_argument(
        "--bounds",
        type=float,
        nargs="*",
        default=(),
        help="stop as soon as it is known on which side of each share the result is",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--results", type=Path, metavar="FILE", help="stores the games; stored games are not played again"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the match as SVG")
    command.add_places(parser)
    return parser.parse_args()


def main() -> None:
    """Play a match and print the result."""
    options = _arguments()
    warm()
    variants = (options.variant,) if options.variant else RULESETS[options.ruleset].variants
    match = Match(options.ruleset, variants, options.seats, tuple(options.players), options.seed)
    match.describe()
    title = None if options.quiet else f"{options.players[0]} against {options.players[1]}"
    result = run(match, options.deals, command.players(options), options.bounds, options.results, title=title)
    if options.plot:
        command.write_text(options.plot, plot.of_match(result, options.bounds))
    print(result, flush=True)


if __name__ == "__main__":
    sys.exit(command.exit_status(main))
