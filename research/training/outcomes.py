"""Positions with the results of their games, as training data of value networks.

Chance decides much, so millions of positions are needed. Games are played in machine code without search: each decision
is drawn by the ruleset's preferences at a temperature, and a few at random. A few positions of each game are stored, of
the kind that a search evaluates: those in which chance acts next, or any if the search has no playouts.
"""

from __future__ import annotations

import functools
import hmac
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from research.training.games import join
from service.rulesets.compiler import jit
from service.rulesets.kernel import DRAWING, OVER, Record, RngState, generator, helper, random_below, uniform
from service.rulesets.networks.network import HIDDEN, MAX_FEATURES
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.rulesets.seats import MAX_SEATS
from workers.search.players import parameters_of
from workers.search.playouts import add_gumbel_noise

BATCH_GAMES = 10_000
TWO_SEATS = 0.7  # share of games with two seats; the others have three or four
TEMPERATURES = 0.1, 0.6  # range of a game's temperature
RANDOM_SHARE = 0.02  # share of random decisions
KEPT_OF_A_GAME = 8  # positions of a game, a uniform sample


class Outcomes(NamedTuple):
    """Positions of games.

    records: (n, bytes) uint8; scores: at the end of the game, (n, 4) int16; won: (n, 4) float32, 1 for a single winner,
    less for one of several, -1 for losers; games: numbers of the games, (n,) int64.
    """

    records: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.int16]
    won: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]


def has_no_playouts(ruleset: Ruleset) -> bool:
    """Return whether the search has no playouts, so it evaluates any position, not only before chance acts."""
    return not parameters_of(ruleset).plies


@functools.cache
def _player(ruleset: Ruleset) -> Any:
    """Return the compiled function that plays a game and returns the number of stored positions."""
    names = "start", "candidates", "preferences", "apply", "sample", "resolve_draw", "random_action"
    start, candidates, preferences, apply, sample, resolve_draw, random_action = map(ruleset.rules.function, names)
    any_position = has_no_playouts(ruleset)

    @helper
    def choose(game: Record, rng: RngState, temperature: float, room: Any) -> int:
        actions, values, features, hidden = room
        count = candidates(game, actions)
        preferences(game, actions[:count], values[:count], features, hidden)
        add_gumbel_noise(values[:count], temperature, rng)
        return actions[values[:count].argmax()]  # type: ignore[no-any-return]

    def play_one(game: Any, setting: Any, temperature: float, rng: Any, drawn: Any, room: Any, kept: Any) -> int:
        start(game, setting[0], setting[1], -1)
        decisions = seen = 0
        while game.status != OVER:
            if decisions and (any_position or game.status == DRAWING):
                row = seen if seen < KEPT_OF_A_GAME else random_below(rng, seen + 1)
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

    return jit(play_one)


def won_by(keys: npt.NDArray[np.int64], seats: int) -> npt.NDArray[np.float32]:
    """Return the winners as in Outcomes, (4,), from the keys of the outcome."""
    winners, won = keys[:seats] == keys[:seats].max(), np.full(MAX_SEATS, -1.0, np.float32)
    won[:seats] = np.where(winners, 2.0 / winners.sum() - 1.0, -1.0)
    return won


def play(ruleset_id: str, _word: str, number: int, seed: int) -> Outcomes:
    """Play a batch of games."""
    ruleset = RULESETS[ruleset_id]
    digest = hmac.digest(b"outcomes", f"{seed} {number}".encode(), "sha256")
    lots = np.random.default_rng(list(digest))
    seats = np.where(lots.random(BATCH_GAMES) < TWO_SEATS, 2, lots.integers(3, MAX_SEATS + 1, BATCH_GAMES))
    variants = lots.integers(0, len(ruleset.variants), BATCH_GAMES)
    temperatures, rng, game = lots.uniform(*TEMPERATURES, BATCH_GAMES), generator(digest), _records(ruleset, 1)
    drawn, room, kept = np.zeros(ruleset.max_drawn, np.int64), _room(ruleset), _records(ruleset, KEPT_OF_A_GAME)
    keys, parts = np.zeros(MAX_SEATS, np.int64), list[Outcomes]()
    for row in range(BATCH_GAMES):
        game[:] = 0
        count = _player(ruleset)(game[0], (variants[row], seats[row]), temperatures[row], rng, drawn, room, kept)
        ruleset.rules.outcome(game[0], keys)
        won = won_by(keys, seats[row])
        contents = kept[:count].view(np.uint8).reshape(count, -1).copy()
        number_of_game = np.full(count, number * BATCH_GAMES + row)
        parts.append(Outcomes(contents, np.tile(game[0].score, (count, 1)), np.tile(won, (count, 1)), number_of_game))
    return join(Outcomes, parts)


def _records(ruleset: Ruleset, count: int) -> Any:
    return np.zeros(count, np.dtype((np.record, ruleset.rules.dtype)))


def _room(ruleset: Ruleset) -> tuple[Any, ...]:
    """Return buffers of the rules: actions, values, features, hidden."""
    actions, values = np.zeros(ruleset.max_actions, np.int64), np.zeros(ruleset.max_actions)
    features, hidden = np.zeros(MAX_FEATURES, np.int64), np.zeros(HIDDEN, np.float32)
    return actions, values, features, hidden
