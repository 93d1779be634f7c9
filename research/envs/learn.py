"""Train a small policy for minutes: `python -m research.envs.learn azul --minutes 5 --out policy.npz`.

An example of what VectorEnv is for (with the extra `learning`, for JAX). The policy plays against itself; after each
batch of whole games it learns by proximal policy optimisation (Schulman et al. 2017), where the return of every
decision is how its game ended: half of it who won, half by how many points. It is no rival of the levels that search.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

from research.envs.policy import Policy, begun, judge, save
from research.envs.vector import VectorEnv
from service.rulesets.registry import RULESETS

LEARNING_RATE = 1e-3
CLIPPED = 0.2  # how far one batch may change how likely an action is
CURIOSITY = 0.01  # weight of the entropy
LOOKED_AT = 2  # times at each decision
DECISIONS_A_STEP = 2048
POINTS_AHEAD = 20.0  # that are worth tanh(1) = 0.76


class Decided(NamedTuple):
    """Decisions of whole games. observations: (n, observed) int8; masks: (n, actions) bool; actions: (n,) int64;
    odds: (n,), the logarithm of how likely the action was; returns: (n,) float32.
    """

    observations: Any
    masks: Any
    actions: Any
    odds: Any
    returns: Any


def play(policy: Policy, games: VectorEnv, seed: int) -> Decided:
    """One game in each row of the env, against itself."""
    games.reset(seed)
    key, playing = jax.random.key(seed), np.ones(len(games.seats), np.bool_)
    returns, parts, whose = np.zeros(games.rewards.shape, np.float32), list[tuple[Any, ...]](), list[Any]()
    while playing.any():
        chosen, odds, key = choose(policy, games.observations, games.masks, key)
        chosen, odds, rows = np.asarray(chosen), np.asarray(odds), np.nonzero(playing)[0]
        parts.append((games.observations[rows], games.masks[rows], chosen[rows], odds[rows]))
        whose.append((rows, games.seats[rows]))
        games.step(chosen)
        ended = playing & games.dones
        returns[ended] = returns_of(games.rewards[ended], games.scores[ended])
        playing &= ~ended
    rows, seats = (np.concatenate(every) for every in zip(*whose, strict=True))
    observations, masks, actions, likely = (np.concatenate(every) for every in zip(*parts, strict=True))
    return Decided(observations, masks, actions, likely, returns[rows, seats])


def returns_of(rewards: npt.NDArray[np.float32], scores: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """(n, seats), of n games that have ended so."""
    others = np.stack([np.delete(scores, seat, axis=1).max(axis=1) for seat in range(scores.shape[1])], axis=1)
    return np.asarray((rewards + np.tanh((scores - others) / POINTS_AHEAD)) / 2, np.float32)


@jax.jit
def choose(policy: Policy, observations: Any, masks: Any, key: Any) -> tuple[Any, Any, Any]:
    """Actions drawn as the policy has it, (n,), the logarithm of how likely each was, and a key for the next."""
    odds = jax.nn.log_softmax(judge(policy, observations.astype(jnp.float32), masks)[0])
    key, now = jax.random.split(key)
    actions = jax.random.categorical(now, odds)
    return actions, jnp.take_along_axis(odds, actions[:, None], axis=1)[:, 0], key


def loss(policy: Policy, batch: Decided) -> Any:
    """What is made less: of the clipped surrogate, of the expected return's error, and of certainty."""
    log_odds, expected = judge(policy, batch.observations.astype(jnp.float32), batch.masks)
    every = jax.nn.log_softmax(log_odds)
    odds = jnp.take_along_axis(every, batch.actions[:, None], axis=1)[:, 0]
    better = batch.returns - jax.lax.stop_gradient(expected)
    better = (better - better.mean()) / (better.std() + 1e-6)
    ratio = jnp.exp(odds - batch.odds)
    gained = jnp.minimum(ratio * better, jnp.clip(ratio, 1 - CLIPPED, 1 + CLIPPED) * better).mean()
    entropy = -jnp.where(batch.masks, jnp.exp(every) * every, 0.0).sum(axis=1).mean()
    return ((expected - batch.returns) ** 2).mean() / 2 - gained - CURIOSITY * entropy


def batches(data: Decided, lots: np.random.Generator) -> Iterator[Decided]:
    """All decisions but a few, in any order, DECISIONS_A_STEP at a time."""
    order = lots.permutation(len(data.actions))
    for first in range(0, len(order) - DECISIONS_A_STEP + 1, DECISIONS_A_STEP):
        yield Decided(*(part[order[first : first + DECISIONS_A_STEP]] for part in data))


def train(games: VectorEnv, seed: int, seconds: float, most: int | None = None) -> Policy:
    """The policy after so many seconds, or `most` batches of games; told about on the way."""
    policy, lots = begun(games.spaces, seed), np.random.default_rng(seed)
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(LEARNING_RATE))
    state, began, played = optimizer.init(policy), time.monotonic(), 0

    @jax.jit
    def step(policy: Policy, state: Any, batch: Decided) -> Any:
        changes, state = optimizer.update(jax.grad(loss)(policy, batch), state)
        return optax.apply_updates(policy, changes), state

    while time.monotonic() - began < seconds and played != most:
        data = play(policy, games, seed + played * len(games.seats))
        for _ in range(LOOKED_AT):
            for batch in batches(data, lots):
                policy, state = step(policy, state, batch)
        played += 1
        if played % 10 == 0 or played == most:
            spent, points = time.monotonic() - began, games.scores[games.dones].mean() if games.dones.any() else 0
            print(f"{spent:.0f} s: {played * len(games.seats):,} games; {points:.1f} points at the end", flush=True)
    return Policy(*(np.asarray(table) for table in policy))


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m research.envs.learn", description=__doc__)
    parser.add_argument("ruleset", choices=RULESETS)
    parser.add_argument("--variant", help="default: the ruleset's first")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--games", type=int, default=256, help="at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("policy.npz"))
    options = parser.parse_args()
    variant = options.variant or RULESETS[options.ruleset].variants[0]
    games = VectorEnv(options.ruleset, variant, options.seats, options.games)
    save(train(games, options.seed, options.minutes * 60), options.out, options.ruleset)


if __name__ == "__main__":
    main()
