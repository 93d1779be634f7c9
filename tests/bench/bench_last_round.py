"""Measure how well a level plays the last round: `python -m tests.bench.bench_last_round [azul …] [--seconds 30]`.

Takes one decision after the last draw of each of 80 games that the level `greedy` plays with itself on two seats. The
judge is a search of 30 s of processor time that solves the rest of the game if it can, at least among candidates. If it
prefers another action than the level, half of this time is spent on the game after each of the two. They are equal if
the probabilities of winning then differ by at most TIE. Prints for each ruleset how often the actions are the same or
equal, and each worse action with what it loses.
"""

from __future__ import annotations

import argparse
import hmac
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from research.puzzles.verdicts import Patience, equal_actions, value_after
from service.rulesets.kernel import generator, random_below
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.bench.bench_stability import positions
from workers.search.decisions import Search, search_at_level
from workers.search.players import parse_player
from workers.warm import warm

QUICK = "greedy"
JUDGE = "tree:endgame_positions=50_000_000"  # 15 to 50 s
SOLVER = "tree:win=1,endgame_positions=3_000_000"  # values only the win; 3 s with all actions, then with candidates
TIE = 0.01
SEED = bytes(range(32))


class Compared(NamedTuple):
    """A decision: the level's action, the judge's, and the probability of winning that the level's loses."""

    position: Position
    action: int
    best: int
    lost: float


def compare(ruleset: str, number: int, level: str, seconds: float) -> Compared:
    """Return the comparison for one decision of a game's last round."""
    seed = hmac.digest(b"decision", f"{ruleset} {number}".encode(), "sha256")
    choices = positions(ruleset, number, QUICK, after_last_draw=True)
    position = choices[random_below(generator(seed), len(choices))]
    action = search_at_level(position, level, seed).choose().action
    judge = Search(position, parse_player(position.ruleset, JUDGE), seed)
    best = judge.choose(Patience(seconds)).action
    if best in equal_actions(position)[action]:
        return Compared(position, action, action, 0.0)
    wins = [win_after(position, each, seconds / 2) for each in (action, best)]
    return Compared(position, action, best, wins[1] - wins[0])


def win_after(position: Position, action: int, seconds: float) -> float:
    """Return the probability of winning after an action, for the seat that takes it: certain if the rest is solved."""
    after = position.play(action)
    if after.seat is not None:
        solution = Search(after, parse_player(after.ruleset, SOLVER), SEED).choose(Patience(seconds))
        if solution.simulations == 0 and solution.value is not None:
            return (1 + (solution.value if after.seat == position.seat else -solution.value)) / 2
    return value_after(position, action, seconds)[0]


def comparisons(ruleset: str, options: argparse.Namespace) -> Iterator[Compared]:
    """Yield the comparisons of a ruleset."""
    with ProcessPoolExecutor(options.jobs) as pool:
        tasks = [
            pool.submit(compare, ruleset, number, options.level, options.seconds) for number in range(options.positions)
        ]
        for task in tasks:
            yield task.result()


def main() -> None:
    """Print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=list(RULESETS), metavar="ruleset", help="all unless given")
    parser.add_argument("--level", default="master")
    parser.add_argument("--positions", type=int, default=80)
    parser.add_argument("--seconds", type=float, default=30.0, help="processor time of the judge")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    warm()
    for ruleset in options.rulesets:
        same = equal = 0
        for number, (position, action, best, lost) in enumerate(comparisons(ruleset, options)):
            same += action == best
            equal += lost <= TIE
            if lost > TIE:
                print(
                    f"  game {number}: {action} instead of {best} loses {lost:.3f} in {position.notation}", flush=True
                )
        share = 100 * equal / options.positions
        print(f"{ruleset}: {same} of {options.positions} actions are the same, {share:.1f} % same or equal", flush=True)


if __name__ == "__main__":
    main()
