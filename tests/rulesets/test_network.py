"""Networks: what they see of a position, and that compiled they prefer what they prefer in plain Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from service.rulesets.azul.rules.components import COLOURS
from service.rulesets.compiled import NETWORK
from service.rulesets.factories import factory_count
from service.rulesets.kernel import generator
from service.rulesets.network import HIDDEN, MOST_FEATURES, MOST_OF_ACTION, UNITS, Network, NetworkFeatures, trained
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset

WITH_NETWORK = [ruleset for ruleset in RULESETS.values() if ruleset.ai.network is not None]


def positions(ruleset: Ruleset, games: int) -> Iterator[Position]:
    """Those in which a seat decides, of games at random on all sides and with all numbers of seats."""
    rng = generator(bytes(range(1, 33)))
    for number in range(games):
        seats = ruleset.seat_counts[number % len(ruleset.seat_counts)]
        position = ruleset.start(ruleset.variants[number % len(ruleset.variants)], seats, None)
        while position.status != "over":
            if position.status == "drawing":
                position = position.resolve_draw(position.sample(rng))
            else:
                yield position
                position = position.play(position.random_action(rng))


def features(ruleset: Ruleset) -> NetworkFeatures:
    assert ruleset.ai.network is not None
    return ruleset.ai.network


def preferences(ruleset: Ruleset, position: Position, *, plain: bool) -> list[float]:
    """Of all legal actions, in their order."""
    actions = np.array(position.legal_actions(), np.int64)
    out, room = np.zeros(len(actions)), (np.zeros(MOST_FEATURES, np.int64), np.zeros(HIDDEN, np.float32))
    rule = ruleset.rules.function("preferences") if plain else ruleset.rules.preferences
    rule(position.table_state(), actions, out, *room)
    return list(out)


@pytest.mark.parametrize("ruleset", WITH_NETWORK, ids=lambda ruleset: ruleset.id)
def test_features_are_numbers_of_rows(ruleset: Ruleset) -> None:
    """Whatever is played, and never more of them than there is room for."""
    of_state, of_action, (of_states, of_actions) = features(ruleset)
    room, rng = np.zeros(2 * MOST_FEATURES, np.int64), random.Random(1)
    for position in positions(ruleset, 12):
        table_state, legal = position.table_state(), position.legal_actions()
        count = of_state(table_state, room)
        assert count <= MOST_FEATURES
        assert ((room[:count] >= 0) & (room[:count] < of_states)).all()
        for action in rng.sample(legal, min(8, len(legal))):
            count = of_action(table_state, action, room)
            assert count <= MOST_OF_ACTION
            assert ((room[:count] >= 0) & (room[:count] < of_actions)).all()
        assert position.to_bytes() == table_state.tobytes()


@pytest.mark.parametrize("ruleset", WITH_NETWORK, ids=lambda ruleset: ruleset.id)
def test_compiled_it_prefers_what_it_prefers_in_plain_python(ruleset: Ruleset) -> None:
    assert ruleset.rules.are_compiled()
    for number, position in enumerate(positions(ruleset, 6)):
        if number % 7 == 0 and len(position.legal_actions()) <= 100:
            compiled, plain = (preferences(ruleset, position, plain=plain) for plain in (False, True))
            assert np.allclose(compiled, plain, atol=1e-4)


def test_the_order_of_factories_does_not_matter() -> None:
    """Of two factories that change places, actions are preferred as before."""
    azul = RULESETS["azul"]
    for position in positions(azul, 3):
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
    """What anybody would say after a minute: two tiles for a line of two, and not to the floor."""
    azul = RULESETS["azul"]
    position = azul.start("coloured", 2, 0)
    deal = [colour for colour in range(len(COLOURS)) for _ in range(4)]
    position = position.resolve_draw([*deal[2:], *deal[:2]])  # mixed factories
    odds = dict(zip(position.legal_actions(), preferences(azul, position, plain=False), strict=True))
    decoded = {action: azul.wire.decode(action) for action in odds}
    to_floor = [odds[action] for action, named in decoded.items() if named["line"] == "floor"]
    assert max(to_floor) < max(odds.values())
    assert decoded[max(odds, key=lambda action: odds[action])]["line"] != "floor"


def test_a_network_of_other_features_is_refused(tmp_path: Path) -> None:
    shapes = zip(Network._fields, ((3, UNITS), (2, UNITS), UNITS, UNITS), strict=True)
    np.savez(tmp_path / NETWORK, **{name: np.zeros(shape) for name, shape in shapes})
    assert trained(tmp_path, 3, 2).state.dtype == np.float32
    with pytest.raises(ValueError, match="other features"):
        trained(tmp_path, 4, 2)
