"""Compiled code that advances many games of a ruleset by one decision each.

It is compiled once for all rulesets and receives their rules as functions of a record's address
(`workers.search.rows`). A finished game is replaced by a new one at once.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import DRAWING, HEADER, OVER, Ints, RngState, helper, random_below
from workers.search.rows import Words, address, score_of, seat_to_decide, status

ALL_LEGAL = -1  # returned by `step` if all actions are legal
NO_AGENT = -1
LOWEST_KEY = -(2**62)  # of an outcome
_LAYOUT: Any = np.dtype(HEADER).fields
SEAT_SHIFT = np.uint64(8 * _LAYOUT["seat"][1])  # of the seat to decide, in a row's first word
SEAT_MASK = np.uint64(0xFF) << SEAT_SHIFT


class EnvRules(NamedTuple):
    """A ruleset's rules, as functions of an address.

    `listing`: legal_actions or candidates; `features`: writes the numbers of a position's features, returns the count.
    """

    start: Any
    listing: Any
    apply: Any
    sample: Any
    resolve_draw: Any
    random_action: Any
    outcome: Any
    features: Any


class Setting(NamedTuple):
    """Number of the variant, number of seats, and whether an action is the ruleset's integer (1) or an index (0).

    agent: the only seat that decides, while the others act at random; NO_AGENT: all seats decide.
    """

    variant: int
    seats: int
    are_numbered: int
    agent: int


class Games(NamedTuple):
    """Arrays of all games. VectorEnv documents those that it shows.

    rows: the records, (games, words); rngs: random generators, (games, 4); listed: possible actions as the ruleset's
    integers, (games, actions); counts: number of valid entries in listed; last_seen: what an agent saw at the end of
    its last game. Features, drawn, actions and keys are buffers of the rules.
    """

    rows: Words
    rngs: npt.NDArray[np.uint64]
    observations: npt.NDArray[np.int8]
    last_seen: npt.NDArray[np.int8]
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
def allows(masks: Any, game: int, action: int) -> bool:
    """Return whether the mask of a game allows an action."""
    return bool(0 <= action < masks.shape[1] and masks[game, action])


@helper
def first_illegal(masks: Any, actions: Ints) -> int:
    """Return the first game whose mask does not allow its action, or ALL_LEGAL."""
    for game in range(len(actions)):
        if not allows(masks, game, actions[game]):
            return game
    return ALL_LEGAL


@helper
def write_scores(rows: Words, game: int, scores: Ints) -> None:
    """Write the points of the seats of a game."""
    for seat in range(len(scores)):
        scores[seat] = score_of(rows, game, seat)


@helper
def play_others(rules: EnvRules, games: Games, game: int, agent: int) -> None:
    """Let the other seats and chance act until the agent decides or the game is over."""
    here, now = address(games.rows, game), status(games.rows, game)
    while now == DRAWING or (now != OVER and seat_to_decide(games.rows, game) != agent):
        if now == DRAWING:
            rules.resolve_draw(here, games.drawn[: rules.sample(here, games.rngs[game], games.drawn)])
        else:
            rules.apply(here, rules.random_action(here, games.rngs[game]))
        now = status(games.rows, game)


@helper
def finish(rules: EnvRules, games: Games, setting: Setting, game: int, loses: int) -> None:
    """Write the rewards and what the agent sees at the end. `loses`: 1 if it has given up."""
    here, agent = address(games.rows, game), setting.agent
    rules.outcome(here, games.keys)
    if loses:
        games.keys[agent] = LOWEST_KEY
    share_rewards(games.keys, setting.seats, games.rewards[game])
    if agent != NO_AGENT:
        games.rows[game, 0] = games.rows[game, 0] & ~SEAT_MASK | np.uint64(agent) << SEAT_SHIFT
        observe(games.features, rules.features(here, games.features), games.last_seen[game])


@helper
def step(rules: EnvRules, games: Games, setting: Setting, actions: Ints, restart: int) -> int:
    """Apply one decision in each game, or start a new game in each if `restart` is 1.

    With an agent, an impossible action ends the game as a loss. Otherwise, return the first game with one, and change
    nothing. Return ALL_LEGAL.
    """
    wrong = ALL_LEGAL if restart or setting.agent != NO_AGENT else first_illegal(games.masks, actions)
    if wrong != ALL_LEGAL:
        return wrong
    for game in range(len(actions)):
        here, is_over = address(games.rows, game), False
        loses = setting.agent != NO_AGENT and not restart and not allows(games.masks, game, actions[game])
        if not restart and not loses:
            rules.apply(here, actions[game] if setting.are_numbered else games.listed[game, actions[game]])
            while status(games.rows, game) == DRAWING:
                rules.resolve_draw(here, games.drawn[: rules.sample(here, games.rngs[game], games.drawn)])
            if setting.agent != NO_AGENT:
                play_others(rules, games, game, setting.agent)
            is_over = status(games.rows, game) == OVER
        games.dones[game] = is_over or loses
        games.rewards[game, :] = 0.0
        write_scores(games.rows, game, games.scores[game, : setting.seats])
        if is_over or loses:
            finish(rules, games, setting, game, int(loses))
        if restart or is_over or loses:
            games.rows[game, :] = 0
            rules.start(here, setting.variant, setting.seats, -1)
            while status(games.rows, game) == DRAWING:
                rules.resolve_draw(here, games.drawn[: rules.sample(here, games.rngs[game], games.drawn)])
            if setting.agent != NO_AGENT:
                play_others(rules, games, game, setting.agent)
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
