"""Resets of training environments: their seeds, and calls before the first one."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from research.envs.vector import VectorEnv

needs_pettingzoo = pytest.mark.skipif(find_spec("pettingzoo") is None, reason="needs the extra `envs`")


@pytest.mark.parametrize(
    ("seed", "error", "what"),
    [
        (-1, ValueError, "must not be negative: -1"),
        (np.int64(-7), ValueError, "must not be negative: -7"),
        *((seed, TypeError, "cannot be interpreted as an integer") for seed in ("a", 1.5, [1])),
    ],
)
def test_invalid_seeds_are_refused_and_change_nothing(seed: Any, error: type[Exception], what: str) -> None:
    games = VectorEnv("azul", "grey", games=2)
    games.reset(seed=1)
    other = copy.deepcopy(games)
    with pytest.raises(error, match=what):
        games.reset(seed)
    while not games.dones.any():  # then a new game has drawn
        actions = games.draw_actions()
        assert actions.tolist() == other.draw_actions().tolist()
        games.step(actions)
        other.step(actions)
        assert [games.position(game) for game in range(2)] == [other.position(game) for game in range(2)]


@needs_pettingzoo
@pytest.mark.parametrize("seed", [-1, "a", 1.5])
def test_a_game_refuses_invalid_seeds_and_does_not_change(seed: Any) -> None:
    from research.envs.aec import GameEnv

    game = GameEnv("azul", "grey", 2)
    game.reset(seed=1)
    before = game.position
    with pytest.raises((ValueError, TypeError), match=r"negative|integer"):
        game.reset(seed)
    assert before == game.position


def test_seeds_of_every_integer_type_give_the_same_games() -> None:
    def play(seed: Any) -> list[Any]:
        games = VectorEnv("azul", "grey", games=2)
        games.reset(seed)
        return [games.position(1), games.draw_actions().tolist()]

    assert play(250) == play(np.uint8(250)) == play(np.int64(250))


@pytest.mark.parametrize("agent", [-1, 0])
@pytest.mark.parametrize("duplicate", [lambda one: one, lambda one: pickle.loads(pickle.dumps(one))])
def test_many_games_must_be_reset_first(agent: int, duplicate: Callable[[Any], Any]) -> None:
    games = duplicate(VectorEnv("azul", "grey", games=2, agent=agent))
    for use in (lambda: games.step([0, 0]), games.draw_actions, lambda: games.position(0), lambda: games.integers(0)):
        with pytest.raises(RuntimeError, match="call reset first"):
            use()
    games.reset(seed=1)
    games.step(games.draw_actions())


@needs_pettingzoo
def test_a_game_must_be_reset_first() -> None:
    from research.envs.aec import GameEnv

    game = GameEnv("azul", "grey", 2, render_mode="ansi")
    for use in (lambda: game.step(0), lambda: game.observe("seat_0"), game.state, game.render):
        with pytest.raises(RuntimeError, match="call reset first"):
            use()
    game.reset(seed=1)
    game.step(int(np.argmax(game.last()[0]["action_mask"])))
