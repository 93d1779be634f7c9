"""Positions and what a search expects of them: what a network of values learns from, beside how games ended.

The positions are of games without search (outcomes.py), one of each. Chance acts, and a search of few simulations
looks through the round that follows: that says far more of a position than how one game went on.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from research.training import outcomes
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.rulesets.seats import MAX_SEATS
from workers.search.decisions import Search
from workers.search.players import Player, read


class Judged(NamedTuple):
    """records (n, bytes) uint8; expected (n, 4) float32, the return that each seat may expect; games as in Outcomes."""

    records: npt.NDArray[np.uint8]
    expected: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]


def play(ruleset_id: str, word: str, number: int, seed: int) -> Judged:
    """A batch of games, by a player that has a number of simulations."""
    ruleset = RULESETS[ruleset_id]
    player, seen = read(ruleset, word), outcomes.play(ruleset_id, "", number, seed)
    digest = hmac.digest(b"judged", f"{seed} {number}".encode(), "sha256")
    lots = np.random.default_rng(list(digest))
    mixed = lots.permutation(len(seen.games))
    rows = np.sort(mixed[np.unique(seen.games[mixed], return_index=True)[1]])
    judged = [
        judgement(ruleset.from_bytes(record.tobytes()), player, hmac.digest(digest, f"{row}".encode(), "sha256"))
        for row, record in zip(rows, seen.records[rows], strict=True)
    ]
    rows, expected = rows[[one is not None for one in judged]], [one for one in judged if one is not None]
    return Judged(seen.records[rows], np.array(expected, np.float32), seen.games[rows])


def judgement(position: Position, player: Player, seed: bytes) -> list[float] | None:
    """The return that each seat may expect, as far as a search tells; None where there is nothing to decide.

    Chance acts first, if it is its turn.
    """
    rng = generator(seed)
    while position.status == "drawing":
        position = position.resolve_draw(position.sample(rng))
    if len(position.legal_actions()) < 2:
        return None
    search = Search(position, player, seed)
    search.choose(simulations=(player.simulations or 1) * (position.seats - 1))
    return [search.expectation(seat)[0] if seat < position.seats else 0.0 for seat in range(MAX_SEATS)]
