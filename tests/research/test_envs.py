"""Training environments: PettingZoo's own tests, and two ways of stepping that play the same games."""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from research.envs.machine import SEEN, features_code, observation, seen_by
from research.envs.spaces import MAX_SEEN, generator_of, spaces_of
from research.envs.stepping import share_rewards
from research.envs.vector import VectorEnv
from service.rulesets.code_cache import PLAIN
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from tests.rulesets.offers import WITH_FEATURES
from tests.rulesets.playing import random_walk
from tests.rulesets.tiny import TINY
from tests.sampling import one_in

EVERY = [
    (ruleset.id, variant, seats)
    for ruleset in WITH_FEATURES.values()
    for variant, seats in itertools.product(ruleset.variants, ruleset.seat_counts)
]
needs_pettingzoo = pytest.mark.skipif(find_spec("pettingzoo") is None, reason="needs the extra `envs`")
every_ruleset = pytest.mark.parametrize("ruleset", WITH_FEATURES.values(), ids=list(WITH_FEATURES))


def random_game(ruleset: Ruleset, seats: int, seed: int) -> list[Position]:
    """Return all positions of a random game."""
    return [*random_walk(ruleset.start(ruleset.variants[seed % 2], seats, None), generator_of(seed))]


# ------------------------------------------------------------------------------------------- PettingZoo


@needs_pettingzoo
@pytest.mark.filterwarnings("ignore::UserWarning")  # observations with masks
@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(len(EVERY), EVERY))
def test_pettingzoo_accepts_every_game(ruleset: str, variant: str, seats: int) -> None:
    from pettingzoo.test import api_test, seed_test

    from research.envs.aec import GameEnv

    with contextlib.redirect_stdout(io.StringIO()):
        api_test(GameEnv(ruleset, variant, seats, render_mode="ansi"), num_cycles=100)
    seed_test(lambda: GameEnv(ruleset, variant, seats), num_cycles=20)


@needs_pettingzoo
@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(6, [EVERY[k] for k in (10, 4, 8, 0, 14, 15)]))
def test_both_environments_play_the_same_games(ruleset: str, variant: str, seats: int) -> None:
    """They have the same seeds and actions, also across the ends of games."""
    from research.envs.aec import GameEnv

    many, ended = VectorEnv(ruleset, variant, seats, games=3), 0
    ones = [GameEnv(ruleset, variant, seats) for _ in range(3)]
    many.reset(seed=5)
    for game, one in enumerate(ones):
        one.reset(seed=5 + game)
    for _ in range(400):
        for game, one in enumerate(ones):
            seen = one.observe(one.agent_selection)
            assert one.agent_selection == f"seat_{many.seats[game]}"
            assert one.position == many.position(game)
            assert np.array_equal(seen["observation"], many.observations[game])
            assert np.array_equal(seen["action_mask"], many.masks[game])
        actions = many.draw_actions()
        many.step(actions)
        for game, one in enumerate(ones):
            one.step(int(actions[game]))
            assert list(one.rewards.values()) == pytest.approx(many.rewards[game])
            assert [info["score"] for info in one.infos.values()] == many.scores[game].tolist()
            assert many.dones[game] == all(one.terminations.values())
            if many.dones[game]:
                ended += 1
                one.reset()
    assert ended > 0


@needs_pettingzoo
def test_an_illegal_action_raises_and_changes_nothing() -> None:
    from research.envs.aec import GameEnv

    one = GameEnv("azul", "coloured", 2)
    one.reset(seed=1)
    before = one.position
    wrong: list[Any] = [int(np.argmin(one.last()[0]["action_mask"])), -1, 325, None, 3.7, "3", [3], 2**64]
    for action in wrong:
        with pytest.raises(ValueError, match="unknown_action"):
            one.step(action)
    assert before == one.position


@needs_pettingzoo
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_of_a_game_goes_on_like_the_original(duplicate: Callable[[Any], Any]) -> None:
    from research.envs.aec import GameEnv

    one = GameEnv("azul", "coloured", 2)
    one.reset(seed=1)
    one.step(one.action_space("seat_0").sample(one.last()[0]["action_mask"]))
    other = duplicate(one)
    while not all(one.terminations.values()):
        action = int(np.argmax(one.last()[0]["action_mask"]))
        before = other.position
        one.step(action)
        assert before == other.position
        other.step(action)
        assert one.position == other.position


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_of_many_games_go_on_like_the_originals(duplicate: Callable[[Any], Any]) -> None:
    many = VectorEnv("azul", "coloured", games=4)
    many.reset(seed=1)
    other = duplicate(many)
    for _ in range(100):
        actions = many.draw_actions()
        assert actions.tolist() == other.draw_actions().tolist()
        many.step(actions)
        other.step(actions)
        assert [many.position(game) for game in range(4)] == [other.position(game) for game in range(4)]
        assert (many.observations == other.observations).all()


@pytest.mark.parametrize("actions", [[3.0] * 4, [True] * 4, ["3"] * 4, [None] * 4, [3] * 5, 3])
def test_what_are_no_actions_of_many_games_changes_nothing(actions: Any) -> None:
    many = VectorEnv("azul", "coloured", games=4)
    many.reset(seed=1)
    before = [many.position(game) for game in range(4)]
    with pytest.raises(ValueError, match="actions must be integers"):
        many.step(actions)
    assert before == [many.position(game) for game in range(4)]


@needs_pettingzoo
def test_games_without_a_seed_differ() -> None:
    from research.envs.aec import GameEnv

    first, second = GameEnv("azul", "coloured", 2), GameEnv("azul", "coloured", 2)
    first.reset()
    second.reset()
    assert first.position != second.position


@needs_pettingzoo
def test_unknown_variants_seats_and_render_modes_are_refused() -> None:
    from research.envs.aec import GameEnv

    for refused in (("azul", "blue", 2), ("azul", "grey", 5), ("azul", "grey", 2, "human")):
        with pytest.raises(ValueError, match=r"blue|5|human"):
            GameEnv(*refused)


@needs_pettingzoo
@every_ruleset
def test_the_state_of_a_game_contains_every_field_of_its_record(ruleset: Ruleset) -> None:
    from research.envs.aec import GameEnv

    one = GameEnv(ruleset.id, ruleset.variants[0], 2)
    one.reset(seed=3)
    state, table_state = one.state(), one.position.table_state()
    assert one.state_space.contains(state)
    assert [one.position.seat, *table_state.score] == state[3:8].tolist()
    assert int(table_state.start_seat) == state[[*flat_names(ruleset.rules.dtype)].index("start_seat")]
    assert [*table_state.bag] == [
        number for number, name in zip(state, flat_names(ruleset.rules.dtype), strict=True) if name == "bag"
    ]


def flat_names(dtype: np.dtype[Any]) -> Iterator[str]:
    """Yield the name of the field of each number in a record."""
    for name in dtype.names or ():
        for _ in range(int(np.prod(dtype[name].shape))):
            yield from flat_names(dtype[name].base) if dtype[name].base.names else [name]


@needs_pettingzoo
@pytest.mark.skipif(find_spec("resvg_py") is None, reason="needs the extra `envs`")
@every_ruleset
def test_a_picture_is_an_array_of_pixels_that_changes_with_the_position(ruleset: Ruleset) -> None:
    from research.envs.aec import GameEnv

    env = GameEnv(ruleset.id, ruleset.variants[0], 2, render_mode="rgb_array")
    pictures: list[Any] = []
    for seed in (1, 2):
        env.reset(seed)
        pictures.append(env.render())
    assert [(np.uint8, 3, 800, 3)] * 2 == [(each.dtype, each.ndim, *each.shape[1:]) for each in pictures]
    assert (pictures[0] != pictures[1]).any()


# ------------------------------------------------------------------------------- what is seen and done


def test_rewards_share_the_win_and_sum_up_to_zero() -> None:
    """The winner is known from the keys of the outcome."""
    for keys, expected in (
        ([40, 30], [1, -1]),
        ([30, 30], [0, 0]),
        ([10, 50, 20], [-0.5, 1, -0.5]),
        ([50, 50, 20], [0.25, 0.25, -0.5]),
        ([7, 7, 7, 7], [0, 0, 0, 0]),
        ([1, 2, 3, 9], [-1 / 3, -1 / 3, -1 / 3, 1]),
    ):
        rewards = np.zeros(len(keys))
        share_rewards(np.array(keys), len(keys), rewards)
        assert rewards == pytest.approx(expected)


@every_ruleset
def test_an_observation_counts_the_features_of_the_network(ruleset: Ruleset) -> None:
    """It does so compiled and in plain Python, which detects access beyond a table, up to the last position."""
    spaces, room = spaces_of(ruleset), np.zeros(MAX_SEEN, np.int64)
    positions = random_game(ruleset, 3, 1)
    for position in (*positions[1::20], positions[-1]):
        table_state = position.table_state()
        count = spaces.features.of_state(table_state, room)
        seen = observation(spaces, table_state)
        features = Counter(room[:count].tolist())
        assert features == {number: seen[number] for number in np.nonzero(seen[: spaces.features.counts[0]])[0]}
        count = seen_by(spaces)(table_state, room)
        assert count < MAX_SEEN
        assert Counter(room[:count].tolist()) == {number: seen[number] for number in np.nonzero(seen)[0]}


@every_ruleset
def test_an_observation_ends_with_the_bag_and_its_reserve(ruleset: Ruleset) -> None:
    spaces = spaces_of(ruleset)
    reserve = "box_lid" if ruleset.id == "azul" else "tower"
    for position in random_game(ruleset, 4, 3)[::9]:
        table_state = position.table_state()
        piles = [*table_state.bag, *table_state[reserve]]
        assert piles == observation(spaces, table_state)[-len(piles) :].tolist()
        assert spaces.observation_size == spaces.features.counts[0] + len(piles)


def test_features_are_compiled_even_if_the_rules_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    spaces = spaces_of(RULESETS["azul"])
    monkeypatch.setenv(PLAIN, "1")
    code = features_code.__wrapped__(spaces)
    assert code.address(SEEN)


def test_a_mask_of_numbered_actions_allows_exactly_the_legal_actions() -> None:
    for ruleset in (RULESETS["azul"], RULESETS["summer-pavilion"]):
        spaces = spaces_of(ruleset)
        for position in random_game(ruleset, 2, 2)[::9]:
            allowed = [position.refusal(action) is None for action in range(spaces.actions)]
            assert allowed == spaces.mask(position).tolist()


def test_a_mask_of_unnumbered_actions_allows_exactly_the_listed_candidates() -> None:
    ruleset = RULESETS["queens-garden"]
    spaces = spaces_of(ruleset)
    for position in random_game(ruleset, 2, 2)[::9]:
        listed = spaces.list_integers(position).tolist()
        assert [True] * len(listed) == spaces.mask(position)[: len(listed)].tolist()
        assert len(listed) == spaces.mask(position).sum()
        assert listed == [spaces.integer(position, place) for place in range(len(listed))]
        assert [None] * len(listed) == [position.refusal(action) for action in listed]


@every_ruleset
def test_every_position_has_fewer_actions_than_the_action_space(ruleset: Ruleset) -> None:
    games = VectorEnv(ruleset.id, ruleset.variants[0], 2, games=64)
    games.reset(seed=3)
    for _ in range(300):
        assert 0 < games.masks.sum(axis=1).min()
        assert games.masks.sum(axis=1).max() < games.spaces.actions
        games.step(games.draw_actions())
    assert games.observations.min() == 0
    assert games.observations.max() < np.iinfo(np.int8).max


def test_a_ruleset_without_features_has_no_spaces() -> None:
    with pytest.raises(ValueError, match="no features"):
        spaces_of(TINY)


# ----------------------------------------------------------------------------------------- many at once


def test_a_step_with_an_illegal_action_raises_and_changes_no_game() -> None:
    games = VectorEnv("azul", "grey", 2, games=4)
    games.reset(seed=1)
    before = [games.position(game) for game in range(4)]
    actions = games.draw_actions()
    for wrong in (int(np.argmin(games.masks[2])), -1, 325):
        with pytest.raises(ValueError, match=f"game 2: action {wrong}"):
            games.step([*actions[:2], wrong, actions[3]])
    with pytest.raises(ValueError, match="integers \\(4,\\)"):
        games.step(actions[:3])
    assert before == [games.position(game) for game in range(4)]


def test_the_same_seed_repeats_the_same_games() -> None:
    def play(seed: int) -> list[list[int]]:
        games = VectorEnv("summer-pavilion", "coloured", 2, games=8)
        games.reset(seed)
        played = []
        for _ in range(200):
            games.step(games.draw_actions())
            played.append([*games.scores.ravel(), *games.seats])
        return played

    assert play(4) == play(4) != play(5)


def test_a_finished_game_returns_its_scores_and_the_next_one_starts() -> None:
    games = VectorEnv("azul", "coloured", 2, games=16)
    games.reset(seed=2)
    while not games.dones.any():
        games.step(games.draw_actions())
    for game in np.nonzero(games.dones)[0]:
        best = games.scores[game] == games.scores[game].max()
        assert (games.rewards[game][~best] < 0).all()
        assert 0 == games.rewards[game].sum()
        assert (0, 0) == games.position(int(game)).scores
    assert not games.rewards[~games.dones].any()


def test_invalid_variants_seats_and_agents_are_refused() -> None:
    for variant, seats in (("blue", 2), ("grey", 5)):
        with pytest.raises(ValueError, match=r"blue|5"):
            VectorEnv("azul", variant, seats)
    for agent in (2, -2, 100):
        with pytest.raises(ValueError, match=f"agent must be a seat from 0 to 1, .* not {agent}"):
            VectorEnv("azul", "grey", 2, agent=agent)
