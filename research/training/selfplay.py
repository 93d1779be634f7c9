"""Games of the search against itself: positions on the way, and the scores at the end.

Both variants, mostly two seats. Now and then a decision is made at random, so that the games differ, and positions
occur that good play avoids.
"""

from __future__ import annotations

import hmac
import itertools
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from research.matches.sides import Searcher
from research.training import games as kept
from service.rulesets.kernel import below, generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from workers.search.players import read
from workers.tasks import playing

SELDOM = 40  # one decision in so many is made at random
SEEN = 5  # one position in so many is kept, of those in which a seat decides; all in which chance acts


class Seen(NamedTuple):
    """Positions: records (n, bytes) uint8, scores at the end (n, 4) int16, the number of the game (n,) int64."""

    records: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.int16]
    games: npt.NDArray[np.int64]


def play(ruleset_id: str, word: str, number: int, seed: int) -> Seen:
    """One game of a player (see workers.search.players) against itself."""
    ruleset = RULESETS[ruleset_id]
    player = Searcher(read(ruleset, word))
    rng = generator(hmac.digest(b"self-play", f"{seed} {number}".encode(), "sha256"))
    seats = kept.seats_of(ruleset, number)
    position = ruleset.start(kept.variant_of(ruleset, number), seats, None)
    records: list[bytes] = []
    decisions = itertools.count()

    def draw(now: Position) -> tuple[int, ...]:
        if now != position:  # not at the start, which is known
            records.append(now.to_bytes())
        return now.sample(rng)

    def decide(now: Position) -> int:
        if below(rng, SEEN) == 0:
            records.append(now.to_bytes())
        decision = next(decisions)
        if below(rng, SELDOM) == 0:
            return now.random_action(rng)
        return player.decide(now, hmac.digest(b"search", f"{seed} {number} {decision}".encode(), "sha256"))

    last, _ = playing.play(position, draw, decide)
    scores = np.zeros((len(records), 4), np.int16)
    scores[:, :seats] = last.scores
    width = ruleset.rules.dtype.itemsize
    rows = np.frombuffer(b"".join(records), np.uint8).reshape(-1, width)
    return Seen(rows, scores, np.full(len(records), number, np.int64))


def collect(ruleset: str, word: str, games: int, seed: int, jobs: int, folder: Path) -> Seen:
    """So many games, from the folder, or played and put there, file by file."""
    return kept.collect(play, Seen, ruleset, word, games, seed, jobs, folder)
