"""Compiled code that advances many games of a ruleset by one decision each.

It is compiled once for all rulesets and receives their rules as functions of a record's address
(`workers.search.rows`). A finished game is replaced by a new one at once.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import DRAWING, OVER, Ints, RngState, helper, random_below
from workers.search.rows import Words, address, score_of, seat_to_decide, status

ALL_LEGAL = -1  # returned by `step` if all actions are legal


class EnvRules(NamedTuple):
    """A ruleset's rules, as functions of an address.

    `listing`: legal_actions or candidates; `features`: writes the numbers of a position's features, returns the count.
    """

    start: Any
    listing: Any
    apply: Any
    sample: Any
    resolve_draw: Any
    outcome: Any
    features: Any


class Setting(NamedTuple):
    """Number of the variant, number of seats, and whether an action is the ruleset's integer (1) or an index (0)."""

    variant: int
    seats: int
    are_numbered: int


class Games(NamedTuple):
    """Arrays of all games. VectorEnv documents those that it shows.

    rows: the records, (games, words); rngs: random generators, (games, 4); listed: possible actions as the ruleset's
    integers, (games, actions); counts: number of valid entries in listed. Features, drawn, actions and keys are buffers
    of the rules.
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
    """Write each seat's final reward, from the keys of the outcome. The sum is 0.

    The reward is the share of the win (1, less in a tie, 0 for losers), scaled so that a single winner gets 1 and a tie
    of all gives 0. With two seats it is 1, 0 or -1.
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
    """Write how often each feature occurs in the position."""
    observation[:] = 0
    for k in range(count):
        observation[features[k]] += 1


@helper
def list_actions(actions: Ints, count: int, are_numbered: int, listed: Ints, mask: Any) -> None:
    """Write the possible actions, as the ruleset's integers and as a mask."""
    mask[:] = False
    for k in range(count):
        listed[k] = actions[k]
        mask[actions[k] if are_numbered else k] = True


@helper
def step(rules: EnvRules, games: Games, setting: Setting, actions: Ints, restart: int) -> int:
    """Apply one decision in each game, or start a new game in each if `restart` is 1.

    Return ALL_LEGAL, or the first game with an illegal action; then nothing is changed. The function is not split,
    because passing all of its arguments to a helper would cost as much as a decision.
    """
    for game in range(len(actions)):
        if not restart and (not 0 <= actions[game] < games.masks.shape[1] or not games.masks[game, actions[game]]):
            return game
    for game in range(len(actions)):
        here, is_over = address(games.rows, game), False
        if not restart:
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
        if restart or is_over:
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
    """Draw a possible action in each game, all equally likely. Return the number of games."""
    for game in range(len(out)):
        k = random_below(rng, games.counts[game])
        out[game] = games.listed[game, k] if setting.are_numbered else k
    return len(out)


ENTRIES = {
    cast("FunctionType", step): "EnvRules, Games, Setting, int64[::1], int64",
    cast("FunctionType", draw_actions): "Games, Setting, uint64[::1], int64[::1]",
}
"""Entry points and the types of their arguments."""
