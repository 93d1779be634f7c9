"""The invariants of the record notice what they are there for."""

from __future__ import annotations

import pytest

from tests.rulesets.summer_pavilion.build import COLOURS, board, state
from tests.rulesets.summer_pavilion.invariants import OWN_COLOUR, faults_of_record


@pytest.mark.parametrize(
    "name", ["bag", "tower", "supply", "bonus_owed", "round_number", "passed", "start_seat", "score"]
)
def test_the_invariants_detect_a_changed_field(name: str) -> None:
    table_state = state(start_seat=1).table_state()
    table_state[name] = ~table_state[name]
    assert faults_of_record(table_state)


@pytest.mark.parametrize("variant", ["coloured", "grey"])
@pytest.mark.parametrize("name", ["hand", "corners", "leftover_penalty", "stars", "filled"])
def test_the_invariants_detect_a_changed_field_of_a_board(name: str, variant: str) -> None:
    table_state = state(board(9, {"b": "b....."}, "bg"), variant=variant).table_state()
    table_state.boards[0][name] = table_state.boards[0][name] + 1
    assert faults_of_record(table_state)


@pytest.mark.parametrize(("variant", "star", "slot"), [("coloured", "b.....", 0), ("grey", "bbb...", 2)])
def test_the_invariants_detect_a_star_with_wrong_colours(variant: str, star: str, slot: int) -> None:
    table_state = state(board(9, {"b": star}), variant=variant).table_state()
    blue, red = COLOURS.index("blue"), COLOURS.index("red")
    table_state.boards[0]["stars"][OWN_COLOUR.tolist().index(blue), slot] = red + 1
    table_state["bag"][blue], table_state["bag"][red] = table_state["bag"][blue] + 1, table_state["bag"][red] - 1
    assert ["a star"] == faults_of_record(table_state)
