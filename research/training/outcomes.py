"""Positions and how their games ended: what a network of values learns from.

Millions are needed, for chance decides much. So nothing is searched: games are played in machine code, each decision
drawn by the ruleset's preferences at a temperature, seldom at random. Of a game a few positions are kept: those that a
search asks the value of, which is where chance acts next, or, if it does without playouts, any.
"""

from __future__ import annotations

import functools
import hmac
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.compiler import jitted
from service.rulesets.kernel import DRAWING, OVER, Record, RngState, below, generator, helper, uniform
from service.rulesets.networks.network import HIDDEN, MAX_FEATURES
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.rulesets.seats import MAX_SEATS
from workers.search.players import parameters_of
from workers.search.playouts import add_chance

A_BATCH = 10_000  # games
TWO_SEATS = 0.7  # of the games; the others have three or four
TEMPERATURES = 0.1, 0.6  # of the players of a game, between these
RANDOM_SHARE = 0.02  # of the decisions
KEPT_OF_A_GAME = 8  # positions of a game, any of them as likely as another


class Outcomes(NamedTuple):
    """records (n, bytes) uint8; at the end of the game, scores (n, 4) int16 and who has won: won (n, 4) float32, 1 for
    the only winner, less for one of several, -1 for others; numbers of games (n,) int64.
    """

    records: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.int16]
    won: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]


def asks_anywhere(ruleset: Ruleset) -> bool:
    """Whether a search asks what any position is worth, since it has no playouts; else where chance acts next."""
    return not parameters_of(ruleset).plies


@functools.cache
def _player(ruleset: Ruleset) -> Any:
    """Plays a game, and keeps positions; how many."""
    names = "start", "candidates", "preferences", "apply", "sample", "resolve_draw", "random_action"
    start, candidates, preferences, apply, sample, resolve_draw, random_action = map(ruleset.rules.function, names)
    everywhere = asks_anywhere(ruleset)

    @helper
    def choose(game: Record, rng: RngState, temperature: float, room: Any) -> int:
        actions, values, features, hidden = room
        count = candidates(game, actions)
        preferences(game, actions[:count], values[:count], features, hidden)
        add_chance(values[:count], temperature, rng)
        return actions[values[:count].argmax()]  # type: ignore[no-any-return]

    def play_one(game: Any, setting: Any, temperature: float, rng: Any, drawn: Any, room: Any, kept: Any) -> int:
        start(game, setting[0], setting[1], -1)
        decisions = seen = 0
        while game.status != OVER:
            if decisions and (everywhere or game.status == DRAWING):
                row = seen if seen < KEPT_OF_A_GAME else below(rng, seen + 1)
                seen += 1
                if row < KEPT_OF_A_GAME:
                    kept[row] = game
            if game.status == DRAWING:
                resolve_draw(game, drawn[: sample(game, rng, drawn)])
            else:
                decisions += 1
                at_random = uniform(rng) < RANDOM_SHARE
                apply(game, random_action(game, rng) if at_random else choose(game, rng, temperature, room))
        return min(seen, KEPT_OF_A_GAME)

    return jitted(play_one)


def won_by(keys: npt.NDArray[np.int64], seats: int) -> npt.NDArray[np.float32]:
    """Who has won, as in Outcomes (4,), by the keys of the outcome."""
    winners, won = keys[:seats] == keys[:seats].max(), np.full(MAX_SEATS, -1.0, np.float32)
    won[:seats] = np.where(winners, 2.0 / winners.sum() - 1.0, -1.0)
    return won


def play(ruleset_id: str, _word: str, number: int, seed: int) -> Outcomes:
    """A batch of games."""
    ruleset = RULESETS[ruleset_id]
    digest = hmac.digest(b"outcomes", f"{seed} {number}".encode(), "sha256")
    lots = np.random.default_rng(list(digest))
    seats = np.where(lots.random(A_BATCH) < TWO_SEATS, 2, lots.integers(3, MAX_SEATS + 1, A_BATCH))
    variants = lots.integers(0, len(ruleset.variants), A_BATCH)
    temperatures, rng, game = lots.uniform(*TEMPERATURES, A_BATCH), generator(digest), _records(ruleset, 1)
    drawn, room, kept = np.zeros(ruleset.max_drawn, np.int64), _room(ruleset), _records(ruleset, KEPT_OF_A_GAME)
    keys, parts = np.zeros(MAX_SEATS, np.int64), list[Outcomes]()
    for row in range(A_BATCH):
        game[:] = 0
        count = _player(ruleset)(game[0], (variants[row], seats[row]), temperatures[row], rng, drawn, room, kept)
        ruleset.rules.outcome(game[0], keys)
        won = won_by(keys, seats[row])
        contents = kept[:count].view(np.uint8).reshape(count, -1).copy()
        number_of_game = np.full(count, number * A_BATCH + row)
        parts.append(Outcomes(contents, np.tile(game[0].score, (count, 1)), np.tile(won, (count, 1)), number_of_game))
    return Outcomes(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _records(ruleset: Ruleset, count: int) -> Any:
    return np.zeros(count, np.dtype((np.record, ruleset.rules.dtype)))


def _room(ruleset: Ruleset) -> tuple[Any, ...]:
    """Memory for rules: actions, values, features, hidden."""
    actions, values = np.zeros(ruleset.max_actions, np.int64), np.zeros(ruleset.max_actions)
    features, hidden = np.zeros(MAX_FEATURES, np.int64), np.zeros(HIDDEN, np.float32)
    return actions, values, features, hidden
