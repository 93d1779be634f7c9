"""A policy as research.envs.learn trains it: a network of one hidden layer over observations, kept in a file.

NumPy alone computes it, so to play needs no more than the service does. `python -m research.envs.policy policy.npz`
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
IMPOSSIBLE = -1e9  # log-odds of what may not be chosen


class Policy(NamedTuple):
    """Weights, float32. seen: (observed, HIDDEN_UNITS); chosen: (HIDDEN_UNITS, actions); expected: (HIDDEN_UNITS,)."""

    seen: Any
    seen_bias: Any
    chosen: Any
    chosen_bias: Any
    expected: Any
    expected_bias: Any


def begun(spaces: Spaces, seed: int) -> Policy:
    """One that has learned nothing: it chooses about evenly."""
    lots = np.random.default_rng(seed)
    few = np.sqrt(2 / 64).astype(np.float32)  # some 64 features are so at a time
    return Policy(
        seen=few * lots.standard_normal((spaces.observed, HIDDEN_UNITS), np.float32),
        seen_bias=np.zeros(HIDDEN_UNITS, np.float32),
        chosen=0.01 * lots.standard_normal((HIDDEN_UNITS, spaces.actions), np.float32),
        chosen_bias=np.zeros(spaces.actions, np.float32),
        expected=np.zeros(HIDDEN_UNITS, np.float32),
        expected_bias=np.zeros(1, np.float32),
    )


def judge(policy: Policy, observations: Any, masks: Any) -> tuple[Any, Any]:
    """(log-odds of the actions, return expected), (n, actions) and (n,); of NumPy's arrays, or JAX's."""
    hidden = observations @ policy.seen + policy.seen_bias
    hidden = hidden * (hidden > 0)
    odds = hidden @ policy.chosen + policy.chosen_bias + IMPOSSIBLE * ~masks
    return odds, hidden @ policy.expected + policy.expected_bias[0]


def save(policy: Policy, path: Path, ruleset: str) -> None:
    """Write the file."""
    with path.open("wb") as file:
        np.savez(file, ruleset=ruleset, **policy._asdict())


class Chooser(Answering):
    """Plays the ruleset of a policy's file by it: always the most preferred action."""

    def __init__(self, path: Path) -> None:
        """OSError, KeyError, ValueError: it is no such file, or of other features."""
        with np.load(path) as file:
            self.ruleset = RULESETS[str(file["ruleset"])]
            self.policy = Policy(*(file[name] for name in Policy._fields))
        self._spaces = spaces_of(self.ruleset)
        if (self._spaces.observed, self._spaces.actions) != (len(self.policy.seen), self.policy.chosen.shape[1]):
            raise ValueError(f"{path} is of other features")

    def choose(self, position: Position, question: Json) -> int:  # noqa: ARG002 - it needs no time and no chance
        """See `decide`."""
        return self.decide(position)

    def decide(self, position: Position) -> int:
        """The most preferred action of the seat to decide, as the ruleset's integer. ValueError: it is another
        ruleset's position.
        """
        if position.ruleset is not self.ruleset:
            raise ValueError(f"it plays {self.ruleset.id}")
        seen = observation(self._spaces, position.table_state()).astype(np.float32)
        odds, _ = judge(self.policy, seen[None], self._spaces.mask(position)[None])
        return self._spaces.integer(position, int(odds[0].argmax()))


def main() -> None:
    """Answer the questions of a match."""
    parser = argparse.ArgumentParser(prog="python -m research.envs.policy", description="a player of matches")
    parser.add_argument("file", type=Path, help="as research.envs.learn has left it")
    Chooser(parser.parse_args().file).answer_all()


if __name__ == "__main__":
    main()
