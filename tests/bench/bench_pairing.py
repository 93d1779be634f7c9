"""Simulate Swiss competitions: `python -m tests.bench.bench_pairing`.

Prints, for 25 and 64 players and 9 rounds, the share of players who were floated the same way in two consecutive rounds
(a bye counts as a float down), and of those who had the same seat in three consecutive games. Then prints the seconds
of pairing a round of 64, 256 and 500 players.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from dataclasses import replace

from tests.competitions.field import PLAN, Play, new_competition
from tests.competitions.sequences import play_swiss, share_of

ROUNDS = 9


def print_sequences(players: int, simulations: int) -> None:
    """Print the shares of players with repeated floats and seats."""
    sequences = [one for seed in range(simulations) for one in play_swiss(players, ROUNDS, seed)]
    floats, seats = (
        share_of(one.repeats_a_float for one in sequences),
        share_of(one.repeats_a_seat for one in sequences),
    )
    print(
        f"{players} players, {ROUNDS} rounds, {simulations} simulations: {floats:.1%} floated the same way twice "
        f"running, {seats:.1%} in the same seat three times running"
    )


def print_durations(players: int) -> None:
    """Print how long the pairing of a round takes."""
    strength = random.Random(1)
    points = [round(strength.gauss(1500, 250)) for _ in range(players)]
    play, seconds = Play(new_competition(replace(PLAN, rounds=ROUNDS), points)), []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        play.advance()
        seconds.append(time.perf_counter() - began)
        for contest in play.competition.running_contests:
            play.end(contest, play.by_strength(contest))
    print(f"pairing {players} players: {statistics.median(seconds):.2f} s a round, {max(seconds):.2f} s at most")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_pairing", description=__doc__)
    parser.add_argument("--simulations", type=int, default=100)
    simulations = parser.parse_args().simulations
    for players in (25, 64):
        print_sequences(players, simulations)
    for players in (64, 256, 500):
        print_durations(players)


if __name__ == "__main__":
    main()
