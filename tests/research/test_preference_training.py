"""Training a network of preferences with the decisions of a search."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from research.training import decisions, games
from research.training.decisions import MAX_KEPT, Decisions
from research.training.preference_examples import Examples, examples, features_of
from service.rulesets.kernel import DRAWING
from service.rulesets.networks.network import (
    HIDDEN,
    MAX_FEATURES,
    PreferenceNetwork,
    ValueNetwork,
    add_rows,
    load_network,
    preference_of,
)
from service.rulesets.registry import RULESETS
from tests.rulesets.tiny import TINY

AZUL = RULESETS["azul"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which commands store games."""
    return tmp_path_factory.mktemp("training")


@pytest.fixture(scope="module")
def search_games() -> Decisions:
    """Return games of a short search with two and three seats."""
    games_played = (decisions.play("azul", "tree@12", number, 1) for number in (0, 1, 10))
    return Decisions(*map(np.concatenate, zip(*games_played, strict=True)))


def test_decisions_are_stored_with_their_visits(search_games: Decisions) -> None:
    """Visits are of legal actions, most visited first, and sum up to the simulations; scores are final."""
    assert search_games.actions.shape == search_games.visits.shape == (len(search_games.records), MAX_KEPT)
    for row in range(0, len(search_games.records), 17):
        position = AZUL.from_bytes(search_games.records[row].tobytes())
        actions = search_games.actions[row][search_games.actions[row] >= 0].tolist()
        assert position.status == "deciding"
        assert set(actions) <= set(position.legal_actions())
        assert (np.diff(search_games.visits[row]) <= 0).all()
        assert 0 < search_games.visits[row].sum()
        expected = search_games.expected[row, : position.seats]
        assert (np.abs(expected) <= 1).all()
    for number in np.unique(search_games.games):
        assert 1 == len(np.unique(search_games.scores[search_games.games == number], axis=0))
        assert 1 == len(np.unique(search_games.won[search_games.games == number], axis=0))


def test_positions_before_a_draw_are_stored(search_games: Decisions) -> None:
    """In Azul that is before the first decision of each round."""
    records, asked = (
        content.reshape(-1).view(AZUL.rules.dtype) for content in (search_games.records, search_games.asked)
    )
    begins = np.append(True, (np.diff(records["round_number"].astype(int)) != 0) | (np.diff(search_games.games) != 0))
    assert np.array_equal(asked["status"] == DRAWING, begins)
    assert np.array_equal(asked["round_number"][begins] + 1, records["round_number"][begins])
    assert np.array_equal(search_games.asked[~begins], search_games.records[~begins])


def test_the_same_seed_repeats_the_same_games() -> None:
    first, again = (decisions.play("azul", "tree@8", 3, 7) for _ in range(2))
    for name in Decisions._fields:
        assert np.array_equal(getattr(first, name), getattr(again, name))


@pytest.mark.nightly
def test_examples_contain_the_actions_of_each_position_with_their_share_of_visits(search_games: Decisions) -> None:
    data = examples(AZUL, search_games)
    assert len(data.games) > 0.9 * len(search_games.records)
    listed = data.share >= 0
    assert np.allclose(np.where(listed, data.share, 0.0).sum(axis=1), 1.0)
    assert ((data.action >= 0).any(axis=2) == listed).all()
    assert (listed.sum(axis=1) > 1).all()


@pytest.mark.nightly
def test_the_rules_and_the_training_code_compute_the_same_preferences(search_games: Decisions) -> None:
    """The preferences of a random network are computed by the rule's functions and by matrices."""
    rng, counts = np.random.default_rng(3), features_of(AZUL).counts
    shapes = ((counts[0], HIDDEN // 2), (counts[1], HIDDEN // 2), HIDDEN // 2, HIDDEN // 2)
    network = PreferenceNetwork(*(rng.standard_normal(shape).astype(np.float32) for shape in shapes))
    data = examples(AZUL, search_games)
    hidden, room = np.zeros(HIDDEN, np.float32), np.zeros(MAX_FEATURES, np.int64)
    for row in range(0, len(data.games), 23):
        add_rows(network.bias, network.state, room, _lay(room, data.state[row]), hidden, 0)
        actions = data.action[row][data.share[row] >= 0]
        actual = [preference_of(hidden, room, _lay(room, action), network) for action in actions]
        assert np.allclose(_odds(network, data.state[row], actions), actual, rtol=1e-3, atol=1e-3)


@pytest.mark.nightly
@pytest.mark.skipif(find_spec("jax") is None, reason="needs the extra `learning`")
def test_the_command_trains_a_network(tmp_path: Path) -> None:
    """It is better than a network without preferences by the amount that the command prints, and stores its command."""
    options = ["azul", "--player", "tree@12", "--games", "50", "--epochs", "4", "--seed", "1", "--jobs", "1"]
    command = [sys.executable, "-m", "research.training.preferences", *options]
    out = tmp_path / "preferences.npz"
    subprocess.run([*command, "--folder", tmp_path, "--out", out], check=True, capture_output=True, text=True)
    with np.load(out) as file:
        provenance = json.loads(str(file["provenance"]))
    assert provenance["generated_by"] == f"python -m research.training.preferences {' '.join(options[:-2])} --write"
    kept = next(path for path in tmp_path.iterdir() if path.is_dir())
    data = examples(AZUL, games.load(Decisions, sorted(kept.iterdir())))
    assert len(data.games) == provenance["positions"]
    data = games.select(data, games.held_out(data.games, 1))
    network = load_network(out, PreferenceNetwork, *features_of(AZUL).counts)
    assert _loss(network, data) == pytest.approx(provenance["nats_off"], abs=0.02)
    assert provenance["nats_off"] < 0.8 * _loss(network._replace(last=0 * network.last), data)


@pytest.mark.nightly
@pytest.mark.skipif(find_spec("jax") is None, reason="needs the extra `learning`")
@pytest.mark.parametrize(("name", "kind"), [("preferences", PreferenceNetwork), ("values", ValueNetwork)])
def test_training_can_continue_with_the_existing_network(
    monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path, name: str, kind: Any
) -> None:
    """It changes little, unlike a new random network, and its file names the network that it continues."""
    there, out = AZUL.ai_folder / f"{name}.npz", tmp_path / "out.npz"
    options = ["azul", "--player", "tree@12", "--games", "50", "--go-on", "--epochs", "1", "--seed", "1"]
    monkeypatch.setattr(sys, "argv", ["", *options, "--folder", str(folder), "--out", str(out)])
    command = import_module(f"research.training.{name}")
    if name == "values":
        monkeypatch.setattr(command, "ROWS_A_STEP", 64)  # few games have few positions
    command.main()
    before, after = load_network(there, kind), load_network(out, kind)
    for table in kind._fields:
        assert 0 < np.abs(getattr(after, table) - getattr(before, table)).max() < 1
    assert np.corrcoef(before.state.ravel(), after.state.ravel())[0, 1] > 0.9
    with np.load(there) as old, np.load(out) as new:
        provenance = json.loads(str(new["provenance"]))
        assert provenance["goes_on_from"] == json.loads(str(old["provenance"]))
    assert provenance["generated_by"] == f"python -m research.training.{name} {' '.join(options)} --write"


def _loss(network: PreferenceNetwork, data: Examples) -> float:
    """Return the mean cross entropy of the shares and the network's preferences, minus the entropy of the shares."""
    loss = 0.0
    for row in range(len(data.games)):
        share = data.share[row][data.share[row] >= 0].astype(float)
        odds = _odds(network, data.state[row], data.action[row][: len(share)]).astype(float)
        known = share > 0
        logarithms = odds - odds.max() - np.log(np.exp(odds - odds.max()).sum())
        loss += (share[known] * (np.log(share[known]) - logarithms[known])).sum()
    return float(loss / len(data.games))


def _odds(network: PreferenceNetwork, state: Any, actions: Any) -> Any:
    """Return the preferences for actions, computed with matrices."""
    rows = np.array([network.action[action[action >= 0]].sum(axis=0) for action in actions])
    hidden = network.state[state[state >= 0]].sum(axis=0) + rows + network.bias
    return np.maximum(hidden, 0.0) @ network.last


def _lay(room: Any, features: Any) -> int:
    numbers = features[features >= 0]
    room[: len(numbers)] = numbers
    return len(numbers)


def test_a_ruleset_without_features_cannot_be_trained() -> None:
    with pytest.raises(ValueError, match="no preference network"):
        features_of(TINY)
