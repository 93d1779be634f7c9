"""Policies trained by research.envs.learn: a network with one hidden layer, stored in a file.

It needs only NumPy, so it plays with the dependencies of the service. `python -m research.envs.policy policy.npz`
speaks the protocol of research/matches/programs.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from research.envs.machine import observation
from research.envs.spaces import Spaces, spaces_of
from research.matches.serve import Answering
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.rulesets.wire import Json

HIDDEN_UNITS = 128
IMPOSSIBLE = -1e9  # log-odds of illegal actions


class Policy(NamedTuple):
    """Weights, float32. seen: (observed, HIDDEN_UNITS); chosen: (HIDDEN_UNITS, actions); expected: (HIDDEN_UNITS,)."""

    seen: Any
    seen_bias: Any
    chosen: Any
    chosen_bias: Any
    expected: Any
    expected_bias: Any


def new_policy(spaces: Spaces, seed: int) -> Policy:
    """Return an untrained policy, which chooses almost uniformly."""
    lots = np.random.default_rng(seed)
    few = np.sqrt(2 / 64).astype(np.float32)  # about 64 features are present at a time
    return Policy(
        seen=few * lots.standard_normal((spaces.observation_size, HIDDEN_UNITS), np.float32),
        seen_bias=np.zeros(HIDDEN_UNITS, np.float32),
        chosen=0.01 * lots.standard_normal((HIDDEN_UNITS, spaces.actions), np.float32),
        chosen_bias=np.zeros(spaces.actions, np.float32),
        expected=np.zeros(HIDDEN_UNITS, np.float32),
        expected_bias=np.zeros(1, np.float32),
    )


def judge(policy: Policy, observations: Any, masks: Any) -> tuple[Any, Any]:
    """Return log-odds of the actions, (n, actions), and expected returns, (n,). Takes NumPy or JAX arrays."""
    hidden = observations @ policy.seen + policy.seen_bias
    hidden = hidden * (hidden > 0)
    odds = hidden @ policy.chosen + policy.chosen_bias + IMPOSSIBLE * ~masks
    return odds, hidden @ policy.expected + policy.expected_bias[0]


def save(policy: Policy, path: Path, ruleset: str) -> None:
    """Write a policy to a file."""
    with path.open("wb") as file:
        np.savez(file, ruleset=ruleset, **policy._asdict())


class Chooser(Answering):
    """Player that always chooses the most probable action of a stored policy."""

    def __init__(self, path: Path) -> None:
        """Raise OSError, KeyError or ValueError for an invalid file, or one with other features."""
        with np.load(path) as file:
            self.ruleset = RULESETS[str(file["ruleset"])]
            self.policy = Policy(*(file[name] for name in Policy._fields))
        self._spaces = spaces_of(self.ruleset)
        trained_for = len(self.policy.seen), self.policy.chosen.shape[1]
        if trained_for != (self._spaces.observation_size, self._spaces.actions):
            raise ValueError(f"{path} was trained with other features")

    def choose(self, position: Position, question: Json) -> int:  # noqa: ARG002 - no time limit or chance needed
        """Return the action of `decide`."""
        return self.decide(position)

    def decide(self, position: Position) -> int:
        """Return the most probable action, as the ruleset's integer. Raises ValueError for another ruleset."""
        if position.ruleset is not self.ruleset:
            raise ValueError(f"the policy plays {self.ruleset.id}, not {position.ruleset.id}")
        seen = observation(self._spaces, position.table_state()).astype(np.float32)
        odds, _ = judge(self.policy, seen[None], self._spaces.mask(position)[None])
        return self._spaces.integer(position, int(odds[0].argmax()))


def main() -> None:
    """Answer the questions of a benchmark match."""
    parser = argparse.ArgumentParser(prog="python -m research.envs.policy", description="a player of matches")
    parser.add_argument("file", type=Path, help="file written by research.envs.learn")
    Chooser(parser.parse_args().file).answer_all()


if __name__ == "__main__":
    main()
