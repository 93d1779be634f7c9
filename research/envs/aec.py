"""One game at a time, for PettingZoo: `GameEnv`, an AEC environment of any ruleset (with the extra `envs`).

    env = GameEnv(ruleset, variant, seats=3)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else policy(observation))

It plays by `Position`, the checked door to the rules. Chance acts by itself, by the ruleset's own draws: an agent is
always one whose seat has to decide, and may be selected several times in a row.
"""

from __future__ import annotations

import os
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from research.envs.machine import observation
from research.envs.spaces import seeded, spaces_of
from research.envs.stepping import share_rewards
from service.rulesets.kernel import RngState, generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import IllegalActionError, Position
from service.rulesets.seats import MAX_SEATS


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """A game. Agents are `seat_0`, `seat_1`, …

    What an agent observes: `observation` (observed,) int8, what its seat would see if it were to decide, and
    `action_mask` (actions,) int8, all 0 unless it is; see spaces.py. Rewards come at the end, see
    `stepping.share_rewards`. `infos` tell the `score` of each, in points, all the time.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "azul_games_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, ruleset: str, variant: str, seats: int = 2, render_mode: str | None = None) -> None:
        """ValueError: there is no such variant, number of seats or mode, or the ruleset has no spaces."""
        super().__init__()
        self.ruleset, self.variant, self.render_mode = RULESETS[ruleset], variant, render_mode
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"the modes are {self.metadata['render_modes']}, not {render_mode}")
        self.ruleset.start(variant, seats, None)  # ValueError
        self.spaces = spaces_of(self.ruleset)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        seen: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0, np.iinfo(np.int8).max, (self.spaces.observed,), np.int8),
            "action_mask": spaces.Box(0, 1, (self.spaces.actions,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(seen) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.spaces.actions) for agent in self.possible_agents}
        self._rng: RngState | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new game. Without a seed its chance goes on from that of the last one, or is anybody's guess."""
        if seed is not None or self._rng is None:
            self._rng = generator(os.urandom(32)) if seed is None else seeded(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, int]] = {agent: {} for agent in self.agents}
        self._go_on_from(self.ruleset.start(self.variant, len(self.agents), None))

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent sees."""
        seat = self.possible_agents.index(agent)
        table_state = self.position.table_state()
        table_state.seat = seat
        decides = self.position.seat == seat
        mask = self.spaces.mask(self.position) if decides else np.zeros(self.spaces.actions, np.bool_)
        return {"observation": observation(self.spaces, table_state), "action_mask": mask.astype(np.int8)}

    def step(self, action: int | None) -> None:
        """The selected agent's decision; None once the game is over.

        IllegalActionError (a ValueError), with nothing done: it may not be chosen.
        """
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < self.spaces.actions or not self.spaces.mask(self.position)[action]:
            raise IllegalActionError("unknown_action")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._go_on_from(self.position.play(self.spaces.integer(self.position, int(action))))
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The table in plain text, where that is the mode."""
        return None if self.render_mode is None else str(self.position)

    def close(self) -> None:
        """Nothing was opened; PettingZoo wants it of whoever renders."""

    def _go_on_from(self, position: Position) -> None:
        """Let chance act, then select who decides; or tell how the game has ended."""
        while position.status == "drawing":
            position = position.resolve_draw(position.sample(self._rng))  # type: ignore[arg-type]  # reset has made it
        self.position = position
        for agent, score in zip(self.agents, position.scores, strict=True):
            self.infos[agent]["score"] = score
        if position.seat is not None:
            self.agent_selection = self.agents[position.seat]
            return
        keys, shares = np.zeros(MAX_SEATS, np.int64), np.zeros(len(self.agents))
        self.ruleset.rules.outcome(position.table_state(), keys)
        share_rewards(keys, len(self.agents), shares)
        self.rewards = dict(zip(self.agents, shares.tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
