"""Decisions of a deep search in games against itself, as training data of networks.

Each decision is stored with the visits of its actions and the expectations of the search. Some actions are drawn by
their visits or at random, so that games differ and contain positions that good play avoids.
"""

from __future__ import annotations

import argparse
import hmac
import shlex
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from research.training import games
from research.training.games import seats_of, variant_of
from research.training.outcomes import won_by
from service.rulesets.kernel import RngState, generator, random_below, uniform
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.rulesets.seats import MAX_SEATS
from workers.search.decisions import Searches
from workers.search.players import parse_player
from workers.tasks import playing

MAX_KEPT = 40  # actions of a stored decision
BY_VISITS = 0.15  # share of the actions that are drawn by visits
AT_RANDOM = 0.03  # share of random actions


class Decisions(NamedTuple):
    """Decisions of whole games.

    records: (n, bytes) uint8; asked: (n, bytes) uint8, the position in which chance acted before the decision, or else
    the record; actions: (n, MAX_KEPT) int64, padded with -1; visits: (n, MAX_KEPT) int32; expected: (n, 4) float32,
    returns that each seat expected; scores, won, games as in Outcomes.
    """

    records: npt.NDArray[np.uint8]
    asked: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.int64]
    visits: npt.NDArray[np.int32]
    expected: npt.NDArray[np.float32]
    scores: npt.NDArray[np.int16]
    won: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]


class Decision(NamedTuple):
    """A decision, see Decisions. Visits by action, returns by seat."""

    record: bytes
    asked: bytes
    visits: dict[int, int]
    expected: list[float]


def play(ruleset_id: str, word: str, number: int, seed: int) -> Decisions:
    """Play a game of a player with a number of simulations (see workers.search.players) against itself."""
    ruleset = RULESETS[ruleset_id]
    player = parse_player(ruleset, word)
    rng = generator(hmac.digest(b"decisions", f"{seed} {number}".encode(), "sha256"))
    seats = seats_of(ruleset, number)
    position = ruleset.start(variant_of(ruleset, number), seats, None)
    found: list[Decision] = []
    searches = Searches(MAX_SEATS)
    drawing: bytes | None = None

    def sample(now: Position) -> tuple[int, ...]:
        nonlocal drawing
        drawing = now.to_bytes()
        return now.sample(rng)

    def decide(now: Position) -> int:
        nonlocal drawing
        seed_of_search = hmac.digest(b"search", f"{seed} {number} {len(found)}".encode(), "sha256")
        search = searches.search_for(now.seat, now, player, seed_of_search)
        chosen = search.choose(simulations=(player.simulations or 1) * (seats - 1)).action
        if visits := search.visits():
            record, expected = now.to_bytes(), [search.expectation(seat)[0] for seat in range(seats)]
            found.append(Decision(record, drawing or record, visits, expected))
            drawing = None
            chosen = _explore(now, chosen, visits, rng)
        search.advance(chosen)
        return chosen

    last, _ = playing.play(position, sample, decide)
    return _to_arrays(found, last, number, ruleset.rules.dtype.itemsize)


def _explore(now: Position, chosen: int, visits: dict[int, int], rng: RngState) -> int:
    """Return the chosen action, or sometimes another one."""
    lot = uniform(rng)
    if lot < AT_RANDOM:
        return now.random_action(rng)
    if lot < AT_RANDOM + BY_VISITS:
        rest = random_below(rng, sum(visits.values()))
        for action, count in visits.items():
            rest -= count
            if rest < 0:
                return action
    return chosen


def _to_arrays(found: list[Decision], last: Position, number: int, width: int) -> Decisions:
    n, seats = len(found), last.seats
    actions, visits = np.full((n, MAX_KEPT), -1, np.int64), np.zeros((n, MAX_KEPT), np.int32)
    expected, scores = np.zeros((n, MAX_SEATS), np.float32), np.zeros((n, MAX_SEATS), np.int16)
    for row, decision in enumerate(found):
        kept = list(decision.visits.items())[:MAX_KEPT]
        actions[row, : len(kept)], visits[row, : len(kept)] = zip(*kept, strict=True)
        expected[row, :seats] = decision.expected
    scores[:, :seats] = last.scores
    keys = np.zeros(MAX_SEATS, np.int64)
    last.ruleset.rules.outcome(last.table_state(), keys)
    records, asked = (b"".join(parts) for parts in zip(*((each.record, each.asked) for each in found), strict=True))
    return Decisions(
        np.frombuffer(records, np.uint8).reshape(-1, width),
        np.frombuffer(asked, np.uint8).reshape(-1, width),
        actions,
        visits,
        expected,
        scores,
        np.tile(won_by(keys, seats), (n, 1)),
        np.full(n, number, np.int64),
    )


def add_options(parser: argparse.ArgumentParser, player: str | None, count: int) -> None:
    """Add the options of the training games. Default: `count` games of the player, or none if it is None."""
    players = [] if player is None else [player]
    parser.add_argument("--player", nargs="*", default=players, help="players of the games, in the notation of matches")
    parser.add_argument(
        "--games", type=int, nargs="*", default=[count] * len(players), help="number of games of each player"
    )


def to_command_line(options: argparse.Namespace) -> str:
    """Return these options as they appear on a command line."""
    if not options.player:
        return ""
    return f" --player {shlex.join(options.player)} --games {' '.join(map(str, options.games))}"


def collect(options: argparse.Namespace) -> Decisions:
    """Return the requested games of all players, numbered consecutively."""
    if len(options.player) != len(options.games):
        raise SystemExit("--player and --games need the same number of values")
    parts, number = list[Decisions](), 0
    for seed, (player, count) in enumerate(zip(options.player, options.games, strict=True), options.seed):
        store = options.folder / f"decisions {options.ruleset} {player} {seed}"
        part = games.collect(play, Decisions, options.ruleset, player, count, seed, options.jobs, store)
        parts.append(part._replace(games=part.games + number))
        number += count
    return games.join(Decisions, parts)
