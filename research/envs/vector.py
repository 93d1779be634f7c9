"""Many games at once: `VectorEnv`, which needs nothing but NumPy.

games = VectorEnv(ruleset, variant, seats=2, games=256)
games.reset(seed=1)
while learning:
    games.step(policy(games.observations, games.masks))
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from research.envs.machine import rules_of, steps_code
from research.envs.spaces import seeded, spaces_of
from research.envs.stepping import ALL_LEGAL, Games, Setting
from service.rulesets.kernel import Ints
from service.rulesets.machine_code import argument_record
from service.rulesets.networks.network import MAX_FEATURES
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.rulesets.seats import MAX_SEATS

SEED_OF_DRAWN_ACTIONS = -1  # of `draw_actions`; those of the games are not negative


class VectorEnv:
    """Games of one ruleset, variant and number of seats, stepped together, one decision each.

    A finished game is followed by the next at once. These arrays are the env's own, and written by `reset` and `step`
    (copy what you keep):

    observations (games, observed) int8: what the seat to decide sees, see spaces.py;
    masks (games, actions) bool: what it may choose;
    seats (games,) int64: which seat decides;
    rewards (games, seats) float32: what the last step brought each seat, 0 unless the game has ended with it, see
    `stepping.share_rewards`; dones (games,) bool: whether it has; scores (games, seats) int64: points after the step,
    where a game has ended those at its end.
    """

    def __init__(self, ruleset: str, variant: str, seats: int = 2, games: int = 256) -> None:
        """ValueError: there is no such variant or number of seats, or the ruleset has no spaces."""
        self.ruleset = RULESETS[ruleset]
        self.spaces = spaces_of(self.ruleset)
        self.ruleset.start(variant, seats, None)  # ValueError
        setting = Setting(self.ruleset.variants.index(variant), seats, int(self.spaces.are_numbered))
        words, actions = -(-self.ruleset.rules.dtype.itemsize // 8), self.spaces.actions
        self._games = Games(
            rows=np.zeros((games, words), np.uint64),
            rngs=np.zeros((games, 4), np.uint64),
            observations=np.zeros((games, self.spaces.observed), np.int8),
            masks=np.zeros((games, actions), np.bool_),
            listed=np.zeros((games, actions), np.int64),
            counts=np.zeros(games, np.int64),
            seats=np.zeros(games, np.int64),
            rewards=np.zeros((games, seats), np.float32),
            dones=np.zeros(games, np.bool_),
            scores=np.zeros((games, seats), np.int64),
            features=np.zeros(MAX_FEATURES, np.int64),
            drawn=np.zeros(self.ruleset.max_drawn, np.int64),
            actions=np.zeros(self.ruleset.max_actions, np.int64),
            keys=np.zeros(MAX_SEATS, np.int64),
        )
        self._step, self._draw = (steps_code(self._games, setting).entry(name) for name in ("step", "draw_actions"))
        self._drawn_from = argument_record(self._games, setting)
        self._stepped = argument_record(rules_of(self.spaces)) + self._drawn_from
        self.observations, self.masks, self.seats = self._games.observations, self._games.masks, self._games.seats
        self.rewards, self.dones, self.scores = self._games.rewards, self._games.dones, self._games.scores

    def reset(self, seed: int) -> None:
        """New games; the chance of game k, and of those that follow it, is that of a GameEnv with the seed `seed + k`.

        ValueError: the seed is negative.
        """
        if seed < 0:
            raise ValueError("a seed is not negative")
        for game, rng in enumerate(self._games.rngs):
            rng[:] = seeded(seed + game)
        self._rng = seeded(SEED_OF_DRAWN_ACTIONS - seed)
        self._games.rows[:] = 0
        chosen = np.zeros(len(self.seats), np.int64)
        self._step(self._stepped + argument_record(chosen, 1))

    def step(self, actions: npt.ArrayLike) -> None:
        """One decision in each game, (games,). ValueError, with nothing done: one of them may not be chosen."""
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != self.seats.shape:
            raise ValueError(f"actions are {self.seats.shape}, not {chosen.shape}")
        game = self._step(self._stepped + argument_record(chosen, 0))
        if game != ALL_LEGAL:
            raise ValueError(f"game {game}: action {chosen[game]} may not be chosen")

    def draw_actions(self) -> Ints:
        """In each game an action by chance, each that may be chosen equally likely; (games,)."""
        out = np.empty(len(self.seats), np.int64)
        self._draw(self._drawn_from + argument_record(self._rng, out))
        return out

    def position(self, game: int) -> Position:
        """Of a game, as it stands."""
        content = self._games.rows[game].tobytes()[: self.ruleset.rules.dtype.itemsize]
        return self.ruleset.from_bytes(content)

    def integers(self, game: int) -> Ints:
        """The ruleset's integers that may be chosen in a game, (count,)."""
        return self._games.listed[game, : self._games.counts[game]].copy()
