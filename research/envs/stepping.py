"""Many games of one ruleset, each a decision further in one call of compiled code.

It is compiled once for all rulesets, which it gets as functions that take a record's address
(`workers.search.rows`). A finished game is followed by the next at once.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import DRAWING, OVER, Ints, RngState, below, helper
from workers.search.rows import Words, address, score_of, seat_to_decide, status

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
    integers that may be chosen, `counts` of them. Features, drawn, actions and keys are memory of the rules.
    """

    rows: Words
    rngs: npt.NDArray[np.uint64]
    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.bool_]
    listed: Ints
    counts: Ints
    seats: Ints
    rewards: npt.NDArray[np.float32]
    dones: npt.NDArray[np.bool_]
    scores: Ints
    features: Ints
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
def observe(features: Ints, count: int, observation: Any) -> None:
    """How often each feature is among those of the position."""
    observation[:] = 0
    for k in range(count):
        observation[features[k]] += 1


@helper
def list_actions(actions: Ints, count: int, are_numbered: int, listed: Ints, mask: Any) -> None:
    """What may be chosen, as the ruleset's integers and as a mask of actions."""
    mask[:] = False
    for k in range(count):
        listed[k] = actions[k]
        mask[actions[k] if are_numbered else k] = True


@helper
def step(rules: EnvRules, games: Games, setting: Setting, actions: Ints, anew: int) -> int:
    """One decision in each game, or where `anew` is 1 a new game in each.

    ALL_LEGAL; or the first game whose action may not be chosen: then nothing is done. (A helper that took all that this
    takes would cost as much as a decision.)
    """
    for game in range(len(actions)):
        if not anew and (not 0 <= actions[game] < games.masks.shape[1] or not games.masks[game, actions[game]]):
            return game
    for game in range(len(actions)):
        here, is_over = address(games.rows, game), False
        if not anew:
            rules.apply(here, actions[game] if setting.are_numbered else games.listed[game, actions[game]])
            while status(games.rows, game) == DRAWING:
                rules.resolve_draw(here, games.drawn[: rules.sample(here, games.rngs[game], games.drawn)])
            is_over = status(games.rows, game) == OVER
        games.dones[game] = is_over
        for seat in range(setting.seats):
            games.rewards[game, seat] = 0.0
            games.scores[game, seat] = score_of(games.rows, game, seat)
        if is_over:
            rules.outcome(here, games.keys)
            share_rewards(games.keys, setting.seats, games.rewards[game])
        if anew or is_over:
            games.rows[game, :] = 0
            rules.start(here, setting.variant, setting.seats, -1)
            while status(games.rows, game) == DRAWING:
                rules.resolve_draw(here, games.drawn[: rules.sample(here, games.rngs[game], games.drawn)])
        observe(games.features, rules.features(here, games.features), games.observations[game])
        count = rules.listing(here, games.actions)
        list_actions(games.actions, count, setting.are_numbered, games.listed[game], games.masks[game])
        games.counts[game] = count
        games.seats[game] = seat_to_decide(games.rows, game)
    return ALL_LEGAL


@helper
def draw_actions(games: Games, setting: Setting, rng: RngState, out: Ints) -> int:
    """In each game one of the actions that may be chosen, each equally likely; of how many games."""
    for game in range(len(out)):
        k = below(rng, games.counts[game])
        out[game] = games.listed[game, k] if setting.are_numbered else k
    return len(out)


ENTRIES = {
    cast("FunctionType", step): "EnvRules, Games, Setting, int64[::1], int64",
    cast("FunctionType", draw_actions): "Games, Setting, uint64[::1], int64[::1]",
}
"""What is called from outside, and the types of its arguments."""
