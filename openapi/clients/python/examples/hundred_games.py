"""Play a hundred games between two levels: `python hundred_games.py greedy casual --ruleset azul`.

Each deal is played twice with the same draws, once from each seat, so 50 deals are a hundred games.
"""

from __future__ import annotations

import argparse
import sys

from azul_games import Service
from azul_games_client.models import Tournament

GAMES_A_DEAL = 2


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Play a hundred games between two levels.")
    parser.add_argument("levels", nargs="*", default=["greedy", "casual"])
    parser.add_argument("--ruleset", default="azul")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    return parser.parse_args()


def table(played: Tournament) -> str:
    """Return a line for each participant: its share of wins, 95 % interval and mean score."""
    lines = [f"{'':12} {'games':>6} {'wins':>6}  {'95 % interval':>15} {'mean score':>11}"]
    match = played.matches[0]
    scores = dict(zip(match.participants, match.mean_scores, strict=True))
    for standing in played.standings:
        low, high = standing.interval
        interval = f"{low:.1%} – {high:.1%}"
        score = scores[standing.participant] or 0
        lines.append(
            f"{standing.participant:12} {standing.games:6} {standing.wins or 0:6.1%}  {interval:>15} {score:11.1f}"
        )
    return "\n".join(lines)


def main() -> int:
    """Play the games and print the table. Return the exit status."""
    options = arguments()
    if len(options.levels) != 2:
        print("name exactly two levels", file=sys.stderr)
        return 2
    with Service(options.url) as service:
        played = service.tournament(options.ruleset, options.levels, options.games // GAMES_A_DEAL)
    print(table(played))
    return 0


if __name__ == "__main__":
    sys.exit(main())
