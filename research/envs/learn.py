"""Train a small policy for minutes: `python -m research.envs.learn azul --minutes 5 --out policy.npz`.

An example for VectorEnv. Needs the extra `learning`, for JAX. The policy plays against itself. After each batch of
games it is updated by proximal policy optimisation (Schulman et al. 2017). The return of a decision is the average of
the game's win and its lead in points. The policy is weaker than the levels that search.
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

from research.envs.policy import Policy, judge, new_policy, save
from research.envs.vector import VectorEnv
from service.rulesets.registry import RULESETS

LEARNING_RATE = 1e-3
CLIPPED = 0.2  # maximum change of an action's probability in one batch
CURIOSITY = 0.01  # weight of the entropy
UPDATES_PER_DECISION = 2  # updates with each decision
DECISIONS_A_STEP = 2048
POINTS_AHEAD = 20.0  # a lead of this size is worth tanh(1) = 0.76


class Decided(NamedTuple):
    """Decisions of whole games.

    observations: (n, observed) int8; masks: (n, actions) bool; actions: (n,) int64; odds: log-probabilities of the
    actions, (n,); returns: (n,) float32.
    """

    observations: Any
    masks: Any
    actions: Any
    odds: Any
    returns: Any


def play(policy: Policy, games: VectorEnv, seed: int) -> Decided:
    """Play one game in each row of the environment, with the policy on all seats."""
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
    """Return the returns of n finished games, (n, seats)."""
    others = np.stack([np.delete(scores, seat, axis=1).max(axis=1) for seat in range(scores.shape[1])], axis=1)
    return np.asarray((rewards + np.tanh((scores - others) / POINTS_AHEAD)) / 2, np.float32)


@jax.jit
def choose(policy: Policy, observations: Any, masks: Any, key: Any) -> tuple[Any, Any, Any]:
    """Draw actions from the policy. Return them, (n,), their log-probabilities, and the next random key."""
    odds = jax.nn.log_softmax(judge(policy, observations.astype(jnp.float32), masks)[0])
    key, now = jax.random.split(key)
    actions = jax.random.categorical(now, odds)
    return actions, jnp.take_along_axis(odds, actions[:, None], axis=1)[:, 0], key


def loss(policy: Policy, batch: Decided) -> Any:
    """Return the loss: clipped surrogate objective, error of the expected return, and entropy bonus."""
    log_odds, expected = judge(policy, batch.observations.astype(jnp.float32), batch.masks)
    all_odds = jax.nn.log_softmax(log_odds)
    odds = jnp.take_along_axis(all_odds, batch.actions[:, None], axis=1)[:, 0]
    better = batch.returns - jax.lax.stop_gradient(expected)
    better = (better - better.mean()) / (better.std() + 1e-6)
    ratio = jnp.exp(odds - batch.odds)
    gained = jnp.minimum(ratio * better, jnp.clip(ratio, 1 - CLIPPED, 1 + CLIPPED) * better).mean()
    entropy = -jnp.where(batch.masks, jnp.exp(all_odds) * all_odds, 0.0).sum(axis=1).mean()
    return ((expected - batch.returns) ** 2).mean() / 2 - gained - CURIOSITY * entropy


def batches(data: Decided, lots: np.random.Generator) -> Iterator[Decided]:
    """Yield the decisions in random order, in batches of DECISIONS_A_STEP. An incomplete batch is left out."""
    order = lots.permutation(len(data.actions))
    for first in range(0, len(order) - DECISIONS_A_STEP + 1, DECISIONS_A_STEP):
        yield Decided(*(part[order[first : first + DECISIONS_A_STEP]] for part in data))


def train(games: VectorEnv, seed: int, seconds: float, max_batches: int | None = None) -> Policy:
    """Train for `seconds`, or for `max_batches` batches of games, and print the progress. Return the policy."""
    policy, lots = new_policy(games.spaces, seed), np.random.default_rng(seed)
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(LEARNING_RATE))
    state, began, played = optimizer.init(policy), time.monotonic(), 0

    @jax.jit
    def step(policy: Policy, state: Any, batch: Decided) -> Any:
        changes, state = optimizer.update(jax.grad(loss)(policy, batch), state)
        return optax.apply_updates(policy, changes), state

    while time.monotonic() - began < seconds and played != max_batches:
        data = play(policy, games, seed + played * len(games.seats))
        for _ in range(UPDATES_PER_DECISION):
            for batch in batches(data, lots):
                policy, state = step(policy, state, batch)
        played += 1
        if played % 10 == 0 or played == max_batches:
            spent, points = time.monotonic() - began, games.scores[games.dones].mean() if games.dones.any() else 0
            print(f"{spent:.0f} s: {played * len(games.seats):,} games; {points:.1f} points at the end", flush=True)
    return Policy(*(np.asarray(table) for table in policy))


def main() -> None:
    """Train a policy and write it to a file."""
    parser = argparse.ArgumentParser(prog="python -m research.envs.learn", description=__doc__)
    parser.add_argument("ruleset", choices=RULESETS)
    parser.add_argument("--variant", help="default: the ruleset's first")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--games", type=int, default=256, help="number of games at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("policy.npz"))
    options = parser.parse_args()
    variant = options.variant or RULESETS[options.ruleset].variants[0]
    games = VectorEnv(options.ruleset, variant, options.seats, options.games)
    save(train(games, options.seed, options.minutes * 60), options.out, options.ruleset)


if __name__ == "__main__":
    main()
