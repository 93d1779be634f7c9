"""A match of two players: paired deals, seats swapped.

A **deal** is a seed of chance: draw k of a game comes from HMAC-SHA256(seed, k), so that luck is the same whoever
plays, as far as the rules let it. A deal is played once for each seat: the first player sits there, the second on all
other seats. With two seats that is a pair; luck cancels out, and small matches say more.

With n seats, equal play wins 1/n. Players with fixed numbers of simulations make a match repeatable to the last
decision; a time does not.
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
from service.rulesets.ruleset import Position
from service.rulesets.wire import Json
from workers.search.players import UnreadableParametersError
from workers.tasks import playing


@dataclass(frozen=True)
class Match:
    """What is compared: two players, each by its word. Variants take turns by deal."""

    ruleset: str
    variants: tuple[str, ...]
    seats: int
    players: tuple[str, str]
    seed: int

    def variant(self, deal: int) -> str:
        """What a deal is played on."""
        return self.variants[deal % len(self.variants)]

    def described(self) -> Json:
        """All that its games depend on but the machine, as JSON (Unreadable: there is no such match)."""
        ruleset = RULESETS[self.ruleset]
        if self.seats not in ruleset.seat_counts:
            raise UnreadableParametersError(
                f"{ruleset.id} is played by {', '.join(map(str, ruleset.seat_counts))} seats"
            )
        unknown = set(self.variants) - set(ruleset.variants)
        if unknown:
            raise UnreadableParametersError(
                f"{ruleset.id} is played on {', '.join(ruleset.variants)}, not {', '.join(unknown)}"
            )
        return {
            "ruleset": ruleset.id,
            "version": ruleset.version,
            "variants": list(self.variants),
            "seats": self.seats,
            "players": list(self.players),
            "settings": [sides.described(ruleset, word) for word in self.players],
            "seed": self.seed,
        }


@dataclass(frozen=True)
class Game:
    """One game. A player that has failed to decide has lost it, as it stood; `failed` says why."""

    deal: int
    seat: int  # of the first player
    won: float  # by the first player: its share of the win
    scores: tuple[int, ...]  # by seat
    decisions: tuple[int, int]  # by player, where there was a choice
    seconds: tuple[float, float] = field(compare=False)  # that they took for these
    cpu_s: float = field(compare=False)  # of this process; a program's own is not known
    failed: str | None = None


@dataclass(frozen=True)
class Result:
    """A match, as far as it is played.

    Only deals played to their end count, and only up to the first that was not: on several processes short games
    come in first, and who stopped then would prefer them.
    """

    match: Match
    games: tuple[Game, ...]

    @functools.cached_property
    def counted(self) -> tuple[Game, ...]:
        """The games that count, by deal and seat."""
        by_deal: dict[int, list[Game]] = {}
        for game in sorted(self.games, key=lambda one: (one.deal, one.seat)):
            by_deal.setdefault(game.deal, []).append(game)
        whole = (by_deal.get(number, []) for number in itertools.count())
        return tuple(
            game for deal in itertools.takewhile(lambda games: len(games) == self.match.seats, whole) for game in deal
        )

    @functools.cached_property
    def deals(self) -> tuple[float, ...]:
        """Of each deal that counts, the share of its games that the first player won."""
        seats, won = self.match.seats, [game.won for game in self.counted]
        return tuple(sum(won[first : first + seats]) / seats for first in range(0, len(won), seats))

    @property
    def wins(self) -> float:
        """Share of games won by the first player; 1 / seats before anything is played."""
        return sum(self.deals) / len(self.deals) if self.deals else 1 / self.match.seats

    @property
    def interval(self) -> tuple[float, float]:
        """Where `wins` lies, at 95 %, however often one looks."""
        return sequences.interval(self.deals)

    @property
    def interval_words(self) -> str:
        """The same for a person: "49.1% to 78.7%"."""
        return "{:.1%} to {:.1%}".format(*self.interval)

    @property
    def mean_scores(self) -> tuple[float, float]:
        """Of the first player, and of the second."""
        first = [game.scores[game.seat] for game in self.counted]
        second = [score for game in self.counted for seat, score in enumerate(game.scores) if seat != game.seat]
        return sum(first) / max(1, len(first)), sum(second) / max(1, len(second))

    @property
    def thought_s(self) -> tuple[float, float]:
        """Seconds a decision, of each player."""
        first, second = (
            sum(game.seconds[player] for game in self.counted)
            / max(1, sum(game.decisions[player] for game in self.counted))
            for player in (0, 1)
        )
        return first, second

    @property
    def cpu_s(self) -> float:
        """What all its games took, of one core."""
        return sum(game.cpu_s for game in self.games)

    @property
    def failures(self) -> Counter[str]:
        """Why games were lost by a failure, and how often."""
        return Counter(game.failed for game in self.counted if game.failed)

    def __str__(self) -> str:
        match, (first, second) = self.match, self.mean_scores
        thought = " : ".join(f"{1000 * seconds:.3g}" for seconds in self.thought_s)
        line = (
            f"{match.ruleset} {'+'.join(match.variants)}, {match.seats} seats: {match.players[0]} wins {self.wins:.1%} "
            f"({self.interval_words}) of {len(self.counted)} games against {match.players[1]}; "
            f"mean scores {first:.1f} : {second:.1f}; {thought} ms a decision"
        )
        return line + "".join(f"\n  {count} lost by a failure: {why}" for why, count in self.failures.most_common())


def _bytes(seed: int, *words: object) -> bytes:
    """32 bytes that depend on all that is given."""
    return hmac.digest(str(seed).encode(), " ".join(map(str, words)).encode(), "sha256")


class _Table:
    """What happens at one game: chance, and whose decision it is."""

    def __init__(self, match: Match, deal: int, seat: int) -> None:
        self.match, self.deal, self.seat = match, deal, seat
        self.sides = [sides.of(RULESETS[match.ruleset], word) for word in match.players]
        self.chance = _bytes(match.seed, "chance", deal)
        self.draws = self.asked = 0
        self.decisions, self.seconds = [0, 0], [0.0, 0.0]
        self.position: Position | None = None  # the last in which somebody had to decide
        self.player = 0  # whose decision it was

    def draw(self, position: Position) -> Sequence[int]:
        drawn = position.sample(generator(hmac.digest(self.chance, str(self.draws).encode(), "sha256")))
        self.draws += 1
        return drawn

    def decide(self, position: Position) -> int:
        self.position, self.player = position, 0 if position.seat == self.seat else 1
        self.asked += 1
        legal = position.legal_actions()
        if len(legal) == 1:
            return legal[0]
        began = time.monotonic()
        seed = _bytes(self.match.seed, self.deal, self.seat, self.asked)
        action = self.sides[self.player].decide(position, seed)
        self.decisions[self.player] += 1
        self.seconds[self.player] += time.monotonic() - began
        return action


def play(match: Match, deal: int, seat: int) -> Game:
    """One game of the match: the first player sits at `seat`."""
    table, began = _Table(match, deal, seat), time.process_time()
    start = RULESETS[match.ruleset].start(match.variant(deal), match.seats, None)
    failed = None
    try:
        last, _ = playing.play(start, table.draw, table.decide)
        outcome = last.outcome()
        won = outcome[seat].won / sum(one.won for one in outcome)
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
