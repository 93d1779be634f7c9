"""How much does more time help? `python -m research.matches.growth azul`.

Each time per decision plays against the next shorter one. With `--before`, the search also plays against a program
with each time, such as an older checkout; `{}` in its command is replaced by the seconds. The search with the shortest
time has Elo 0. Games are stored in a folder and not played again. `--plot` draws both.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from research.matches import command
from research.matches.match import Result
from research.matches.statistics import elo, plot
from research.matches.statistics.elo import Rating
from workers.search.players import UnreadableParametersError
from workers.warm import warm

NOW, BEFORE = "now", "before"
TIMES = (0.05, 0.2, 1.0)


class Point(NamedTuple):
    """A player with a time per decision. `result`: the match for its rating; None for the first, which has Elo 0."""

    name: str
    seconds: float
    rating: Rating
    result: Result | None


def points(times: Sequence[float], steps: Sequence[Result], befores: Sequence[Result]) -> Iterator[Point]:
    """Yield the search with each time, then its opponents with each time, if any."""
    ratings = [Rating(0, 0, 0), *elo.ladder(step.deals for step in steps)]
    for seconds, rating, result in zip(times, ratings, [None, *steps], strict=True):
        yield Point(NOW, seconds, rating, result)
    for seconds, rating, result in zip(times, ratings, befores, strict=False):
        yield Point(BEFORE, seconds, elo.opponent_rating(rating, result.deals), result)


def table(rated: Sequence[Point]) -> str:
    """Return a text table. Wins are those of the current search, with the longer time."""
    lines = [f"{'player':8} {'time':>7} {'Elo':>6} {'interval':>14} {'wins':>7} {'interval':>16} {'games':>6}"]
    for name, seconds, rating, result in rated:
        line = f"{name:8} {f'{seconds:g} s':>7} {rating.elo:6.0f} {f'{rating.low:.0f} to {rating.high:.0f}':>14}"
        if result is not None:
            line += f" {result.win_share:7.1%} {result.interval_words:>16} {len(result.counted_games):6}"
        lines.append(line)
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m research.matches.growth", description="how much does time help?")
    command.add_matches(parser)
    parser.add_argument("--player", default="tree", metavar="SETTING", help="setting of the search; default: tree")
    parser.add_argument("--times", type=float, nargs="+", default=TIMES, metavar="SECONDS", help="seconds per decision")
    parser.add_argument("--before", metavar="PROGRAM", help="program@{}s:COMMAND, with {} for the seconds")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw Elo by time as SVG")
    return parser.parse_args()


def main() -> None:
    """Play the missing games and print a table."""
    options = _arguments()
    warm()
    times = sorted(set(options.times))
    if times[0] <= 0:
        raise UnreadableParametersError("--times must be positive")
    own = {seconds: f"{options.player}@{seconds:g}s" for seconds in times}
    steps = [command.play_match(options, own[longer], own[shorter]) for shorter, longer in itertools.pairwise(times)]
    befores = []
    if options.before:
        befores = [
            command.play_match(options, own[seconds], options.before.replace("{}", f"{seconds:g}")) for seconds in times
        ]
    rated = list(points(times, steps, befores))
    print(f"{options.ruleset}, two seats\n{table(rated)}", flush=True)
    if options.plot:
        by_name = itertools.groupby(rated, attrgetter("name"))
        lines = {name: [(point.seconds, point.rating) for point in line] for name, line in by_name}
        command.write_text(options.plot, plot.of_growth(options.ruleset, lines))


if __name__ == "__main__":
    sys.exit(command.exit_status(main))
