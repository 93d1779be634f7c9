"""The example of training: its data, its progress, and its policy in benchmark matches."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from research.envs.policy import Chooser, Policy, judge, new_policy, save
from research.envs.spaces import spaces_of
from research.envs.vector import VectorEnv
from research.matches import match
from research.matches.programs import running_program
from service.rulesets.registry import RULESETS
from tests.rulesets.offers import WITH_FEATURES

needs_jax = pytest.mark.skipif(find_spec("jax") is None, reason="needs the extra `learning`")
AZUL = RULESETS["azul"]


def test_a_policy_never_prefers_an_illegal_action() -> None:
    spaces = spaces_of(AZUL)
    policy, seen = new_policy(spaces, 1), np.ones((1, spaces.observation_size), np.float32)
    for allowed in (0, 7, 324):
        odds, expected = judge(policy, seen, np.arange(325)[None] == allowed)
        assert allowed == odds[0].argmax()
        assert 0 == expected[0]


@pytest.mark.nightly
@needs_jax
def test_returns_are_half_the_win_and_half_the_points_ahead() -> None:
    from research.envs.learn import POINTS_AHEAD, returns_of

    returns = returns_of(np.array([[1, -1], [0, 0]], np.float32), np.array([[20 + POINTS_AHEAD, 20], [9, 9]]))
    far = np.tanh(1)
    assert returns == pytest.approx(np.array([[(1 + far) / 2, -(1 + far) / 2], [0, 0]]))


@pytest.mark.nightly
@needs_jax
def test_training_uses_every_decision_of_finished_games() -> None:
    """Each decision has the return of its seat."""
    from research.envs.learn import play

    games = VectorEnv("azul", "coloured", 2, games=8)
    data = play(new_policy(games.spaces, 1), games, 3)
    assert len(data.actions) == len(data.observations) == len(data.masks) == len(data.odds) == len(data.returns)
    assert data.masks[np.arange(len(data.actions)), data.actions].all()
    assert (data.odds <= 0).all()
    assert 1 < len(np.unique(data.returns)) <= 16
    assert pytest.approx(np.unique(data.returns)) == -np.unique(data.returns)[::-1]  # two seats


@pytest.mark.nightly
@needs_jax
def test_a_training_step_makes_rewarded_actions_more_likely() -> None:
    import jax

    from research.envs.learn import Decided, loss

    policy = new_policy(spaces_of(AZUL), 1)
    seen = np.zeros((4, spaces_of(AZUL).observation_size), np.int8)
    seen[:, :9] = 1
    masks = np.zeros((4, 325), np.bool_)
    masks[:, [5, 9]] = True
    before = judge(policy, seen[:1].astype(np.float32), masks[:1])[0][0]
    odds = np.full(4, np.log(0.5), np.float32)
    batch = Decided(seen, masks, np.array([5, 9, 5, 9]), odds, np.array([1, -1, 1, -1], np.float32))
    changes = jax.grad(loss)(policy, batch)
    after = Policy(*(table - 0.1 * np.asarray(change) for table, change in zip(policy, changes, strict=True)))
    learned = judge(after, seen[:1].astype(np.float32), masks[:1])[0][0]
    assert learned[5] - learned[9] > before[5] - before[9]


@pytest.mark.nightly
@needs_jax
def test_a_few_seconds_of_training_yield_a_policy_that_plays(tmp_path: Path) -> None:
    from research.envs.learn import train

    file = tmp_path / "policy.npz"
    save(train(VectorEnv("azul", "coloured", 2, games=32), 1, 60, max_batches=2), file, "azul")
    word = f"program:{shlex.quote(sys.executable)} -m research.envs.policy {shlex.quote(str(file))}"
    game = match.play(match.Match("azul", ("grey",), 3, (word, "random"), 1), 0, 1)
    running_program(word).end()
    assert game.failed is None
    assert game.decisions[0] > 0


@pytest.mark.nightly
@needs_jax
@pytest.mark.timeout(600)
def test_a_policy_trained_for_a_minute_beats_the_random_player(tmp_path: Path) -> None:
    from research.envs.learn import train

    file = tmp_path / "policy.npz"
    save(train(VectorEnv("azul", "coloured"), 1, 600, max_batches=40), file, "azul")
    word = f"program:{shlex.quote(sys.executable)} -m research.envs.policy {shlex.quote(str(file))}"
    against_chance = match.Match("azul", ("coloured",), 2, (word, "random"), 1)
    won = [match.play(against_chance, deal, seat).won for deal in range(20) for seat in range(2)]
    running_program(word).end()
    assert sum(won) / len(won) > 0.75


@pytest.mark.parametrize("ruleset", WITH_FEATURES)
def test_a_policy_plays_every_ruleset(tmp_path: Path, ruleset: str) -> None:
    file = tmp_path / "policy.npz"
    save(new_policy(spaces_of(RULESETS[ruleset]), 1), file, ruleset)
    chooser, games = Chooser(file), VectorEnv(ruleset, RULESETS[ruleset].variants[0], 2, games=4)
    games.reset(1)
    for _ in range(30):
        position = games.position(0)
        assert position.refusal(chooser.decide(position)) is None
        games.step(games.draw_actions())


def test_a_policy_for_another_ruleset_or_other_features_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "policy.npz"
    save(new_policy(spaces_of(AZUL), 1), file, "azul")
    other = RULESETS["queens-garden"].start("standard", 2, 0)
    with pytest.raises(ValueError, match="plays azul"):
        Chooser(file).decide(other)
    save(new_policy(spaces_of(AZUL), 1), file, "summer-pavilion")
    with pytest.raises(ValueError, match="other features"):
        Chooser(file)
