"""Positions with the expectations of a search, as training data of value networks.

The positions come from games without search (outcomes.py), one from each game. After an act of chance, a search with
few simulations evaluates the following round. This says far more about a position than the result of one game.
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
from workers.search.players import Player, parse_player


class Judgements(NamedTuple):
    """records: (n, bytes) uint8; expected: returns that each seat expects, (n, 4) float32; games as in Outcomes."""

    records: npt.NDArray[np.uint8]
    expected: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]


def play(ruleset_id: str, word: str, number: int, seed: int) -> Judgements:
    """Judge the positions of a batch of games, by a player with a number of simulations."""
    ruleset = RULESETS[ruleset_id]
    player, seen = parse_player(ruleset, word), outcomes.play(ruleset_id, "", number, seed)
    digest = hmac.digest(b"judged", f"{seed} {number}".encode(), "sha256")
    lots = np.random.default_rng(list(digest))
    shuffled = lots.permutation(len(seen.games))
    rows = np.sort(shuffled[np.unique(seen.games[shuffled], return_index=True)[1]])
    judged = [
        judgement(ruleset.from_bytes(record.tobytes()), player, hmac.digest(digest, f"{row}".encode(), "sha256"))
        for row, record in zip(rows, seen.records[rows], strict=True)
    ]
    rows, expected = rows[[each is not None for each in judged]], [each for each in judged if each is not None]
    return Judgements(seen.records[rows], np.array(expected, np.float32), seen.games[rows])


def judgement(position: Position, player: Player, seed: bytes) -> list[float] | None:
    """Return the return that each seat expects after the next act of chance, or None without a choice of actions."""
    rng = generator(seed)
    while position.status == "drawing":
        position = position.resolve_draw(position.sample(rng))
    if len(position.legal_actions()) < 2:
        return None
    search = Search(position, player, seed)
    search.choose(simulations=(player.simulations or 1) * (position.seats - 1))
    return [search.expectation(seat)[0] if seat < position.seats else 0.0 for seat in range(MAX_SEATS)]
