"""Games of the search against itself: positions and final scores.

Games alternate between variants and mostly have two seats. Some decisions are random, so that games differ and contain
positions that good play avoids.
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
from service.rulesets.kernel import generator, random_below
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from workers.search.players import parse_player
from workers.tasks import playing

RANDOM_EVERY = 40  # one decision in this many is random
KEPT_EVERY = 5  # one decision in this many is stored, besides all positions in which chance acts


class Seen(NamedTuple):
    """Positions. records: (n, bytes) uint8; scores: at the end, (n, 4) int16; games: numbers, (n,) int64."""

    records: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.int16]
    games: npt.NDArray[np.int64]


def play(ruleset_id: str, word: str, number: int, seed: int) -> Seen:
    """Play a game of a player (see workers.search.players) against itself."""
    ruleset = RULESETS[ruleset_id]
    player = Searcher(parse_player(ruleset, word))
    rng = generator(hmac.digest(b"self-play", f"{seed} {number}".encode(), "sha256"))
    seats = kept.seats_of(ruleset, number)
    position = ruleset.start(kept.variant_of(ruleset, number), seats, None)
    records: list[bytes] = []
    decisions = itertools.count()

    def draw(now: Position) -> tuple[int, ...]:
        if now != position:  # the start is always the same
            records.append(now.to_bytes())
        return now.sample(rng)

    def decide(now: Position) -> int:
        if random_below(rng, KEPT_EVERY) == 0:
            records.append(now.to_bytes())
        decision = next(decisions)
        if random_below(rng, RANDOM_EVERY) == 0:
            return now.random_action(rng)
        return player.decide(now, hmac.digest(b"search", f"{seed} {number} {decision}".encode(), "sha256"))

    last, _ = playing.play(position, draw, decide)
    scores = np.zeros((len(records), 4), np.int16)
    scores[:, :seats] = last.scores
    width = ruleset.rules.dtype.itemsize
    rows = np.frombuffer(b"".join(records), np.uint8).reshape(-1, width)
    return Seen(rows, scores, np.full(len(records), number, np.int64))


def collect(ruleset: str, word: str, games: int, seed: int, jobs: int, folder: Path) -> Seen:
    """Return the games from the folder. Missing files are played and stored first."""
    return kept.collect(play, Seen, ruleset, word, games, seed, jobs, folder)
