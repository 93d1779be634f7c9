"""The legal actions of crowded positions, compared with the referee's; tests.rulesets.soak compares whole games."""

from __future__ import annotations

import pytest

from service.rulesets.queens_garden import QUEENS_GARDEN
from service.rulesets.ruleset import Position
from tests.rulesets.playing import sort_actions
from tests.rulesets.queens_garden.build import board, distinct, state, view
from tests.rulesets.queens_garden.geometry import AREAS, FOUNTAIN_RING, RING_SPACES
from tests.rulesets.queens_garden.letters import Json
from tests.rulesets.queens_garden.referee import legal, without_aliases


def assert_legal_by_referee(position: Position) -> None:
    """Compare the listed actions and the aliases with the referee's actions."""
    allowed = list(legal(view(position)))
    listed, aliases = (
        [*map(QUEENS_GARDEN.wire.decode, results)] for results in (position.legal_actions(), position.aliases())
    )
    assert sort_actions(without_aliases(allowed)) == sort_actions(listed)
    assert sort_actions(allowed) == sort_actions([*listed, *aliases])


CROWDED = {
    "all hexagons around the fountain": board(15, "b1 b2 d3 ^k4 *****", distinct(FOUNTAIN_RING), {0: "down"}),
    "a full storage of two kinds": board(15, "b1 b1 b1 d2 d2 d2 k3 k3 k3 l1 l1 l1 ^b2 ^k1"),
    "all colours of a pattern": board(6, "b4 d4 l4 y4 p4 k4 b1 b2 b3 ^d1 ^b6 ***"),
    "tiles and expansions with the same hexagons": board(5, "b1 b2 b3 b4 ^b1 ^b3 **"),
    "a garden with 36 hexagons": board(15, "b1 d2 ^y3 ****", distinct(RING_SPACES), dict.fromkeys(AREAS, "down")),
    "six jokers and every tree": board(15, "b1 d1 l1 y1 p1 k1 ******", {(1, 0): "b2", (-1, 1): "k2"}),
}


@pytest.mark.parametrize("case", CROWDED)
def test_legal_actions_match_the_referee(case: str) -> None:
    beside = ("p1 p2", "p2 p3 l4", "^p1", "", "^l2")
    displays: tuple[Json, ...] = ({}, {"top": "p1 p3 k2 l6", "beside": beside[:4]}, {"stack": 0, "beside": beside})
    for display in displays:
        assert_legal_by_referee(state(CROWDED[case], **display))
