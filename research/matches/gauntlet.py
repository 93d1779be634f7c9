"""Does a player beat every style? `python -m research.matches.gauntlet azul --limit 400`: one player against a pool.

Who wins against itself, or against what taught it, need not win against others. So the pool holds players that want or
know something else: they play for points, or for the win alone, trust no network, do not look ahead, or have a taste
(tastes.py); and `uct`. In the words of `--player` and `--pool`, `{}` stands for the limit, a time for each decision or
a number of simulations.
Older selves and others' programs join by words of their own (`program@{}:COMMAND`). Games are kept in a folder, and not
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
    "tree:value=0@{}",  # no network of values: positions are worth what the estimate says
    "tree:preference=0@{}",  # looks at all actions alike
    "tree:win=0@{}",  # for points
    "tree:win=1@{}",  # for the win
    "tree:preference=3@{}",  # tries more
    "preference",
    "preference:temperature=0.3",
    "taste:others=3@{}",  # spoils what others plan
)
# weights that some like, and how many times they count them; each ruleset's evaluation has some of these
TASTES = {"token": 6, "line": 8, "number": 3, "mixed": 3, "joker": 8, "double": 3}


def pool_of(ruleset: Ruleset) -> tuple[str, ...]:
    """Whom a player meets unless told otherwise."""
    known = ruleset.ai.trainable.initial_weights
    return *POOL, *(f"taste:{name}={times}@{{}}" for name, times in TASTES.items() if name in known)


def table(results: Mapping[str, Result]) -> str:
    """Lines for a person: whom the player met, and the share it has won."""
    width = max(map(len, results))
    lines = [f"{'against':{width}} {'wins':>7} {'interval':>16} {'games':>6} {'mean scores':>15}"]
    for word, result in results.items():
        scores = "{:.1f} : {:.1f}".format(*result.mean_scores)
        lines.append(
            f"{word:{width}} {result.wins:7.1%} {result.interval_words:>16} {len(result.counted):6} {scores:>15}"
        )
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m research.matches.gauntlet", description="does it beat every style?"
    )
    command.add_matches(parser)
    parser.add_argument("--player", default="tree@{}", help="default: tree@{}")
    parser.add_argument("--pool", nargs="+", metavar="PLAYER", help="whom it meets; default: a pool of styles")
    parser.add_argument("--limit", default="0.2s", help="what {} stands for in these; default: 0.2s")
    return parser.parse_args()


def main() -> None:
    """Play what is missing, and print a table."""
    options = _arguments()
    warm()
    pool = options.pool or pool_of(RULESETS[options.ruleset])
    player, *pool = (word.replace("{}", options.limit) for word in (options.player, *pool))
    results = {word: command.played(options, player, word) for word in pool}
    print(f"{options.ruleset}, two seats: {player}\n{table(results)}", flush=True)


if __name__ == "__main__":
    sys.exit(command.exit_status(main))
