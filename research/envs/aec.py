"""`GameEnv`, a PettingZoo AEC environment for any ruleset. Needs the extra `envs`.

    env = GameEnv(ruleset, variant, seats=3)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else policy(observation))

It uses `Position`, the checked interface to the rules. Chance acts automatically, with the ruleset's own draws. The
selected agent always has a decision to make, and can be selected several times in a row.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from operator import index
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from numpy.lib.recfunctions import structured_to_unstructured
from pettingzoo import AECEnv

from research.envs.machine import observation
from research.envs.pixels import draw_pixels
from research.envs.spaces import RESET_NEEDED, generator_of, spaces_of
from research.envs.stepping import LOWEST_KEY, share_rewards
from service.rulesets.kernel import RngState, generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import UNKNOWN_ACTION, IllegalActionError, Position
from service.rulesets.seats import MAX_SEATS

Observation = dict[str, npt.NDArray[np.int8]]


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """A game. Agents are `seat_0`, `seat_1`, …

    Observations are dictionaries: `observation` (observed,) int8 is the position from the agent's perspective, and
    `action_mask` (actions,) int8 is all 0 unless the agent decides; see spaces.py. Rewards come at the end, see
    `stepping.share_rewards`. `infos` contains the current `score` of each agent.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "azul_games_v1",
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(self, ruleset: str, variant: str, seats: int = 2, render_mode: str | None = None) -> None:
        """Raise ValueError for an unknown variant, number of seats or mode, and for a ruleset without spaces."""
        super().__init__()
        self.ruleset, self.variant, self.render_mode = RULESETS[ruleset], variant, render_mode
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be one of {self.metadata['render_modes']}, not {render_mode}")
        self.ruleset.start(variant, seats, None)  # raises ValueError
        self.spaces = spaces_of(self.ruleset)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        parts: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0, np.iinfo(np.int8).max, (self.spaces.observation_size,), np.int8),
            "action_mask": spaces.Box(0, 1, (self.spaces.actions,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(parts) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.spaces.actions) for agent in self.possible_agents}
        numbers, limits = structured_to_unstructured(np.zeros(1, self.ruleset.rules.dtype)), np.iinfo(np.int64)
        self.state_space = spaces.Box(limits.min, limits.max, numbers.shape[1:], np.int64)
        self._rng: RngState | None = None
        self._position: Position | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space, which is the same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space, which is the same for all agents."""
        return self.action_spaces[agent]

    @property
    def position(self) -> Position:
        """The current position. Raises RuntimeError before the first `reset`."""
        if self._position is None:
            raise RuntimeError(RESET_NEEDED)
        return self._position

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a new game. Without a seed, chance continues from the last game, or is random in the first one.

        Raises TypeError if the seed is no integer, and ValueError if it is negative.
        """
        if seed is not None or self._rng is None:
            self._rng = generator(os.urandom(32)) if seed is None else generator_of(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, int]] = {agent: {} for agent in self.agents}
        self._continue_from(self.ruleset.start(self.variant, len(self.agents), None))

    def state(self) -> npt.NDArray[np.int64]:
        """Return all numbers of the position's record, in the order of the columns of a dataset. Nothing is hidden."""
        record = np.frombuffer(self.position.to_bytes(), self.ruleset.rules.dtype)
        numbers: npt.NDArray[np.int64] = structured_to_unstructured(record, np.dtype(np.int64)).reshape(-1)
        return numbers

    def observe(self, agent: str) -> Observation:
        """Return the agent's observation."""
        seat = self.possible_agents.index(agent)
        table_state = self.position.table_state()
        table_state.seat = seat
        decides = self.position.seat == seat and not self.terminations.get(agent)
        mask = self.spaces.mask(self.position) if decides else np.zeros(self.spaces.actions, np.bool_)
        return {"observation": observation(self.spaces, table_state), "action_mask": mask.astype(np.int8)}

    def step(self, action: int | None) -> None:
        """Apply the selected agent's action, which is None once the game is over.

        Raises IllegalActionError (a ValueError) for an illegal action, and leaves the game unchanged. Raises
        RuntimeError before the first `reset`.
        """
        position = self.position
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        try:
            number = index(action)  # type: ignore[arg-type]  # None has no index
        except TypeError:
            raise IllegalActionError(UNKNOWN_ACTION) from None
        if not 0 <= number < self.spaces.actions or not self.spaces.mask(position)[number]:
            raise IllegalActionError(UNKNOWN_ACTION)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._continue_from(position.play(self.spaces.integer(position, number)))
        self._accumulate_rewards()

    def continue_to(self, agent: str, opponent: Callable[[Position], int] | None = None) -> None:
        """Play for the other agents until this one decides: actions of `opponent`, or random ones."""
        while self.position.seat is not None and self.agent_selection != agent and not self.terminations[agent]:
            action = opponent(self.position) if opponent else self.position.random_action(self._rng)  # type: ignore[arg-type]
            self._continue_from(self.position.play(action))

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the table as plain text, or as RGB (height, width, 3), or None without a render mode."""
        if self.render_mode == "rgb_array":
            return draw_pixels(self.position)
        return None if self.render_mode is None else str(self.position)

    def close(self) -> None:
        """Do nothing. PettingZoo requires the method of environments that render."""

    def _continue_from(self, position: Position) -> None:
        """Let chance act, then select the agent that decides or set the final rewards."""
        while position.status == "drawing":
            position = position.resolve_draw(position.sample(self._rng))  # type: ignore[arg-type]  # reset has created it
        self._position = position
        for agent, score in zip(self.agents, position.scores, strict=True):
            self.infos[agent]["score"] = score
        if position.seat is not None:
            self.agent_selection = self.agents[position.seat]
        else:
            self.finish()

    def finish(self, loser: str | None = None) -> None:
        """End the game and set the final rewards. `loser`: an agent that loses, whatever its score is."""
        keys, shares = np.zeros(MAX_SEATS, np.int64), np.zeros(len(self.agents))
        self.ruleset.rules.outcome(self.position.table_state(), keys)
        if loser is not None:
            keys[self.agents.index(loser)] = LOWEST_KEY
        share_rewards(keys, len(self.agents), shares)
        self.rewards = dict(zip(self.agents, shares.tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
