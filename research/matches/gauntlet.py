"""Does a player beat every style? `python -m research.matches.gauntlet azul --limit 400`: one player against a pool.

A player that beats itself, or the player that trained it, can still lose to others. So the pool has players with other
goals or knowledge: they play for points, or only for the win, use no network, do not look ahead, or have a taste
(tastes.py). In `--player` and `--pool`, `{}` is replaced by the limit, a time for each decision or a number of
simulations. Older versions and other programs can join as `program@{}:COMMAND`. Games are stored in a folder and not
played again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from research.matches import command
from research.matches.match import Result
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from workers.warm import warm

POOL = (
    "uct@{}",
    "tree:preference=0,playout_preferred=0,value=0@{}",  # no network
    "tree:value=0@{}",  # no value network: the estimate evaluates positions
    "tree:preference=0@{}",  # considers all actions equally
    "tree:win=0@{}",  # plays for points
    "tree:win=1@{}",  # plays for the win
    "tree:preference=3@{}",  # explores more
    "preference",
    "preference:temperature=0.3",
    "taste:others=3@{}",  # hinders opponents
)
# weights of evaluations and their factors; each ruleset has some of these weights
TASTES = {"token": 6, "line": 8, "number": 3, "mixed": 3, "joker": 8, "double": 3}


def pool_of(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the default opponents."""
    weights = ruleset.ai.trainable.initial_weights
    return *POOL, *(f"taste:{name}={times}@{{}}" for name, times in TASTES.items() if name in weights)


def table(results: Mapping[str, Result]) -> str:
    """Return a text table of the opponents and the share of wins against each."""
    width = max(map(len, results))
    lines = [f"{'against':{width}} {'wins':>7} {'interval':>16} {'games':>6} {'mean scores':>15}"]
    for word, result in results.items():
        scores = "{:.1f} : {:.1f}".format(*result.mean_scores)
        share, games = f"{result.win_share:7.1%} {result.interval_words:>16}", len(result.counted_games)
        lines.append(f"{word:{width}} {share} {games:6} {scores:>15}")
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m research.matches.gauntlet", description="does it beat every style?"
    )
    command.add_matches(parser)
    parser.add_argument("--player", default="tree@{}", help="default: tree@{}")
    parser.add_argument("--pool", nargs="+", metavar="PLAYER", help="opponents; default: a pool of styles")
    parser.add_argument("--limit", default="0.2s", help="replaces {} in the players; default: 0.2s")
    return parser.parse_args()


def main() -> None:
    """Play the missing games and print a table."""
    options = _arguments()
    warm()
    pool = options.pool or pool_of(RULESETS[options.ruleset])
    player, *pool = (word.replace("{}", options.limit) for word in (options.player, *pool))
    results = {word: command.play_match(options, player, word) for word in pool}
    print(f"{options.ruleset}, two seats: {player}\n{table(results)}", flush=True)


if __name__ == "__main__":
    sys.exit(command.exit_status(main))
