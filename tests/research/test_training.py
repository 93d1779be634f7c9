"""Training an evaluation: a fit finds the weights that explain the results of games."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from research.training import __main__ as command
from research.training import fitting, games, selfplay
from research.training.selfplay import Seen
from service.rulesets.code_cache import WEIGHTS, sources_hash
from service.rulesets.kernel import DRAWING
from service.rulesets.networks.trained_weights import load_weights
from service.rulesets.registry import RULESETS
from tests.rulesets.offers import WITH_WEIGHTS

AZUL = RULESETS["azul"]


def play_games(numbers: Iterable[int]) -> Seen:
    """Return games of the greedy player."""
    return Seen(
        *map(np.concatenate, zip(*(selfplay.play("azul", "greedy", number, 1) for number in numbers), strict=True))
    )


@pytest.fixture(scope="module")
def greedy_games() -> Seen:
    """Return games on both sides with two, three and four seats."""
    return play_games([0, 1, 10, 11, 22, 23])


def test_stored_positions_are_those_of_whole_games(greedy_games: Seen) -> None:
    """They include all numbers of seats and both sides of the board; scores are final."""
    positions = [AZUL.from_bytes(table_state.tobytes()) for table_state in greedy_games.records]
    assert {position.seats for position in positions} == {2, 3, 4}
    assert {position.variant for position in positions} == set(AZUL.variants)
    assert {position.status for position in positions} == {"deciding", "drawing"}
    assert [0, 1, 10, 11, 22, 23] == np.unique(greedy_games.games).tolist()
    for number in np.unique(greedy_games.games):
        assert len(np.unique(greedy_games.scores[greedy_games.games == number], axis=0)) == 1


def test_stored_games_are_not_played_again(tmp_path: Path) -> None:
    asked = (selfplay.play, Seen, "azul", "greedy", 2, 1, 1, tmp_path, 2)
    first = games.collect(*asked)
    file = next(tmp_path.iterdir())
    written = file.stat().st_mtime_ns
    again = games.collect(*asked)
    assert file.stat().st_mtime_ns == written
    for actual in (again, play_games(range(2))):
        assert np.array_equal(actual.records, first.records)
        assert np.array_equal(actual.scores, first.scores)


@pytest.mark.nightly
def test_a_fit_finds_the_weights_that_explain_the_scores() -> None:
    """The games end as if the start token were worth six points more, and the fit learns that."""
    greedy_games = play_games(range(50))
    trainable = AZUL.ai.trainable
    tables = trainable.tables(trainable.initial_weights)
    scores = np.zeros_like(greedy_games.scores)
    for row, table_state in enumerate(greedy_games.records):
        position = AZUL.from_bytes(table_state.tobytes()).table_state()
        for seat in range(position["seats"]):
            held = 6.0 if position["start_token"] == seat else 0.0
            scores[row, seat] = round(trainable.evaluate(position, seat, tables) + held)
    fit = fitting.fit(AZUL, greedy_games._replace(scores=scores), len(scores), seed=1)
    assert fit.off_before > 1.5
    assert fit.off_after < 1.0  # scores are whole points
    assert np.all(fit.weights["token"][1:5] - trainable.initial_weights["token"][1:5] > 3.0)


@pytest.mark.nightly
def test_targets_blend_the_score_with_the_expectation_at_the_next_draw(greedy_games: Seen) -> None:
    """After the last draw it is the score. Before it, the expectation at the next draw is mixed in."""
    evaluation, weights = fitting.Evaluation(AZUL.ai.trainable), fitting.flatten(AZUL.ai.trainable.initial_weights)
    recorded = greedy_games.records.reshape(-1).view(AZUL.rules.dtype)
    points, drawing = evaluation.points(recorded, weights), recorded["status"] == DRAWING
    whole, half, none = (fitting.blend_targets(greedy_games, drawing, points, share) for share in (1.0, 0.5, 0.0))
    assert np.array_equal(whole, greedy_games.scores)
    rows = np.nonzero(greedy_games.games == 0)[0]
    positions = [AZUL.from_bytes(greedy_games.records[row].tobytes()) for row in rows]
    acts = [k for k, position in enumerate(positions) if position.status == "drawing"]
    last, before = acts[-1], acts[-2]
    assert np.array_equal(half[rows[last:]], whole[rows[last:]])
    table_state = positions[last].table_state()
    tables = AZUL.ai.trainable.tables(AZUL.ai.trainable.initial_weights)
    expected = [AZUL.ai.trainable.evaluate(table_state, seat, tables) for seat in range(positions[0].seats)]
    for k in range(before, last):
        assert none[rows[k], : len(expected)] == pytest.approx(expected)
        assert half[rows[k], : len(expected)] == pytest.approx((whole[rows[k], : len(expected)] + expected) / 2)


def test_weights_round_trip_through_a_row_of_numbers() -> None:
    """Weights are converted to a row of numbers and back."""
    for ruleset in WITH_WEIGHTS.values():
        initial_weights = ruleset.ai.trainable.initial_weights
        numbers = np.arange(sum(table.size for table in initial_weights.values()), dtype=float)
        again = fitting.unflatten(initial_weights, numbers)
        assert {name: table.shape for name, table in again.items()} == {
            name: table.shape for name, table in initial_weights.items()
        }
        assert np.array_equal(fitting.flatten(again), numbers)


def test_learned_weights_are_loaded_from_the_folder_of_the_ruleset(tmp_path: Path) -> None:
    """Without a file the weights are initial; other weights change the hash of compiled rules."""
    initial_weights = AZUL.ai.trainable.initial_weights
    assert load_weights(tmp_path, initial_weights) is initial_weights
    (tmp_path / "rules.py").write_text("")
    before = sources_hash(tmp_path)
    (tmp_path / WEIGHTS).write_bytes((AZUL.ai_folder / WEIGHTS).read_bytes())
    assert sources_hash(tmp_path) != before
    assert {name: table.shape for name, table in load_weights(tmp_path, initial_weights).items()} == {
        name: table.shape for name, table in initial_weights.items()
    }


def test_the_command_writes_the_weights_and_their_provenance(tmp_path: Path) -> None:
    """The file contains the command that repeats it, and the error on games that were not used for the fit."""
    fit = fitting.Fit(AZUL.ai.trainable.initial_weights, 1000, 10.0, 0.6, 2.0, 1.0)
    options = Namespace(ruleset="azul", player="greedy", games=50, positions=1000, seed=1)
    header = command.provenance_of(options, fit, 3.0)
    command.write(tmp_path, header, fit.weights)
    again = load_weights(tmp_path, AZUL.ai.trainable.initial_weights)
    assert all(np.array_equal(again[name], table) for name, table in AZUL.ai.trainable.initial_weights.items())
    text = (tmp_path / WEIGHTS).read_text()
    assert '"python -m research.training azul --player greedy --games 50 --positions 1000 --seed 1 --write"' in text
