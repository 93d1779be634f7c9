"""Networks: their features of a position, and equal results compiled and in plain Python."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from service.rulesets.azul.rules.components import COLOURS
from service.rulesets.code_cache import PREFERENCES
from service.rulesets.compiler import jit
from service.rulesets.kernel import Ints, generator
from service.rulesets.networks.network import (
    HIDDEN,
    LEADS,
    MAX_ACTION_FEATURES,
    MAX_FEATURES,
    MAX_TABLE_BYTES,
    NOTE,
    UNITS,
    PreferenceFeatures,
    PreferenceNetwork,
    Singles,
    ValueNetwork,
    add_rows,
    layer_output,
    lead_feature,
    load_network,
    output_of,
    second_layer,
)
from service.rulesets.parts.factories import factory_count
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from tests.rulesets.offers import WITH_FEATURES, WITH_VALUES
from tests.rulesets.playing import random_walk

with_features = pytest.mark.parametrize("ruleset", WITH_FEATURES.values(), ids=list(WITH_FEATURES))
with_values = pytest.mark.parametrize("ruleset", WITH_VALUES.values(), ids=list(WITH_VALUES))


def positions(ruleset: Ruleset, games: int, *, drawing: bool = False) -> Iterator[Position]:
    """Yield positions of random games of all sides and numbers of seats in which a seat decides, or also draws."""
    rng = generator(bytes(range(1, 33)))
    for number in range(games):
        seats = ruleset.seat_counts[number % len(ruleset.seat_counts)]
        start = ruleset.start(ruleset.variants[number % len(ruleset.variants)], seats, None)
        for position in random_walk(start, rng):
            if position.status == "deciding" or (drawing and position.status == "drawing"):
                yield position


def features(ruleset: Ruleset) -> PreferenceFeatures:
    assert ruleset.ai.preference_features is not None
    return ruleset.ai.preference_features


def preferences(ruleset: Ruleset, position: Position, *, plain: bool) -> list[float]:
    """Return the preferences for all legal actions, in order."""
    actions = np.array(position.legal_actions(), np.int64)
    out, room = np.zeros(len(actions)), (np.zeros(MAX_FEATURES, np.int64), np.zeros(HIDDEN, np.float32))
    rule = ruleset.rules.function("preferences") if plain else ruleset.rules.preferences
    rule(position.table_state(), actions, out, *room)
    return list(out)


@with_features
def test_preference_features_are_valid_row_numbers(ruleset: Ruleset) -> None:
    """They stay so in whole games, and their number never exceeds the room."""
    of_state, of_action, (of_states, of_actions) = features(ruleset)
    room, rng = np.zeros(2 * MAX_FEATURES, np.int64), random.Random(1)
    for position in itertools.islice(positions(ruleset, 3), 0, None, 5):
        table_state, legal = position.table_state(), position.legal_actions()
        count = of_state(table_state, room)
        assert count <= NOTE
        assert ((room[:count] >= 0) & (room[:count] < of_states)).all()
        for action in rng.sample(legal, min(8, len(legal))):
            count = of_action(table_state, action, room)
            assert count <= MAX_ACTION_FEATURES
            assert ((room[:count] >= 0) & (room[:count] < of_actions)).all()
        assert position.to_bytes() == table_state.tobytes()


@with_features
def test_compiled_and_plain_preferences_are_equal(ruleset: Ruleset) -> None:
    assert ruleset.rules.are_compiled()
    for number, position in enumerate(positions(ruleset, 6)):
        if number % 20 == 0 and len(position.legal_actions()) <= 100:
            compiled, plain = (preferences(ruleset, position, plain=plain) for plain in (False, True))
            assert np.allclose(compiled, plain, atol=1e-4)


def value(ruleset: Ruleset, position: Position, seat: int, lead: float, *, plain: bool) -> float:
    """Return the value of a position for a seat with this lead."""
    rule = ruleset.rules.function("value") if plain else ruleset.rules.value
    return float(
        rule(position.table_state(), seat, lead, np.zeros(MAX_FEATURES, np.int64), np.zeros(HIDDEN, np.float32))
    )


@with_values
def test_value_features_are_valid_row_numbers(ruleset: Ruleset) -> None:
    """Positions that wait for draws are included, and room is left for the lead."""
    assert ruleset.ai.value_features is not None
    of_state, size = ruleset.ai.value_features
    room = np.zeros(2 * MAX_FEATURES, np.int64)
    for position in itertools.islice(positions(ruleset, 3, drawing=True), 0, None, 5):
        for seat in range(position.seats):
            table_state = position.table_state()
            count = of_state(table_state, seat, room)
            assert count < MAX_FEATURES
            assert ((room[:count] >= 0) & (room[:count] < size)).all()
            assert position.to_bytes() == table_state.tobytes()


@with_values
def test_compiled_and_plain_values_are_equal(ruleset: Ruleset) -> None:
    """Values are between -1 and 1, and differ."""
    found = []
    for number, position in enumerate(positions(ruleset, 6, drawing=True)):
        if number % 11 == 0:
            compiled, plain = (value(ruleset, position, 0, 3.5, plain=plain) for plain in (False, True))
            assert compiled == pytest.approx(plain, abs=1e-4)
            found.append(compiled)
    assert all(-1 <= one <= 1 for one in found)
    assert len(set(found)) > len(found) // 2


@with_values
def test_a_larger_lead_has_a_higher_mean_value(ruleset: Ruleset) -> None:
    """The mean over many positions before draws must increase; no network guarantees it for one position."""
    drawing = [position for position in positions(ruleset, 6, drawing=True) if position.status == "drawing"]
    behind, ahead = (np.mean([value(ruleset, at, 0, lead, plain=False) for at in drawing]) for lead in (-25.0, 25.0))
    assert behind + 0.2 < ahead


def test_leads_are_grouped_in_steps_of_two_points() -> None:
    assert [lead_feature(lead) for lead in (0.0, 1.9, 2.0, -0.1, -2.0, -2.1)] == [40, 40, 41, 39, 39, 38]
    assert [lead_feature(lead) for lead in (-500.0, 500.0)] == [0, LEADS - 1]


def test_the_order_of_factories_does_not_change_the_preferences() -> None:
    """Swapping two factories does not change the preferences for actions."""
    azul = RULESETS["azul"]
    for position in itertools.islice(positions(azul, 3), 0, None, 3):
        view = azul.view(position)
        if view["phase"] != "draft":
            continue
        swapped = azul.read({**view, "factories": view["factories"][::-1]})
        last = factory_count(position.seats) - 1
        names = {f"factory_{k}": f"factory_{last - k}" for k in range(last + 1)}
        before, after = (
            dict(zip(at.legal_actions(), preferences(azul, at, plain=False), strict=True)) for at in (position, swapped)
        )
        for action, preferred in before.items():
            named = azul.wire.decode(action)
            moved = {**named, "source": names.get(named["source"], named["source"])}
            assert preferred == pytest.approx(after[azul.wire.encode(moved)], abs=1e-4)


def test_a_tile_that_completes_a_line_is_preferred_to_the_floor() -> None:
    """An obvious choice: two tiles for a line of two, rather than the floor."""
    azul = RULESETS["azul"]
    position = azul.start("coloured", 2, 0)
    deal = [colour for colour in range(len(COLOURS)) for _ in range(4)]
    position = position.resolve_draw([*deal[2:], *deal[:2]])  # swap two factories
    odds = dict(zip(position.legal_actions(), preferences(azul, position, plain=False), strict=True))
    decoded = {action: azul.wire.decode(action) for action in odds}
    to_floor = [odds[action] for action, named in decoded.items() if named["line"] == "floor"]
    assert max(to_floor) < max(odds.values())
    assert decoded[max(odds, key=lambda action: odds[action])]["line"] != "floor"


def _sums(start: Singles, table: Singles, features: Ints, last: Singles, hidden: Singles) -> float:
    """Return all sums that a network computes, one after the other."""
    add_rows(start, table, features, len(features) - 1, hidden, 0)
    second_layer(hidden, table)
    below = layer_output(hidden, 0, last)
    add_rows(hidden, table, features, 2, hidden, UNITS)
    return below + layer_output(hidden, UNITS, last)


def test_compiled_and_plain_layers_give_bitwise_identical_numbers() -> None:
    """The order of additions is the same, so all bits are."""
    lots, compiled = np.random.default_rng(1), jit(_sums)
    for count in range(1, 40):
        start, last = (lots.standard_normal(UNITS).astype(np.float32) for _ in range(2))
        table = lots.standard_normal((UNITS + 1, UNITS)).astype(np.float32)
        features = lots.integers(0, UNITS + 1, count + 2)
        plain, other = (np.zeros(HIDDEN, np.float32) for _ in range(2))
        assert compiled(start, table, features, last, other) == _sums(start, table, features, last, plain) != 0
        assert np.array_equal(plain, other)


def test_a_layer_adds_rows_and_its_output_weights_only_positive_sums() -> None:
    """Worked out by hand with two rows of ones and twos, whose first half is below zero."""
    start = np.where(np.arange(UNITS) < UNITS // 2, -10, 0).astype(np.float32)
    table = np.array([np.ones(UNITS), np.full(UNITS, 2), np.full(UNITS, 9)], np.float32)
    hidden = np.zeros(HIDDEN, np.float32)
    add_rows(start, table, np.array([0, 1, 1, 2]), 3, hidden, 0)
    assert hidden.tolist() == [-5] * (UNITS // 2) + [5] * (UNITS // 2) + [0] * UNITS
    assert layer_output(hidden, 0, np.full(UNITS, 0.5, np.float32)) == 5 * 0.5 * UNITS / 2


def test_a_network_with_different_features_is_refused(tmp_path: Path) -> None:
    shapes = zip(PreferenceNetwork._fields, ((3, UNITS), (2, UNITS), UNITS, UNITS), strict=True)
    np.savez(tmp_path / PREFERENCES, **{name: np.zeros(shape) for name, shape in shapes})
    assert load_network(tmp_path / PREFERENCES, PreferenceNetwork, 3, 2).state.dtype == np.float32
    with pytest.raises(ValueError, match="other features"):
        load_network(tmp_path / PREFERENCES, PreferenceNetwork, 4, 2)


def test_a_table_too_large_for_machine_code_is_refused(tmp_path: Path) -> None:
    rows = MAX_TABLE_BYTES // (4 * UNITS) + 1
    shapes = zip(PreferenceNetwork._fields, ((rows, UNITS), (2, UNITS), UNITS, UNITS), strict=True)
    np.savez(tmp_path / PREFERENCES, **{name: np.zeros(shape) for name, shape in shapes})
    with pytest.raises(ValueError, match="too large"):
        load_network(tmp_path / PREFERENCES, PreferenceNetwork, rows, 2)


def test_a_value_network_may_have_a_second_layer(tmp_path: Path) -> None:
    """The expected values are computed with matrices. A file without a second layer is read as such."""
    lots = np.random.default_rng(1)
    sizes = (3, UNITS), UNITS, UNITS, 1, (UNITS + 1, UNITS)
    tables = [lots.standard_normal(size).astype(np.float32) for size in sizes]
    one, two = ValueNetwork(*tables[:4]), ValueNetwork(*tables)
    _, bias, last, _, second = tables
    below = np.maximum(bias, 0)
    for network, above in ((one, below), (two, np.maximum(below @ second[:UNITS] + second[UNITS], 0))):
        hidden = np.concatenate([bias, np.zeros(UNITS, np.float32)])
        assert float(above @ last) == pytest.approx(output_of(network)(hidden), rel=1e-4)
    np.savez(tmp_path / "one.npz", **{name: table for name, table in one._asdict().items() if table is not None})
    assert load_network(tmp_path / "one.npz", ValueNetwork, 3).second is None
