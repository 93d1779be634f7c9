"""Decisions of a deep search in games against itself: what a network learns from.

Each decision is kept with the visits of its actions. So that the games differ, and positions occur that good play
avoids, an action is now and then drawn by the visits, or at random.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import RngState, below, generator, uniform
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from workers import playing
from workers.search.players import read
from workers.search.search import Search
from workers.training.games import seats_of, variant_of

MOST_KEPT = 40  # actions of a decision
BY_VISITS = 0.15  # of the decisions are drawn by the visits
AT_RANDOM = 0.03


class Decisions(NamedTuple):
    """Records (n, bytes) uint8; actions (n, MOST_KEPT) int64, -1 where there are fewer; visits (n, MOST_KEPT) int32;
    values (n,) float32, the return that the seat to decide expects; scores at the end (n, 4) int16; numbers of games
    (n,) int64.
    """

    records: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.int64]
    visits: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]
    scores: npt.NDArray[np.int16]
    games: npt.NDArray[np.int64]


def play(ruleset_id: str, word: str, number: int, seed: int) -> Decisions:
    """One game of a player (see workers.search.players) against itself; it must have a number of simulations."""
    ruleset = RULESETS[ruleset_id]
    player = read(ruleset, word)
    rng = generator(hmac.digest(b"decisions", f"{seed} {number}".encode(), "sha256"))
    seats = seats_of(ruleset, number)
    position = ruleset.start(variant_of(ruleset, number), seats, None)
    found: list[tuple[bytes, dict[int, int], float]] = []
    search: Search | None = None

    def decide(now: Position) -> int:
        nonlocal search
        if search is None or not search.goes_on_at(now):
            seed_of_search = hmac.digest(b"search", f"{seed} {number} {len(found)}".encode(), "sha256")
            search = Search(now, player, seed_of_search)
        chosen = search.choose(simulations=(player.simulations or 1) * (seats - 1)).action
        if visits := search.visits():
            found.append((now.to_bytes(), visits, search.expectation(int(now.seat or 0))[0]))
            chosen = _drawn(now, chosen, visits, rng)
        search.advance(chosen)
        return chosen

    last, _ = playing.play(position, lambda now: now.sample(rng), decide)
    return _gathered(found, last, number, ruleset.rules.dtype.itemsize)


def _drawn(now: Position, chosen: int, visits: dict[int, int], rng: RngState) -> int:
    """The chosen action, or another."""
    lot = uniform(rng)
    if lot < AT_RANDOM:
        return now.random_action(rng)
    if lot < AT_RANDOM + BY_VISITS:
        rest = below(rng, sum(visits.values()))
        for action, count in visits.items():
            rest -= count
            if rest < 0:
                return action
    return chosen


def _gathered(found: list[tuple[bytes, dict[int, int], float]], last: Position, number: int, width: int) -> Decisions:
    actions = np.full((len(found), MOST_KEPT), -1, np.int64)
    visits = np.zeros((len(found), MOST_KEPT), np.int32)
    values = np.zeros(len(found), np.float32)
    for row, (_, visits_of, value) in enumerate(found):
        kept = list(visits_of.items())[:MOST_KEPT]
        actions[row, : len(kept)], visits[row, : len(kept)] = zip(*kept, strict=True)
        values[row] = value
    scores = np.zeros((len(found), 4), np.int16)
    scores[:, : last.seats] = last.scores
    records = np.frombuffer(b"".join(content for content, _, _ in found), np.uint8).reshape(-1, width)
    return Decisions(records, actions, visits, values, scores, np.full(len(found), number, np.int64))
