"""Many games of one ruleset, each a decision further in one call of compiled code.

It is compiled once for all rulesets, which it gets as functions that take a record's address
(`workers.search.record_abi`). A finished game is followed by the next at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import DRAWING, OVER, Ints, RngState, below, helper
from workers.search.record_abi import Words, address, header, seat_to_decide, status

ALL_LEGAL = -1  # what `step` returns, unless a game's action may not be chosen


class EnvRules(NamedTuple):
    """A ruleset's rules, each taking an address. `listing` is legal_actions or candidates; `features` writes the
    numbers of the position's features, and returns how many.
    """

    start: Any
    listing: Any
    apply: Any
    sample: Any
    resolve_draw: Any
    outcome: Any
    features: Any


class Setting(NamedTuple):
    """The number of the variant, seats, and whether an action is the ruleset's integer (1) or a place (0)."""

    variant: int
    seats: int
    are_numbered: int


class Games(NamedTuple):
    """Of all games, by number; what VectorEnv shows of them is told there.

    rows: the records, (games, words); rngs: (games, 4), the chance of each; listed: (games, actions), the ruleset's
    integers that may be chosen, `counts` of them; features: (games, MOST_FEATURES), the numbers of features, `seen` of
    them. Drawn, actions and keys are memory of the rules.
    """

    rows: Words
    rngs: npt.NDArray[np.uint64]
    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.bool_]
    listed: Ints
    counts: Ints
    features: Ints
    seen: Ints
    seats: Ints
    rewards: npt.NDArray[np.float32]
    dones: npt.NDArray[np.bool_]
    scores: Ints
    drawn: Ints
    actions: Ints
    keys: Ints


@helper
def share_rewards(keys: Ints, seats: int, rewards: Any) -> None:
    """What each seat gets at the end, by the keys of the outcome; the sum is 0.

    The share of the win (1, or less in a tie; 0 for losers), moved and stretched so that the only winner gets 1 and
    equal play nothing: with two seats 1, 0 or -1.
    """
    winners, best = 0, keys[0]
    for seat in range(seats):
        best = max(best, keys[seat])
    for seat in range(seats):
        winners += keys[seat] == best
    for seat in range(seats):
        share = 1.0 / winners if keys[seat] == best else 0.0
        rewards[seat] = (seats * share - 1.0) / (seats - 1.0)


@helper
def let_chance_act(rules: EnvRules, games: Games, game: int) -> None:
    """Until a seat decides, or the game is over."""
    here = address(games.rows, game)
    while status(games.rows, game) == DRAWING:
        count = rules.sample(here, games.rngs[game], games.drawn)
        rules.resolve_draw(here, games.drawn[:count])


@helper
def begin(rules: EnvRules, games: Games, setting: Setting, game: int) -> None:
    """A new game in that row."""
    for word in range(games.rows.shape[1]):
        games.rows[game, word] = 0
    rules.start(address(games.rows, game), setting.variant, setting.seats, -1)
    let_chance_act(rules, games, game)


@helper
def look(rules: EnvRules, games: Games, setting: Setting, game: int) -> None:
    """What the seat to decide sees and may do."""
    here = address(games.rows, game)
    for k in range(games.seen[game]):
        games.observations[game, games.features[game, k]] = 0
    games.seen[game] = rules.features(here, games.features[game])
    for k in range(games.seen[game]):
        games.observations[game, games.features[game, k]] += 1
    for k in range(games.counts[game]):
        games.masks[game, games.listed[game, k] if setting.are_numbered else k] = False
    count = rules.listing(here, games.actions)
    for k in range(count):
        games.listed[game, k] = games.actions[k]
        games.masks[game, games.actions[k] if setting.are_numbered else k] = True
    games.counts[game] = count
    games.seats[game] = seat_to_decide(games.rows, game)


def reset(rules: EnvRules, games: Games, setting: Setting) -> int:
    """New games in all rows; how many."""
    for game in range(len(games.rows)):
        begin(rules, games, setting, game)
        look(rules, games, setting, game)
    return len(games.rows)


def step(rules: EnvRules, games: Games, setting: Setting, actions: Ints) -> int:
    """One decision in each game; ALL_LEGAL, or the first game whose action may not be chosen: then nothing is done."""
    for game in range(len(actions)):
        if not 0 <= actions[game] < games.masks.shape[1] or not games.masks[game, actions[game]]:
            return game
    for game in range(len(actions)):
        here = address(games.rows, game)
        rules.apply(here, actions[game] if setting.are_numbered else games.listed[game, actions[game]])
        let_chance_act(rules, games, game)
        games.dones[game] = status(games.rows, game) == OVER
        for seat in range(setting.seats):
            games.rewards[game, seat] = 0.0
            games.scores[game, seat] = header(here).score[seat]
        if games.dones[game]:
            rules.outcome(here, games.keys)
            share_rewards(games.keys, setting.seats, games.rewards[game])
            begin(rules, games, setting, game)
        look(rules, games, setting, game)
    return ALL_LEGAL


def draw_actions(games: Games, setting: Setting, rng: RngState, out: Ints) -> int:
    """In each game one of the actions that may be chosen, each equally likely; of how many games."""
    for game in range(len(out)):
        k = below(rng, games.counts[game])
        out[game] = games.listed[game, k] if setting.are_numbered else k
    return len(out)


SIGNATURES_OF_STEPS = {
    "reset": "int64(EnvRules, Games, Setting)",
    "step": "int64(EnvRules, Games, Setting, int64[::1])",
    "draw_actions": "int64(Games, Setting, uint64[::1], int64[::1])",
}
"""What is called from outside; the names of the types stand in compiling.py."""

FUNCTIONS = {"reset": reset, "step": step, "draw_actions": draw_actions}
