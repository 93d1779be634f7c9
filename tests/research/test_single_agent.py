"""Gymnasium environments: the library's own checks, and many games that equal single ones."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra `envs`")
import gymnasium
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode

from research.envs.single_agent import SeatEnv, SeatVectorEnv
from service.rulesets.ruleset import Position
from tests.rulesets.offers import WITH_FEATURES
from tests.sampling import one_in


def test_every_side_is_registered_under_the_id_of_the_guide() -> None:
    registered = {spec.id: tuple(spec.kwargs.values()) for spec in gymnasium.registry.values()}
    guide = (Path(__file__).parents[2] / "docs/guides/training.md").read_text("utf-8")
    sides = [
        registered[identifier]
        for row in re.findall(r"^\| (`azul_games/.+?) \|", guide, re.MULTILINE)
        for identifier in re.findall(r"`(.+?)`", row)
    ]
    assert [(ruleset.id, variant) for ruleset in WITH_FEATURES.values() for variant in ruleset.variants] == sides


@pytest.mark.filterwarnings("error:::gymnasium")
@pytest.mark.parametrize("name", one_in(3, ["Azul", "AzulGrey", "SummerPavilion", "QueensGarden"]))
def test_gymnasium_accepts_every_environment(name: str) -> None:
    env = gymnasium.make(f"research.envs.single_agent:azul_games/{name}-v0", seats=3)
    check_env(env.unwrapped, skip_render_check=find_spec("resvg_py") is None)


@pytest.mark.parametrize(
    ("name", "seats"),
    one_in(4, [("Azul", 2), ("SummerPavilion", 2), ("Azul", 4), ("AzulGrey", 3), ("QueensGarden", 3)]),
)
def test_many_games_of_an_agent_equal_single_ones(name: str, seats: int) -> None:
    """One action in 50 is impossible, and loses the game."""
    identifier, choices = f"research.envs.single_agent:azul_games/{name}-v0", np.random.default_rng(1)
    many: Any = gymnasium.make_vec(identifier, 4, seats=seats)
    same_step = {"autoreset_mode": AutoresetMode.SAME_STEP}
    ones = gymnasium.make_vec(identifier, 4, vectorization_mode="sync", vector_kwargs=same_step, seats=seats)
    results: list[Any] = [many.reset(seed=7), ones.reset(seed=7)]
    ended = 0
    for _ in range(150):
        assert results[0][0]["action_mask"].any(axis=1).all()
        for one, other in zip(*results, strict=True):
            assert data_equivalence(one, other)
        odds = results[0][0]["action_mask"] + 0.02 / many.single_action_space.n
        actions = np.array([choices.choice(len(row), p=row / row.sum()) for row in odds])
        results = [many.step(actions), ones.step(actions)]
        ended += results[0][2].sum()
        assert set(np.nonzero(results[0][1])[0]) <= set(np.nonzero(results[0][2])[0])
    assert ended > 4


def test_an_impossible_action_loses_the_game() -> None:
    env: Any = gymnasium.make("research.envs.single_agent:azul_games/Azul-v0", seats=3)
    observation, _ = env.reset(seed=1)
    assert observation["action_mask"].tolist() == env.unwrapped.action_masks().tolist()
    seen, reward, terminated, truncated, info = env.step(int(np.argmin(observation["action_mask"])))
    assert (-0.5, True, False) == (reward, terminated, truncated)
    assert [0, 0, 0] == info["scores"].tolist()
    assert not seen["action_mask"].any()


def test_an_environment_must_be_reset_first() -> None:
    one, many = SeatEnv("azul", "grey", 2), SeatVectorEnv(2, "azul", "grey")
    for use in (lambda: one.step(0), one.action_masks, lambda: many.step(np.zeros(2, np.int64))):
        with pytest.raises(RuntimeError, match="call reset first"):
            use()


def test_an_opponent_chooses_the_actions_of_the_other_seats() -> None:
    positions: list[Position] = []

    def opponent(position: Position) -> int:
        positions.append(position)
        return position.legal_actions()[-1]

    env: Any = gymnasium.make("research.envs.single_agent:azul_games/Azul-v0", seats=3, opponent=opponent)
    observation, _ = env.reset(seed=1)
    for _ in range(4):
        observation, *_ = env.step(int(np.argmax(observation["action_mask"])))
    assert {1, 2} == {position.seat for position in positions}
    assert len(positions) >= 8
