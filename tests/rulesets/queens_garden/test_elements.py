"""Elements: a sixth hexagon around one completes it and pays jokers, if there is room."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.playing import effects, effects_of_type, play, short_type
from tests.rulesets.queens_garden.build import board, distinct, state
from tests.rulesets.queens_garden.geometry import (
    AREA_RINGS,
    AREAS,
    CENTRES,
    ELEMENTS,
    RING_SPACES,
    SPACES,
    Space,
    areas_of,
    elements_at,
    jokers_of,
    kind_of,
    neighbours,
    spaces_around,
)
from tests.rulesets.queens_garden.letters import Json
from tests.rulesets.queens_garden.playing import buy, expand, place, storage

LAST = [pytest.param(each, space, id=f"{each}-{space}") for each in ELEMENTS for space in spaces_around(each)]
NO_PAVILIONS = [element for element in ELEMENTS if kind_of(element) != "pavilion"]
PAVILIONS = [element for element in ELEMENTS if kind_of(element) == "pavilion"]


def face_up(spaces: Iterable[Space], last: Space) -> dict[int, int | str]:
    """Face-up expansions under the spaces; each shows its printed hexagon on one of them that is not the last."""
    needed = [*spaces]
    return {
        area: next(k for k, space in enumerate(AREA_RINGS[area]) if space in needed and space != last)
        for area in areas_of(needed)
        if {*AREA_RINGS[area]} & {*needed} - {last}
    }


def surrounding(
    last: Space, others: Iterable[Space], areas: dict[int, int | str], more: str = ""
) -> tuple[Position, Json]:
    """Return different hexagons on the others with a blue one beside the last space, and the action for this space."""
    spaces = sorted({*others} - {last}, key=lambda space: (space not in neighbours(last), SPACES.index(space)))
    own = distinct(spaces, first="b2", without="b1")
    return state(board(15, f"b1 {more}", own, areas)), place("b1", last)


def completed_elements(last: Space, others: Iterable[Space], areas: dict[int, int | str]) -> list[tuple[str, str, int]]:
    """Return the elements of the effects: id, kind and jokers."""
    position, action = surrounding(last, others, areas)
    return [
        (each["element"], each["kind"], each["jokers"])
        for each in effects_of_type(position, action, "element_completed")
    ]


def element_tuples(*elements: str) -> list[tuple[str, str, int]]:
    return [(element, kind_of(element), jokers_of(element)) for element in elements]


# Each element


@pytest.mark.parametrize(("element", "last"), LAST)
def test_an_element_is_completed_by_the_last_hexagon_on_any_of_its_spaces(element: str, last: Space) -> None:
    """[surround.when] by printed hexagons too, one on each face-up expansion."""
    areas = face_up(spaces_around(element), last)
    for area in areas_of([last]):
        areas.setdefault(area, "down")
    assert element_tuples(element) == completed_elements(last, spaces_around(element), areas)


@pytest.mark.parametrize("element", NO_PAVILIONS)
def test_fountain_statues_and_benches_are_completed_by_tiles_alone(element: str) -> None:
    """[surround.when] on bought expansions."""
    for last in spaces_around(element):
        areas: dict[int, int | str] = dict.fromkeys(AREAS, "down")
        assert element_tuples(element) == completed_elements(last, spaces_around(element), areas)


@pytest.mark.parametrize(("element", "last"), LAST)
def test_element_with_a_free_space_around_it_is_not_completed(element: str, last: Space) -> None:
    """[surround.when] all six."""
    for free in spaces_around(element):
        if free != last:
            others = [space for space in spaces_around(element) if space != free]
            areas: dict[int, int | str] = face_up(others, last)
            for area in areas_of([*others, last]):
                areas.setdefault(area, "down")
            assert [] == completed_elements(last, others, areas)


@pytest.mark.parametrize("element", ELEMENTS)
def test_a_completed_element_gives_its_jokers(element: str) -> None:
    """[surround.when]"""
    last = spaces_around(element)[0]
    areas = face_up(spaces_around(element), last)
    for area in areas_of([last]):
        areas.setdefault(area, "down")
    position, action = surrounding(last, spaces_around(element), areas)
    assert "*" * jokers_of(element) == storage(play(position, action))
    assert [{"seat": 0, "jokers": jokers_of(element), "lost": 0}] == effects_of_type(position, action, "jokers_gained")


@pytest.mark.parametrize("element", PAVILIONS)
@pytest.mark.parametrize("turned", range(1, 6))
def test_pavilion_can_be_completed_with_any_rotation_of_its_expansion(element: str, turned: int) -> None:
    """[surround.when]"""
    area = int(element[-1])
    assert element_tuples(element) == completed_elements(
        spaces_around(element)[0], spaces_around(element), {area: turned}
    )


@pytest.mark.parametrize("area", AREAS)
def test_filling_the_ring_of_a_bought_expansion_completes_no_element(area: int) -> None:
    """[expand.center_of_bought] no pavilion."""
    for last in AREA_RINGS[area]:
        assert [] == completed_elements(last, AREA_RINGS[area], {area: "down"})


@pytest.mark.parametrize("area", AREAS)
def test_centre_of_a_bought_expansion_is_not_an_element(area: int) -> None:
    """[expand.center_of_bought] neither when it is surrounded nor when it is filled last."""
    position, action = surrounding(CENTRES[area], AREA_RINGS[area], {area: "down"})
    assert ([], "") == (effects_of_type(position, action, "jokers_gained"), storage(play(position, action)))
    ring = [*AREA_RINGS[area], CENTRES[area]]
    assert [] == completed_elements(AREA_RINGS[area][0], ring, {area: "down"})


# Several at once


@pytest.mark.parametrize("last", RING_SPACES, ids=str)
def test_tile_completes_every_element_whose_last_free_space_it_fills(last: Space) -> None:
    """[surround.when] up to three."""
    actual = elements_at(last)
    others = {space for element in actual for space in spaces_around(element)}
    areas = face_up(others, last)
    for area in areas_of([last]):
        areas.setdefault(area, "down")
    assert element_tuples(*actual) == completed_elements(last, others, areas)


@pytest.mark.parametrize("last", [space for space in RING_SPACES if len(elements_at(space)) == 3], ids=str)
def test_the_jokers_of_three_elements_add_up(last: Space) -> None:
    """[surround.when]"""
    actual = elements_at(last)
    others = {space for element in actual for space in spaces_around(element)}
    position, action = surrounding(last, others, face_up(others, last))
    expected = sum(jokers_of(element) for element in actual)
    assert expected in {5, 7}
    assert [{"seat": 0, "jokers": expected, "lost": 0}] == effects_of_type(position, action, "jokers_gained")
    assert "*" * expected == storage(play(position, action))


def test_completed_elements_are_listed_between_the_placed_tile_and_the_jokers() -> None:
    others = {space for element in elements_at((1, 0)) for space in spaces_around(element)}
    position, action = surrounding((1, 0), others, face_up(others, (1, 0)))
    kinds = [short_type(effect) for effect in effects(position, action)]
    assert ["tile_placed", *["element_completed"] * 3, "jokers_gained"] == kinds


def test_completed_element_effect_contains_seat_kind_and_jokers() -> None:
    position, action = surrounding((1, 0), spaces_around("fountain"), {})
    expected = {"seat": 0, "element": "fountain", "kind": "fountain", "jokers": 1}
    assert [expected] == effects_of_type(position, action, "element_completed")


def test_tile_that_completes_no_element_has_no_jokers_effect() -> None:
    assert [] == effects_of_type(state(board(storage="b1")), place("b1", (1, 0)), "jokers_gained")


# Room


@pytest.mark.parametrize(("held", "kept"), [(11, 1), (10, 2), (9, 3), (8, 3), (0, 3)])
def test_jokers_that_do_not_fit_in_the_storage_are_lost(held: int, kept: int) -> None:
    """[surround.when] the placed tile has left the storage."""
    position, action = surrounding((4, 0), spaces_around("pavilion0"), {0: 3}, "*" * held)
    assert "*" * (held + kept) == storage(play(position, action))
    assert [{"seat": 0, "jokers": kept, "lost": 3 - kept}] == effects_of_type(position, action, "jokers_gained")


def test_stored_tiles_and_jokers_share_the_same_spaces() -> None:
    """[surround.when]"""
    held = "d1 d1 d2 d2 d3 d3 d4 d4 d5 d5 d6"
    position, action = surrounding((4, 0), spaces_around("pavilion0"), {0: 3}, held)
    assert f"{held} *" == storage(play(position, action))


def test_stored_expansions_take_no_space_from_jokers() -> None:
    position, action = surrounding((4, 0), spaces_around("pavilion0"), {0: 3}, "^k6 ^k5 *********")
    assert "^k5 ^k6 ************" == storage(play(position, action))


def test_paid_tiles_make_room_for_gained_jokers() -> None:
    """[surround.when] jokers are placed after the payment has left."""
    own = distinct(spaces_around("pavilion0")[1:], first="b1 b2", without="b3")
    held = "b3 b4 b5 d1 d1 d2 d2 d3 d3 d4 d4 d5"
    before = state(board(15, held, own, {0: 3}))
    assert "d1 d1 d2 d2 d3 d3 d4 d4 d5 ***" == storage(play(before, place("b3", (4, 0), "b4 b5")))


def test_paid_jokers_make_room_for_gained_jokers() -> None:
    own = distinct(spaces_around("pavilion0")[1:], first="b1 b2", without="b3")
    before = state(board(15, "b3 ***********", own, {0: 3}))
    assert "************" == storage(play(before, place("b3", (4, 0), "**")))


def test_jokers_effect_counts_lost_jokers() -> None:
    """A full storage whose placed tile pays nothing has one space; a fuller one cannot be."""
    others = {space for element in elements_at((2, 0)) for space in spaces_around(element)}
    position, action = surrounding((2, 0), others, face_up(others, (2, 0)), "*" * 11)
    assert [{"seat": 0, "jokers": 1, "lost": 6}] == effects_of_type(position, action, "jokers_gained")


# Actions that complete no element


@pytest.mark.parametrize("element", [element for element in ELEMENTS if areas_of(spaces_around(element))])
def test_placing_an_expansion_completes_no_element(element: str) -> None:
    """[surround.by_expansion] the printed hexagon falls on a space of a ring whose other spaces are still to come."""
    for last in spaces_around(element):
        for area in areas_of([last]):
            others = [space for space in spaces_around(element) if space not in AREA_RINGS[area]]
            own = distinct(others, without="b1")
            areas: dict[int, int | str] = dict.fromkeys((other for other in AREAS if other != area), "down")
            before = state(board(15, "^b1", own, areas))
            action = expand("b1", area, AREA_RINGS[area].index(last))
            assert ["expansion_placed"] == [short_type(effect) for effect in effects(before, action)]


def test_buying_an_expansion_completes_no_element() -> None:
    """[surround.by_expansion]"""
    others = [space for space in spaces_around("bench0") if space not in AREA_RINGS[0]]
    before = state(board(15, "", distinct(others), {1: "down"}))
    assert ["expansion_bought"] == [short_type(effect) for effect in effects(before, buy(0))]


def test_element_gives_its_jokers_only_once() -> None:
    """The fountain is surrounded; a tile beside its ring does not surround it again."""
    own = distinct([*spaces_around("fountain")], first="b2", without="b1")
    before = state(board(15, "b1", own, {0: "down"}))
    assert [] == effects_of_type(before, place("b1", (2, 0)), "element_completed")
