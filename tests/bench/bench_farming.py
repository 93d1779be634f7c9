"""Measure what ratings do about farms and improvement: `python -m tests.bench.bench_farming [--players 1000]`.

Uses the rating functions of the service with simulated players of known strength (normal around 1500 points), who play
others near them on the leaderboard. Prints
- how much of a gain of 400 points a veteran shows after 80 games, with new opponents and with ten regular ones
- the points that rank 100 needs on the leaderboard
- the points and the rank of the best account of each farm. Its accounts play only one another, and all lose to one:
  - `throw-away`: they are new
  - `trained`: they have played 10 games each against one another first
  - `pyramid`: 20 of them have beaten the others first
  - `known`: each has lost 10 games to established players first, and the best one has played them honestly, at 1500
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from statistics import fmean

from service.games import rating
from service.games.rating import BETA, MU, NEW, POINTS, Rating, rate_game
from service.storage.people.ratings import StoredRating
from service.usecases.people.rating_games import is_established, is_ranked

GAMES_PER_WEEK = 20
GAIN = 400
FARM, ROUNDS, WEEKS = 50, 5, 8
DAY_MS = 86_400_000


@dataclass(eq=False)
class Account:
    """A simulated account: its true strength in mu, its rating, opponents, and the times of its games in days."""

    strength: float
    rating: Rating = NEW
    games: int = 0
    opponents: dict[int, bool] = field(default_factory=dict)
    met: dict[int, list[float]] = field(default_factory=dict)
    against_new: list[float] = field(default_factory=list)
    played: float = 0.0

    def to_stored(self) -> StoredRating:
        """Return the rating as the service stores it."""
        known = sum(self.opponents.values())
        return StoredRating(*self.rating, self.games, 0, None, round(self.played * DAY_MS), len(self.opponents), known)


@dataclass
class World:
    """All accounts on a leaderboard, and the time in days."""

    accounts: list[Account] = field(default_factory=list)
    day: float = 0.0

    def list_ranked(self) -> list[Account]:
        """Return the ranked accounts, the most points first."""
        now_ms = round(self.day * DAY_MS)
        return sorted(
            (one for one in self.accounts if is_ranked(one.to_stored(), now_ms)), key=lambda one: -one.rating.mu
        )

    def add(self, *strengths: float) -> list[Account]:
        """Add new accounts."""
        new = [Account(strength) for strength in strengths]
        self.accounts += new
        return new

    def play(self, one: Account, other: Account, *, won: bool, is_mature: bool) -> None:
        """Rate a game of two accounts."""
        pair = (one, other)
        known = [is_established(account.to_stored(), is_mature=is_mature) for account in pair]
        weights = {}
        for seat, (account, opponent) in enumerate((pair, pair[::-1])):
            meetings = recent(account.met.setdefault(id(opponent), []), self.day - rating.MEETING_DAYS)
            new = 0 if known[1 - seat] else recent(account.against_new, self.day - rating.NEW_OPPONENT_DAYS)
            weights[seat, 1 - seat] = rating.weight(meetings, new)
        aged = [account.rating.age(self.day - account.played) for account in pair]
        rated = rate_game(aged, [1, 2] if won else [2, 1], weights)
        for seat, (account, opponent) in enumerate((pair, pair[::-1])):
            account.rating, account.games, account.played = rated[seat], account.games + 1, self.day
            account.opponents[id(opponent)] = account.opponents.get(id(opponent), False) or known[1 - seat]
            account.met[id(opponent)].append(self.day)
            if not known[1 - seat]:
                account.against_new.append(self.day)


def recent(days: list[float], since: float) -> int:
    """Return how many of these days are later. Drop the others."""
    days[:] = [day for day in days if day >= since]
    return len(days)


def wins(one: float, other: float, rng: random.Random) -> bool:
    """Draw whether a player of the first strength wins."""
    return rng.random() < 1 / (1 + math.exp(-(one - other) / (math.sqrt(2) * BETA)))


def play_honestly(world: World, accounts: Sequence[Account], games: int, rng: random.Random) -> None:
    """Let all accounts play opponents near them."""
    is_mature = len(world.list_ranked()) >= rating.MATURE
    for _ in range(games):
        order = sorted(accounts, key=lambda one: one.rating.mu + rng.gauss(0, 150 / POINTS))
        for one, other in zip(order[::2], order[1::2], strict=False):
            world.play(one, other, won=wins(one.strength, other.strength, rng), is_mature=is_mature)
        world.day += 7 / GAMES_PER_WEEK
        if not is_mature:
            is_mature = len(world.list_ranked()) >= rating.MATURE


def farm(world: World, kind: str, rng: random.Random) -> Account:
    """Let a farm play for some weeks. Return its best account."""
    population = world.list_ranked()
    best, *others = world.add(*[MU] * FARM)
    if kind == "known":
        for account, _ in product((best, *others), range(10)):
            opponent = rng.choice(population)
            won = account is best and wins(MU, opponent.strength, rng)
            world.play(account, opponent, won=won, is_mature=True)
    elif kind != "throw-away":
        for number in range(10):
            rng.shuffle(others)
            for one, other in zip(others[::2], others[1::2], strict=False):
                world.play(one, other, won=bool(number % 2), is_mature=True)
    helpers = others[:20] if kind == "pyramid" else []
    for _, _ in product(range(WEEKS), range(ROUNDS)):
        for winner, victim in (*product(helpers, others[20:]), *product((best,), others)):
            world.play(winner, victim, won=True, is_mature=True)
        world.day += 7 / ROUNDS
    return best


def shown_gain(opponents: int, rng: random.Random) -> float:
    """Return the mean share of the gain that veterans show after 80 games against this number of opponents in turn."""
    shares = []
    for _ in range(100):
        world = World()
        (veteran,) = world.add(MU + GAIN / POINTS)
        veteran.rating = Rating(MU, rating.MIN_SIGMA)
        others = world.add(*[MU] * opponents)
        for other in others:
            other.games, other.opponents = 500, dict.fromkeys(range(5), True)
            other.rating = Rating(MU, rating.MIN_SIGMA)
        for number in range(80):
            other = others[number % opponents]
            other.strength = rng.gauss(veteran.rating.mu, 100 / POINTS)
            other.rating = Rating(other.strength, rating.MIN_SIGMA)
            world.play(veteran, other, won=wins(veteran.strength, other.strength, rng), is_mature=True)
            world.day += 7 / GAMES_PER_WEEK
        shares.append((veteran.rating.mu - MU) * POINTS / GAIN)
    return fmean(shares)


def build_world(players: int, games: int, spread: float, rng: random.Random) -> World:
    """Return a world in which everybody has played."""
    world = World()
    world.add(*(rng.gauss(MU, spread / POINTS) for _ in range(players)))
    play_honestly(world, world.accounts, games, rng)
    return world


def report(options: argparse.Namespace) -> Iterable[str]:
    """Yield the lines of the report."""
    rng = random.Random(options.seed)
    veteran, equal = (Rating(MU, rating.MIN_SIGMA) for _ in range(2))
    won = rate_game([veteran, equal], [1, 2])[0].points - veteran.points
    yield f"a veteran gains {won} points by beating an equal"
    for opponents in (80, 10):
        yield f"after 80 games against {opponents} players, {100 * shown_gain(opponents, rng):.0f} % of {GAIN} points"
    world = build_world(options.players, options.games, options.spread, rng)
    ranked = world.list_ranked()
    first, last = ranked[0].rating.points, ranked[99].rating.points
    yield f"{options.players} players: {len(ranked)} ranked, rank 1 {first} points, rank 100 {last} points"
    for kind in ("throw-away", "trained", "pyramid", "known"):
        accounts = len(world.accounts)
        best = farm(world, kind, rng)
        rank = 1 + sum(one.rating.mu > best.rating.mu for one in ranked)
        counts = Counter(is_established(one.to_stored(), is_mature=True) for one in world.accounts[accounts:])
        place = f"rank {rank}" if best in world.list_ranked() else f"not ranked (rank {rank} by points)"
        yield f"farm {kind:10} best {best.rating.points} points, {place}; {counts[True]} of {FARM} established"
        del world.accounts[accounts:]


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--games", type=int, default=80, help="of each player")
    parser.add_argument("--spread", type=float, default=300, help="of true strengths, in points")
    parser.add_argument("--seed", type=int, default=1)
    for line in report(parser.parse_args()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
