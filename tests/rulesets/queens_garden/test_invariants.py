"""Changes of gardens and unseen faces from position to position, and faults that the invariants detect."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from service.rulesets.queens_garden import QUEENS_GARDEN
from tests.rulesets.playing import Game, games
from tests.rulesets.queens_garden.build import board, passer, state, view
from tests.rulesets.queens_garden.invariants import INDEX, KINDS, faults_of_record
from tests.rulesets.queens_garden.letters import HEXAGONS, Json, hexagons
from tests.rulesets.queens_garden.tastes import TASTES


@settings(max_examples=15, deadline=None)
@given(games(QUEENS_GARDEN, TASTES, [900, 60], 12))
def test_seen_faces_stay_seen_and_gardens_never_lose_a_hexagon(game: Game) -> None:
    unseen, gardens = hexagons(" ".join(HEXAGONS)), list[Json]()
    for position in game:
        shown = view(position)
        assert [] == [face for face in shown["unseen"] if face not in unseen]
        unseen, before = shown["unseen"], gardens
        gardens = [seat["garden"] for seat in shown["seats"]]
        for old, new in zip(before, gardens, strict=False):
            assert [] == [place for place in old if place not in new]


@pytest.mark.parametrize(
    "name",
    ["bag", "tower", "supply", "unseen", "faces", "lies", "beside", "left_stack", "stack", "round_number", "passed"],
)
def test_invariants_detect_a_changed_field_of_the_record(name: str) -> None:
    table_state = state(board(9, "b1 ^b2 **"), passer(), top="b1 b2", beside=("k1", "", "^l4")).table_state()
    table_state[name] = table_state[name] ^ 7
    assert faults_of_record(table_state)


@pytest.mark.parametrize("name", ["open_spaces", "colours", "patterns", "held", "expansions", "tiles", "tile_count"])
def test_invariants_detect_a_changed_field_of_a_board(name: str) -> None:
    table_state = state(board(9, "b1 ^b2 **", {(1, 0): "b3"}), passer()).table_state()
    table_state.boards[0][name] = table_state.boards[0][name] ^ 7
    assert faults_of_record(table_state)


def test_invariants_detect_a_group_that_repeats_a_hexagon() -> None:
    table_state = state(board(15, "", {(1, 0): "b1", (0, 1): "b2", (-1, 1): "b3"})).table_state()
    own, space = table_state.boards[0], INDEX[(-1, 1)]
    before, after = int(own["garden"][space]) - 1, int(own["garden"][INDEX[(1, 0)]]) - 1
    own["garden"][space] = after + 1
    for hexagon, there in ((before, -1), (after, 1)):
        table_state["bag"][hexagon] = table_state["bag"][hexagon] - there
        own["patterns"][hexagon % KINDS] = own["patterns"][hexagon % KINDS] + there * (1 << space)
    assert ["seat 0: a group"] == faults_of_record(table_state)


@pytest.mark.parametrize(
    ("name", "value", "fault"), [("marker", 0, "the marker"), ("seat", 1, "a mover that has passed")]
)
def test_invariants_detect_an_impossible_marker_holder_or_mover(name: str, value: int, fault: str) -> None:
    table_state = state(board(15), passer()).table_state()
    assert [] == faults_of_record(table_state)
    table_state[name] = value
    assert [fault] == faults_of_record(table_state)
