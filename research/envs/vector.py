"""`VectorEnv`, an environment with many games at a time. It needs only NumPy.

games = VectorEnv(ruleset, variant, seats=2, games=256)
games.reset(seed=1)
while learning:
    games.step(policy(games.observations, games.masks))
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from research.envs.machine import rules_of, steps_code
from research.envs.spaces import MAX_SEEN, RESET_NEEDED, check_seed, generator_of, generator_of_actions, spaces_of
from research.envs.stepping import ALL_LEGAL, NO_AGENT, Games, Setting
from service.rulesets.kernel import Ints, RngState
from service.rulesets.machine_code import argument_record
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.rulesets.seats import MAX_SEATS


class VectorEnv:
    """Games of one ruleset, variant and number of seats, stepped together by one decision each.

    The first call must be `reset`. Before it, the other methods raise RuntimeError.

    A finished game is replaced by a new one at once. `reset` and `step` overwrite these arrays, so copy what you keep:

    observations (games, observed) int8: view of the seat to decide, see spaces.py;
    masks (games, actions) bool: possible actions;
    seats (games,) int64: the seat that decides;
    rewards (games, seats) float32: final rewards if the game ended in the last step, otherwise 0, see
    `stepping.share_rewards`; dones (games,) bool: whether it ended; scores (games, seats) int64: points after the step,
    before a new game starts.

    With an `agent`, only this seat decides, and the others act at random. An impossible action then loses the game.
    last_seen (games, observed) int8: what the agent saw at the end of its last game.
    """

    def __init__(self, ruleset: str, variant: str, seats: int = 2, games: int = 256, agent: int = NO_AGENT) -> None:
        """Raise ValueError for an unknown variant, number of seats or agent, and for a ruleset without spaces."""
        self._made_with = ruleset, variant, seats, games, agent
        self._rng: RngState | None = None  # until the first reset
        self.ruleset = RULESETS[ruleset]
        self.spaces = spaces_of(self.ruleset)
        self.ruleset.start(variant, seats, None)  # raises ValueError
        if agent not in (NO_AGENT, *range(seats)):
            raise ValueError(f"agent must be a seat from 0 to {seats - 1}, or {NO_AGENT} for none, not {agent}")
        setting = Setting(self.ruleset.variants.index(variant), seats, int(self.spaces.are_numbered), agent)
        words, actions = -(-self.ruleset.rules.dtype.itemsize // 8), self.spaces.actions
        self._games = Games(
            rows=np.zeros((games, words), np.uint64),
            rngs=np.zeros((games, 4), np.uint64),
            observations=np.zeros((games, self.spaces.observation_size), np.int8),
            last_seen=np.zeros((games, self.spaces.observation_size), np.int8),
            masks=np.zeros((games, actions), np.bool_),
            listed=np.zeros((games, actions), np.int64),
            counts=np.zeros(games, np.int64),
            seats=np.zeros(games, np.int64),
            rewards=np.zeros((games, seats), np.float32),
            dones=np.zeros(games, np.bool_),
            scores=np.zeros((games, seats), np.int64),
            features=np.zeros(MAX_SEEN, np.int64),
            drawn=np.zeros(self.ruleset.max_drawn, np.int64),
            actions=np.zeros(self.ruleset.max_actions, np.int64),
            keys=np.zeros(MAX_SEATS, np.int64),
        )
        self._drawn_from = argument_record(self._games, setting)
        self._stepped = argument_record(rules_of(self.spaces)) + self._drawn_from
        self._step, self._draw = (steps_code(self._games, setting).entry(name) for name in ("step", "draw_actions"))
        self.observations, self.masks, self.seats = self._games.observations, self._games.masks, self._games.seats
        self.rewards, self.dones, self.scores = self._games.rewards, self._games.dones, self._games.scores
        self.last_seen = self._games.last_seen

    def __getstate__(self) -> tuple[tuple[str, str, int, int, int], Games, RngState | None]:
        return self._made_with, self._games, self._rng

    def __setstate__(self, state: tuple[tuple[str, str, int, int, int], Games, RngState | None]) -> None:
        made_with, games, rng = state
        VectorEnv.__init__(self, *made_with)
        own: Any
        for own, other in zip(self._games, games, strict=True):
            own[...] = other
        self._rng = rng

    def reset(self, seed: int) -> None:
        """Start new games. Game k and its successors have the chance of a GameEnv with the seed `seed + k`.

        Raises TypeError if the seed is no integer, and ValueError if it is negative.
        """
        first = check_seed(seed)
        for game, rng in enumerate(self._games.rngs):
            rng[:] = generator_of(first + game)
        self._rng = generator_of_actions(first)
        self._games.rows[:] = 0
        chosen = np.zeros(len(self.seats), np.int64)
        self._step(self._stepped + argument_record(chosen, 1))

    def step(self, actions: npt.ArrayLike) -> None:
        """Apply an action in each game, (games,).

        Raises ValueError for an illegal action if there is no agent, and changes nothing.
        """
        self._check_reset()
        given = np.asarray(actions)
        if given.shape != self.seats.shape or not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"actions must be integers {self.seats.shape}, not {given.dtype} {given.shape}")
        chosen = np.ascontiguousarray(given, np.int64)
        game = self._step(self._stepped + argument_record(chosen, 0))
        if game != ALL_LEGAL:
            raise ValueError(f"game {game}: action {chosen[game]} is illegal")

    def draw_actions(self) -> Ints:
        """Return a random possible action for each game, (games,)."""
        self._check_reset()
        out = np.empty(len(self.seats), np.int64)
        self._draw(self._drawn_from + argument_record(self._rng, out))
        return out

    def position(self, game: int) -> Position:
        """Return the current position of a game."""
        self._check_reset()
        content = self._games.rows[game].tobytes()[: self.ruleset.rules.dtype.itemsize]
        return self.ruleset.from_bytes(content)

    def integers(self, game: int) -> Ints:
        """Return the possible actions of a game as the ruleset's integers, (count,)."""
        self._check_reset()
        return self._games.listed[game, : self._games.counts[game]].copy()

    def _check_reset(self) -> None:
        if self._rng is None:
            raise RuntimeError(RESET_NEEDED)
