"""Placing a tile: open spaces, required neighbours, and forbidden groups."""

from __future__ import annotations

import pytest

from service.rulesets.ruleset import InconsistentStateError
from tests.rulesets.playing import effects_of_type, legal, play, refusal
from tests.rulesets.queens_garden.build import board, state, tiles_on, view
from tests.rulesets.queens_garden.geometry import (
    AREA_RINGS,
    AREAS,
    CENTRES,
    DIRECTIONS,
    ELEMENT_AT,
    FOUNTAIN_RING,
    SPACES,
    Space,
)
from tests.rulesets.queens_garden.letters import STACK_OF, Json
from tests.rulesets.queens_garden.playing import garden, place

EVERYWHERE = dict.fromkeys(AREAS, "down")


def answer(own: dict[Space, str], name: str, space: Space, areas: dict[int, int | str] | None = None) -> str | None:
    """Return the reason why a tile cannot be placed into this garden if jokers pay for it, or None."""
    before = state(board(15, f"{name} " + "*" * 5, own, areas))
    return refusal(before, place(name, space, "*" * (int(name[1]) - 1)))


def spaces_open(own: dict[Space, str], name: str, areas: dict[int, int | str] | None = None) -> set[Space]:
    """Return the spaces on which a tile may be placed."""
    actions = legal(state(board(15, f"{name} " + "*" * 5, own, areas)), "place_tile")
    return {(action["space"][0], action["space"][1]) for action in actions}


# Boards


@pytest.mark.parametrize("space", FOUNTAIN_RING)
def test_tile_can_be_placed_on_any_space_of_the_fountain_board(space: Space) -> None:
    """[place.needs_board]"""
    before = state(board(storage="b1 d2"))
    after = play(before, place("b1", space))
    assert {space: "b1"} == garden(after)
    assert 108 == len(tiles_on(view(after)))


@pytest.mark.parametrize("area", AREAS)
def test_spaces_of_an_area_need_an_expansion_on_it(area: int) -> None:
    """[place.needs_board]"""
    spaces = (*AREA_RINGS[area], CENTRES[area])
    assert ["no_board_there"] * 7 == [answer({}, "b1", space) for space in spaces]


@pytest.mark.parametrize("area", AREAS)
def test_face_down_expansion_opens_seven_spaces(area: int) -> None:
    """[place.needs_board]"""
    assert {*FOUNTAIN_RING, *AREA_RINGS[area], CENTRES[area]} == spaces_open({}, "b1", {area: "down"})


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("rotation", range(6))
def test_face_up_expansion_opens_the_five_free_spaces_of_its_ring(area: int, rotation: int) -> None:
    """[place.needs_board] neither its pavilion nor its hexagon is a free space."""
    printed = AREA_RINGS[area][rotation]
    free = {*FOUNTAIN_RING, *AREA_RINGS[area]} - {printed}
    own = {printed: "b2"}
    assert free == spaces_open(own, "b1", {area: rotation})
    assert "no_board_there" == answer(own, "b1", CENTRES[area], {area: rotation})
    assert "space_taken" == answer(own, "b1", printed, {area: rotation})


def test_with_six_bought_expansions_all_48_spaces_are_open() -> None:
    assert set(SPACES) == spaces_open({}, "b1", EVERYWHERE)  # type: ignore[arg-type]


@pytest.mark.parametrize("element", [element for element in ELEMENT_AT if not element.startswith("pavilion")])
def test_tile_cannot_be_placed_on_an_element(element: str) -> None:
    """[place.needs_board] never on an element, even with expansions on all areas."""
    try:
        refused = answer({}, "b1", ELEMENT_AT[element], dict.fromkeys(AREAS, "down"))
    except InconsistentStateError as error:
        refused = " ".join(error.errors)
    assert refused in {"no_board_there", "/space"}


def test_tile_in_another_garden_does_not_block_the_space() -> None:
    before = state(board(storage="b1"), board(garden={(1, 0): "b1"}))
    assert refusal(before, place("b1", (1, 0))) is None


# Neighbours


def test_tile_without_neighbours_may_be_placed_on_any_free_space() -> None:
    """[place.match]"""
    assert answer({(1, 0): "b2"}, "y5", (-1, 0)) is None


@pytest.mark.parametrize(("name", "expected"), [("b5", None), ("y2", None), ("y5", "neighbours_differ")])
def test_a_neighbour_must_share_the_colour_or_the_pattern(name: str, expected: str | None) -> None:
    """[place.match]"""
    assert expected == answer({(1, 0): "b2"}, name, (0, 1))


@pytest.mark.parametrize(("name", "expected"), [("b5", None), ("y6", None), ("k6", "neighbours_differ")])
def test_one_matching_neighbour_is_enough(name: str, expected: str | None) -> None:
    """[place.match] the others may differ in both."""
    assert expected == answer({(1, 0): "b2", (-1, 1): "y4"}, name, (0, 1))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_hexagons_in_all_six_directions_are_neighbours(direction: Space) -> None:
    """[expand.center_of_bought] the centre of a bought expansion has six neighbours."""
    q, r = CENTRES[2]
    own = {(q + direction[0], r + direction[1]): "b2"}
    answers = [answer(own, name, (q, r), {2: "down"}) for name in ("b5", "y5")]
    assert [None, "neighbours_differ"] == answers


def test_neighbours_on_another_board_must_match() -> None:
    """[place.match] (1, 0) of the fountain board touches (2, 0) of area 0."""
    own: dict[Space, str] = {(2, 0): "b2"}
    assert ["neighbours_differ", None] == [answer(own, name, (1, 0), {0: "down"}) for name in ("y5", "b5")]


def test_neighbours_on_another_area_must_match() -> None:
    """[place.match] (2, 1) of area 0 touches (1, 2) of area 1."""
    own: dict[Space, str] = {(2, 1): "b2"}
    both: dict[int, int | str] = {0: "down", 1: "down"}
    assert ["neighbours_differ", None] == [answer(own, name, (1, 2), both) for name in ("y5", "b5")]


def test_neighbouring_printed_hexagon_must_match() -> None:
    """[place.match]"""
    own: dict[Space, str] = {(2, 0): "b2"}
    assert ["neighbours_differ", None] == [answer(own, name, (1, 0), {0: 3}) for name in ("y5", "b5")]


# Groups


# hexagons of the garden, the placed one and its space
REPEATED: dict[str, tuple[dict[Space, str], str, Space]] = {
    "two identical neighbours": ({(1, 0): "b2"}, "b2", (0, 1)),
    "a chain of blue": ({(1, 0): "b2", (0, 1): "b1"}, "b2", (-1, 1)),
    "a chain of birds": ({(1, 0): "b2", (0, 1): "y2"}, "b2", (-1, 1)),
    "a longer chain of blue": ({(1, 0): "b2", (0, 1): "b1", (-1, 1): "b3", (-1, 0): "b4"}, "b2", (0, -1)),
    "a blue tree that joins two blue birds": ({(1, 0): "b2", (-1, 1): "b2"}, "b1", (0, 1)),
    "a yellow bird that joins two blue birds": ({(1, 0): "b2", (-1, 1): "b2"}, "y2", (0, 1)),
    "a neighbour that matches by colour": ({(1, 0): "b1", (-1, 1): "y2", (-1, 0): "b2"}, "b2", (0, 1)),
    "a neighbour that matches by pattern": ({(1, 0): "y2", (-1, 1): "b1", (-1, 0): "b2"}, "b2", (0, 1)),
    "two that are not adjacent": ({(1, 0): "b3", (1, -1): "b2", (-1, 1): "b4", (-1, 0): "b2"}, "b1", (0, 1)),
}
NOT_REPEATED: dict[str, tuple[dict[Space, str], str, Space]] = {
    "a chain of blue, then of trees": ({(1, 0): "b2", (0, 1): "b1", (-1, 1): "y1", (-1, 0): "y2"}, "b2", (0, -1)),
    "different birds": ({(1, 0): "b1", (-1, 1): "y2", (-1, 0): "k2"}, "b2", (0, 1)),
    "different blue hexagons": ({(1, 0): "y2", (-1, 1): "b1", (-1, 0): "b3"}, "b2", (0, 1)),
    "two groups of different hexagons": ({(1, 0): "b2", (-1, 1): "b3"}, "b1", (0, 1)),
}


@pytest.mark.parametrize("case", REPEATED)
def test_a_group_of_one_colour_or_pattern_contains_no_hexagon_twice(case: str) -> None:
    """[place.no_duplicates] however they are joined; the other neighbours do not excuse it."""
    assert "group_repeats_hexagon" == answer(*REPEATED[case])


@pytest.mark.parametrize("case", NOT_REPEATED)
def test_hexagons_of_different_groups_may_be_equal_and_groups_may_be_joined(case: str) -> None:
    """[place.no_duplicates]"""
    assert answer(*NOT_REPEATED[case]) is None


def test_tile_does_not_join_neighbouring_groups_of_another_colour() -> None:
    """Two yellow birds are kept apart by a blue tree that shares nothing with them."""
    own: dict[Space, str] = {(1, 0): "y2", (-1, 1): "y2", (1, 2): "b3", (0, 2): "b4"}
    assert answer(own, "b1", (0, 1), {1: "down"}) is None


def test_group_cannot_have_more_than_six_hexagons() -> None:
    """[place.no_duplicates] six different hexagons, and no seventh."""
    own = dict(zip(((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)), ("b1", "b2", "b3", "b4", "b5"), strict=True))
    six = {**own, (1, -1): "b6"}
    assert answer(own, "b6", (1, -1)) is None
    answers = {answer(six, f"b{value}", (2, 0), {0: "down"}) for value in range(1, 7)}
    assert {"group_repeats_hexagon"} == answers


def test_group_may_not_repeat_a_printed_hexagon() -> None:
    """[place.no_duplicates]"""
    assert "group_repeats_hexagon" == answer({(2, 0): "b2", (1, 0): "b1"}, "b2", (0, 1), {0: 3})
    assert "group_repeats_hexagon" == answer({(2, 0): "b2"}, "b2", (1, 0), {0: 3})


# Consequences


def test_placed_tile_effect_contains_seat_hexagon_and_space() -> None:
    before = state(board(storage="b1"))
    expected: Json = {"seat": 0, "hexagon": place("b1", (1, 0))["hexagon"], "space": [1, 0]}
    (effect,) = effects_of_type(before, place("b1", (1, 0)), "tile_placed")
    assert expected == {name: effect[name] for name in expected}


@pytest.mark.parametrize("seats", STACK_OF)
def test_turn_passes_clockwise_after_placing_a_tile(seats: int) -> None:
    for seat in range(seats):
        before = state(*(board(storage=f"{letter}1") for letter in "bdyk"[:seats]), seats=seats, to_decide=seat)
        assert (seat + 1) % seats == play(before, place(f"{'bdyk'[seat]}1", (1, 0))).seat
