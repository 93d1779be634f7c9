"""AI against AI: `python -m workers.arena azul --variant coloured --levels greedy random --pairs 50`.

A **deal** is a seed of chance: draw k of a game comes from HMAC-SHA256(seed, k), as in the service, so that luck is
the same whoever plays. A deal is played once for each seat: the first level sits there, the second level sits on all
other seats. With two seats that is a pair; luck cancels out, and small matches say more.

The share of games won (a tie counts as its share) comes with Wilson's 95 % interval; with n seats, equal play wins
1/n. Fixed `--simulations` make a match repeatable to the last decision; a budget in seconds does not.
"""

from __future__ import annotations

import argparse
import hmac
import multiprocessing
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from service.games.scores import wilson
from service.levels import LEVELS
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from workers.search.search import STYLE, Search
from workers.search.tree import Style


@dataclass(frozen=True)
class Match:
    """What is compared: two levels, at one ruleset, variant and number of seats."""

    ruleset: str
    variant: str
    seats: int
    levels: tuple[str, str]
    deals: int
    seed: int
    simulations: tuple[int | None, int | None] = (None, None)  # of each level; None: its budget in seconds
    styles: tuple[Style, Style] = (STYLE, STYLE)


@dataclass(frozen=True)
class Game:
    """One game: where the first level sat, its share of the win, and all scores by seat."""

    seat: int
    won: float
    scores: tuple[int, ...]


@dataclass(frozen=True)
class Result:
    """A match played."""

    match: Match
    games: tuple[Game, ...]

    @property
    def wins(self) -> float:
        """Share of games won by the first level."""
        return sum(game.won for game in self.games) / len(self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of `wins`."""
        return wilson(self.wins, len(self.games))

    @property
    def mean_scores(self) -> tuple[float, float]:
        """Of the first level, and of the second."""
        first = [game.scores[game.seat] for game in self.games]
        second = [score for game in self.games for seat, score in enumerate(game.scores) if seat != game.seat]
        return sum(first) / len(first), sum(second) / len(second)

    def __str__(self) -> str:
        match, (low, high), (first, second) = self.match, self.interval, self.mean_scores
        return (
            f"{match.ruleset} {match.variant}, {match.seats} seats: {match.levels[0]} wins {self.wins:.1%} "
            f"({low:.1%} to {high:.1%}) of {len(self.games)} games against {match.levels[1]}; "
            f"mean scores {first:.1f} : {second:.1f}"
        )


def _bytes(seed: int, *words: object) -> bytes:
    """32 bytes that depend on all that is given."""
    return hmac.digest(str(seed).encode(), " ".join(map(str, words)).encode(), "sha256")


def play(match: Match, deal: int, seat: int) -> Game:
    """One game of the match: the first level sits at `seat`."""
    chance = _bytes(match.seed, "chance", deal)
    position = RULESETS[match.ruleset].start(match.variant, match.seats, None)
    draws = decisions = 0
    while position.status != "over":
        if position.status == "drawing":
            rng = generator(hmac.digest(chance, str(draws).encode(), "sha256"))
            position = position.deal(position.sample(rng))
            draws += 1
        else:
            position = position.play(_decide(match, position, seat, _bytes(match.seed, deal, seat, decisions)))
            decisions += 1
    outcome = position.outcome()
    winners = sum(one.won for one in outcome)
    return Game(seat, outcome[seat].won / winners, tuple(one.score for one in outcome))


def _decide(match: Match, position: Position, seat: int, seed: bytes) -> int:
    who = 0 if position.seat == seat else 1
    search = Search(position, LEVELS[match.levels[who]], seed, match.styles[who])
    return search.choose(simulations=match.simulations[who]).action


def _play(task: tuple[Match, int, int]) -> Game:
    return play(*task)


def games_of(match: Match) -> Iterator[tuple[Match, int, int]]:
    """All games of the match, deal by deal."""
    return ((match, deal, seat) for deal in range(match.deals) for seat in range(match.seats))


def run(match: Match, jobs: int = 1) -> Result:
    """Play the match on so many processes."""
    games: Iterable[Game]
    if jobs == 1:
        return Result(match, tuple(map(_play, games_of(match))))
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        games = tuple(pool.map(_play, games_of(match)))
    return Result(match, games)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m workers.arena", description="AI against AI")
    parser.add_argument("ruleset", choices=RULESETS)
    parser.add_argument("--variant", help="default: all of the ruleset's")
    parser.add_argument("--levels", nargs=2, choices=LEVELS, required=True, metavar=("FIRST", "SECOND"))
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=20, help="deals; each is played once for every seat")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--simulations", type=int, nargs=2, metavar=("FIRST", "SECOND"), help="instead of time")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    return parser.parse_args()


def main() -> None:
    """Play what the command line asks for and print one line a variant."""
    asked = _arguments()
    simulations = tuple(asked.simulations) if asked.simulations else (None, None)
    for variant in (asked.variant,) if asked.variant else RULESETS[asked.ruleset].variants:
        match = Match(asked.ruleset, variant, asked.seats, tuple(asked.levels), asked.pairs, asked.seed, simulations)
        print(run(match, asked.jobs), flush=True)


if __name__ == "__main__":
    main()
