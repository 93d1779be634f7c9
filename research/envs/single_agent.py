"""Gymnasium environments for an agent on one seat. Needs the extra `envs`.

    import research.envs.single_agent  # registers them

    env = gymnasium.make("azul_games/Azul-v0", seats=3)
    envs = gymnasium.make_vec("azul_games/AzulGrey-v0", num_envs=256)

The agent has seat 0, and the other seats act at random. Chance draws the starting seat. Observations and rewards are
those of `GameEnv`. An action outside the mask loses the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from research.envs.aec import GameEnv, Observation
from research.envs.vector import VectorEnv
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import IllegalActionError, Position

AGENT = "seat_0"


class SeatEnv(gymnasium.Env[Observation, int]):
    """A game. `opponent`: returns an action of the ruleset for the other seats, see `Position.legal_actions`."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}  # noqa: RUF012 - as in Env

    def __init__(
        self,
        ruleset: str,
        variant: str,
        seats: int = 2,
        opponent: Callable[[Position], int] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Raise the errors of GameEnv."""
        self.game = GameEnv(ruleset, variant, seats, render_mode)
        self.render_mode = render_mode
        self.observation_space = self.game.observation_space(AGENT)
        self.action_space = self.game.action_space(AGENT)
        self._opponent = opponent

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new game. Without a seed, chance continues."""
        super().reset(seed=seed, options=options)
        self.game.reset(seed)
        self.game.continue_to(AGENT, self._opponent)
        return self.game.observe(AGENT), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Apply the agent's action. At the end, the info contains the `scores` of all seats."""
        try:
            self.game.step(action)
        except IllegalActionError:
            self.game.finish(loser=AGENT)
        self.game.continue_to(AGENT, self._opponent)
        is_over = self.game.terminations[AGENT]
        info = {"scores": np.array(self.game.position.scores)} if is_over else {}
        return self.game.observe(AGENT), self.game.rewards[AGENT], is_over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the possible actions, under the name that sb3-contrib expects."""
        return self.game.observe(AGENT)["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        """Return the table as `GameEnv.render` does."""
        return self.game.render()


class SeatVectorEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Games of `SeatEnv` in one `VectorEnv`. A finished game is replaced in the same step."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, num_envs: int, ruleset: str, variant: str, seats: int = 2) -> None:
        """Raise the errors of VectorEnv."""
        self.games, one = VectorEnv(ruleset, variant, seats, num_envs, agent=0), GameEnv(ruleset, variant, seats)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = one.observation_space(AGENT), one.action_space(AGENT)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start new games. Game k has the chance of a SeatEnv with `seed + k`. Without a seed, it is random."""
        super().reset(seed=seed, options=options)
        self.games.reset(int(self.np_random.integers(2**62)) if seed is None else seed)
        return self._observe(), {}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Apply an action in each game. For finished games, the infos contain `final_obs` and `final_info`."""
        self.games.step(actions)
        infos: dict[str, Any] = {}
        for game in np.nonzero(self.games.dones)[0].tolist():
            seen = {
                "observation": self.games.last_seen[game].copy(),
                "action_mask": np.zeros(self.games.spaces.actions, np.int8),
            }
            final = {"final_obs": seen, "final_info": {"scores": self.games.scores[game].copy()}}
            infos = self._add_info(infos, final, game)
        rewards, dones = self.games.rewards[:, 0].astype(np.float64), self.games.dones.copy()
        return self._observe(), rewards, dones, np.zeros_like(dones), infos

    def _observe(self) -> Observation:
        return {"observation": self.games.observations.copy(), "action_mask": self.games.masks.astype(np.int8)}


for _ruleset in RULESETS.values():
    for _variant in _ruleset.variants:
        _side = "" if _variant == _ruleset.variants[0] else _variant.title()
        gymnasium.register(
            f"azul_games/{_ruleset.id.title().replace('-', '')}{_side}-v0",
            entry_point=f"{__name__}:SeatEnv",
            vector_entry_point=f"{__name__}:SeatVectorEnv",
            kwargs={"ruleset": _ruleset.id, "variant": _variant},
        )
