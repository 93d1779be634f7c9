"""A benchmark match of two players on paired deals with swapped seats.

A **deal** is a seed of chance. Draw k of a game comes from HMAC-SHA256(seed, k), so the luck is the same for all
players, as far as the rules allow. A deal is played once for each seat: the first player has this seat, and the second
player all others. With two seats, luck cancels out, and small matches are more precise.

With n seats, equal play wins 1/n. With fixed numbers of simulations, a match can be repeated exactly; with a time limit
it cannot.
"""

from __future__ import annotations

import functools
import hmac
import itertools
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from research.matches import sides
from research.matches.programs import ProgramFailedError
from research.matches.statistics import sequences
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from service.rulesets.wire import Json
from workers.search.players import UnreadableParametersError
from workers.tasks import playing


@dataclass(frozen=True)
class Match:
    """Two players, in notation, and the conditions of their games. Variants alternate by deal."""

    ruleset: str
    variants: tuple[str, ...]
    seats: int
    players: tuple[str, str]
    seed: int

    def variant(self, deal: int) -> str:
        """Return the variant of a deal."""
        return self.variants[deal % len(self.variants)]

    def describe(self) -> Json:
        """Return everything that the games depend on, except the machine. Raises UnreadableParametersError."""
        ruleset = RULESETS[self.ruleset]
        check_conditions(ruleset, self.variants, (self.seats,))
        return {
            "ruleset": ruleset.id,
            "version": ruleset.version,
            "variants": list(self.variants),
            "seats": self.seats,
            "players": list(self.players),
            "settings": [sides.describe(ruleset, word) for word in self.players],
            "seed": self.seed,
        }


def check_conditions(ruleset: Ruleset, variants: Sequence[str], seats: Sequence[int]) -> None:
    """Raise UnreadableParametersError for an unknown variant or number of seats."""
    if set(seats) - set(ruleset.seat_counts):
        raise UnreadableParametersError(f"{ruleset.id} is played by {', '.join(map(str, ruleset.seat_counts))} seats")
    if unknown := set(variants) - set(ruleset.variants):
        raise UnreadableParametersError(
            f"{ruleset.id} is played on {', '.join(ruleset.variants)}, not {', '.join(unknown)}"
        )


@dataclass(frozen=True)
class Game:
    """A finished game. A player that failed to decide has lost it; `failed` is the reason."""

    deal: int
    seat: int  # of the first player
    won: float  # share of the win of the first player
    scores: tuple[int, ...]  # by seat
    decisions: tuple[int, int]  # by player; forced decisions do not count
    seconds: tuple[float, float] = field(compare=False)  # for these decisions, by player
    cpu_s: float = field(compare=False)  # of this process, without external programs
    failed: str | None = None


@dataclass(frozen=True)
class Result:
    """The games of a match that have been played.

    Deals count up to the first incomplete one. On several processes, short games finish first, so counting all of them
    would be biased.
    """

    match: Match
    games: tuple[Game, ...]

    @functools.cached_property
    def counted_games(self) -> tuple[Game, ...]:
        """The games that count, by deal and seat."""
        by_deal: dict[int, list[Game]] = {}
        for game in sorted(self.games, key=lambda one: (one.deal, one.seat)):
            by_deal.setdefault(game.deal, []).append(game)
        complete = (by_deal.get(number, []) for number in itertools.count())
        return tuple(
            game
            for deal in itertools.takewhile(lambda games: len(games) == self.match.seats, complete)
            for game in deal
        )

    @functools.cached_property
    def deals(self) -> tuple[float, ...]:
        """Share of the first player's wins in each deal that counts."""
        seats, won = self.match.seats, [game.won for game in self.counted_games]
        return tuple(sum(won[first : first + seats]) / seats for first in range(0, len(won), seats))

    @property
    def win_share(self) -> float:
        """Share of games won by the first player, or 1 / seats without games."""
        return sum(self.deals) / len(self.deals) if self.deals else 1 / self.match.seats

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of `win_share`, valid at every look."""
        return sequences.interval(self.deals)

    @property
    def interval_words(self) -> str:
        """The interval as text: "49.1% to 78.7%"."""
        return "{:.1%} to {:.1%}".format(*self.interval)

    @property
    def mean_scores(self) -> tuple[float, float]:
        """Mean scores of the first and the second player."""
        first = [game.scores[game.seat] for game in self.counted_games]
        second = [score for game in self.counted_games for seat, score in enumerate(game.scores) if seat != game.seat]
        return sum(first) / max(1, len(first)), sum(second) / max(1, len(second))

    @property
    def thought_s(self) -> tuple[float, float]:
        """Mean seconds per decision of each player."""
        first, second = (
            sum(game.seconds[player] for game in self.counted_games)
            / max(1, sum(game.decisions[player] for game in self.counted_games))
            for player in (0, 1)
        )
        return first, second

    @property
    def cpu_s(self) -> float:
        """CPU seconds of all games."""
        return sum(game.cpu_s for game in self.games)

    @property
    def failures(self) -> Counter[str]:
        """Reasons of games lost by a failure, with their counts."""
        return Counter(game.failed for game in self.counted_games if game.failed)

    def __str__(self) -> str:
        match, (first, second) = self.match, self.mean_scores
        thought = " : ".join(f"{1000 * seconds:.3g}" for seconds in self.thought_s)
        line = (
            f"{match.ruleset} {'+'.join(match.variants)}, {match.seats} seats: {match.players[0]} wins "
            f"{self.win_share:.1%} ({self.interval_words}) of {len(self.counted_games)} games "
            f"against {match.players[1]}; mean scores {first:.1f} : {second:.1f}; {thought} ms a decision"
        )
        return line + "".join(
            f"\n  {count} lost by a failure: {reason}" for reason, count in self.failures.most_common()
        )


def _bytes(seed: int, *words: object) -> bytes:
    """Return 32 bytes derived from the arguments."""
    return hmac.digest(str(seed).encode(), " ".join(map(str, words)).encode(), "sha256")


class _Table:
    """State of a game: its chance, and the player that decides."""

    def __init__(self, match: Match, deal: int, seat: int) -> None:
        self.match, self.deal, self.seat = match, deal, seat
        self.sides = [sides.create_side(RULESETS[match.ruleset], word) for word in match.players]
        self.chance = _bytes(match.seed, "chance", deal)
        self.draws = self.turns = 0
        self.decisions, self.seconds = [0, 0], [0.0, 0.0]
        self.position: Position | None = None  # of the last decision
        self.player = 0  # that made the last decision

    def draw(self, position: Position) -> Sequence[int]:
        drawn = position.sample(generator(hmac.digest(self.chance, str(self.draws).encode(), "sha256")))
        self.draws += 1
        return drawn

    def decide(self, position: Position) -> int:
        self.position, self.player = position, 0 if position.seat == self.seat else 1
        self.turns += 1
        legal = position.legal_actions()
        if len(legal) == 1:
            return legal[0]
        began = time.monotonic()
        seed = _bytes(self.match.seed, self.deal, self.seat, self.turns)
        action = self.sides[self.player].decide(position, seed)
        self.decisions[self.player] += 1
        self.seconds[self.player] += time.monotonic() - began
        return action


def play(match: Match, deal: int, seat: int) -> Game:
    """Play a game of the match. The first player has the seat `seat`."""
    table, began = _Table(match, deal, seat), time.process_time()
    start = RULESETS[match.ruleset].start(match.variant(deal), match.seats, None)
    failed = None
    try:
        last, _ = playing.play(start, table.draw, table.decide)
        outcome = last.outcome()
        won = outcome[seat].won / sum(each.won for each in outcome)
    except ProgramFailedError as failure:
        last, won = table.position or start, float(table.player)
        failed = f"{match.players[table.player]}: {failure}"
    return Game(
        deal,
        seat,
        won,
        last.scores,
        (table.decisions[0], table.decisions[1]),
        (round(table.seconds[0], 4), round(table.seconds[1], 4)),
        round(time.process_time() - began, 4),
        failed,
    )
