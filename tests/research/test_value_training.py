"""Training a network of values with games played in machine code."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from research.training import decisions, games, judgements, outcomes
from research.training.outcomes import KEPT_OF_A_GAME, Outcomes
from service.rulesets.kernel import DRAWING
from service.rulesets.networks.network import LEADS, ValueNetwork, load_network
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.rulesets.offers import WITH_VALUES

with_values = pytest.mark.parametrize("ruleset", WITH_VALUES.values(), ids=list(WITH_VALUES))


@pytest.fixture
def _few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "BATCH_GAMES", 40)


@pytest.mark.nightly
@pytest.mark.usefixtures("_few_games")
@with_values
def test_positions_are_stored_with_the_outcome_of_their_game(ruleset: Ruleset) -> None:
    """They cover all sides and numbers of seats. With playouts only positions before draws are stored."""
    seen = outcomes.play(ruleset.id, "", 3, 1)
    positions = [ruleset.from_bytes(record.tobytes()) for record in seen.records]
    assert {position.variant for position in positions} == set(ruleset.variants)
    assert {position.seats for position in positions} == set(ruleset.seat_counts)
    statuses = {position.status for position in positions}
    assert statuses == ({"drawing", "deciding"} if ruleset.id != "azul" else {"drawing"})
    for number in np.unique(seen.games):
        rows = np.flatnonzero(seen.games == number)
        assert len(rows) <= KEPT_OF_A_GAME
        assert len(np.unique(seen.scores[rows], axis=0)) == len(np.unique(seen.won[rows], axis=0)) == 1
        seats = positions[rows[0]].seats
        assert (seen.won[rows[0], :seats] > -1).any()
        assert seen.scores[rows[0], :seats][seen.won[rows[0], :seats] > -1].max() == seen.scores[rows[0], :seats].max()
    assert 120 <= seen.games.min() <= seen.games.max() < 160


@pytest.mark.nightly
@pytest.mark.usefixtures("_few_games")
def test_the_same_seed_repeats_the_same_batch() -> None:
    first, again = (outcomes.play("azul", "", 3, 7) for _ in range(2))
    for name in Outcomes._fields:
        assert np.array_equal(getattr(first, name), getattr(again, name))
    assert not np.array_equal(outcomes.play("azul", "", 3, 8).records[:9], first.records[:9])


@pytest.mark.nightly
@pytest.mark.skipif(find_spec("jax") is None, reason="needs the extra `learning`")
@pytest.mark.usefixtures("_few_games")
def test_returns_have_the_scale_of_the_search() -> None:
    """Half of it is the lead, scaled by tanh, and half the win."""
    from research.training import values

    seen = Outcomes(
        np.zeros((2, 1), np.uint8),
        np.array([[40, 56, 0, 0], [30, 30, 22, 0]], np.int16),
        np.array([[-1, 1, -1, -1], [0, 0, -1, -1]], np.float32),
        np.zeros(2, np.int64),
    )
    returns = values.returns_of(RULESETS["azul"], seen, np.array([2, 3]))
    far, near = np.tanh(1.0), np.tanh(0.5)
    assert returns[0, :2] == pytest.approx([-(0.5 * far + 0.5), 0.5 * far + 0.5])
    assert returns[1, :3] == pytest.approx([0.0, 0.0, -(0.5 * near + 0.5)])


@pytest.mark.nightly
@pytest.mark.skipif(find_spec("jax") is None, reason="needs the extra `learning`")
def test_the_command_trains_a_network(tmp_path: Path) -> None:
    """Its error is smaller than that of expecting 0, by the printed amount, and the rule computes what was learned."""
    from research.training import values

    azul, out = RULESETS["azul"], tmp_path / "out.npz"
    options = ["azul", "--batches", "1", "--epochs", "2", "--seed", "1"]
    command = [sys.executable, "-m", "research.training.values", *options, "--jobs", "1"]
    subprocess.run([*command, "--folder", tmp_path, "--out", out], check=True, capture_output=True, text=True)
    with np.load(out) as file:
        provenance = json.loads(str(file["provenance"]))
    assert provenance["generated_by"] == f"python -m research.training.values {' '.join(options)} --write"
    assert azul.ai.value_features is not None
    network = load_network(out, ValueNetwork, azul.ai.value_features.size + LEADS)
    data = values.examples(azul, games.load(Outcomes, sorted((tmp_path / "outcomes azul 1").iterdir())))
    data = games.select(data, games.held_out(data.games, 1))
    off = float(np.mean((_value(network, data.state) - data.returns) ** 2))
    assert off == pytest.approx(provenance["mean_square_off"], abs=0.01)
    assert off < 0.9 * np.mean(data.returns**2)


@pytest.mark.nightly
@pytest.mark.skipif(find_spec("jax") is None, reason="needs the extra `learning`")
def test_searched_games_can_train_a_network(tmp_path: Path) -> None:
    """The target before a draw is half the result and half the expectation of the search after it."""
    from research.training import values

    azul = RULESETS["azul"]
    seen = decisions.play("azul", "tree@12", 0, 1)
    data = values.examples_of_search(azul, seen, 1)
    rows = seen.asked.reshape(-1).view(azul.rules.dtype)["status"] == DRAWING
    assert len(data.games) == 2 * rows.sum()
    ended = values.returns_of(
        azul, Outcomes(seen.records, seen.scores, seen.won, seen.games), np.full(len(seen.games), 2)
    )
    assert data.returns == pytest.approx(((ended + seen.expected) / 2)[rows, :2].ravel(), abs=1e-6)


@pytest.mark.nightly
@pytest.mark.skipif(find_spec("jax") is None, reason="needs the extra `learning`")
@pytest.mark.usefixtures("_few_games")
@with_values
def test_a_search_evaluates_one_position_of_each_game(ruleset: Ruleset) -> None:
    """Only positions with a decision are stored. The network learns the search's expectation for each seat."""
    from research.training import values

    seen, again = (judgements.play(ruleset.id, "tree@6", 3, 1) for _ in range(2))
    assert np.array_equal(seen.expected, again.expected)
    assert len(set(seen.games.tolist())) == len(seen.games) > 30
    assert set(range(120, 160)) >= set(seen.games.tolist())
    records = seen.records.reshape(-1).view(ruleset.rules.dtype)
    playing = np.arange(4) < records["seats"][:, None]
    assert (np.abs(seen.expected) <= 1).all()
    assert (seen.expected[~playing] == 0).all()
    assert len(np.unique(seen.expected[playing])) > playing.sum() / 2
    both = seen.expected[records["seats"] == 2, :2]
    assert np.abs(both.sum(axis=1)).mean() < np.abs(both).mean()  # nearly a zero-sum game
    data = values.examples_of_judged(ruleset, seen)
    assert (seen.expected[playing].tolist(), playing.sum()) == (data.returns.tolist(), len(data.games))


def _value(network: ValueNetwork, state: np.ndarray) -> np.ndarray:
    """Return the values of positions, computed with matrices."""
    rows = np.array([network.state[features[features >= 0]].sum(axis=0) for features in state])
    hidden = np.maximum(rows + network.bias, 0.0)
    if network.second is not None:
        hidden = np.maximum(hidden @ network.second[:-1] + network.second[-1], 0.0)
    return np.asarray(np.tanh(hidden @ network.last + network.offset))
