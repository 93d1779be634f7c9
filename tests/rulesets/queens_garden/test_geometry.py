"""The garden, recomputed from axial coordinates."""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.queens_garden import QUEENS_GARDEN
from tests.rulesets.queens_garden.geometry import (
    AREA_RINGS,
    AREAS,
    CENTRES,
    DIRECTIONS,
    ELEMENT_AT,
    ELEMENTS,
    FOUNTAIN_RING,
    RING_SPACES,
    SPACES,
    Space,
    jokers_of,
    kind_of,
    spaces_around,
)
from tests.rulesets.queens_garden.letters import (
    COLOURS,
    PATTERNS,
    STACK_OF,
    SUPPLY_OF,
    Json,
)

SHOWN = {
    1: ("tree", "blue", "dark_green"),
    2: ("bird", "butterfly", "dark_purple"),
    3: ("flower", "yellow", "light_purple"),
    4: ("plant", "bellflower", "light_green"),
}
PATTERN_POINTS = {
    "standard": dict(zip(PATTERNS, (1, 1, 2, 2, 3, 3), strict=True)),
    "reverse": dict.fromkeys(PATTERNS, 2),
}
BONUSES = {"standard": {6: 6}, "reverse": {4: 2, 5: 4, 6: 6}}


def component(name: str) -> Any:
    return QUEENS_GARDEN.wire.components()[name]


def spaces_of(json: list[list[int]]) -> list[Space]:
    return [(q, r) for q, r in json]


# By itself


def test_elements_are_exactly_the_places_surrounded_by_ring_spaces() -> None:
    places = {(q, r) for q in range(-6, 7) for r in range(-6, 7)}
    closed = {place for place in places if all((place[0] + q, place[1] + r) in RING_SPACES for q, r in DIRECTIONS)}
    assert set(ELEMENT_AT.values()) == closed


def test_only_the_pavilion_is_surrounded_by_a_single_area() -> None:
    """Placing an expansion fills one space of the garden, so it could complete nothing but a lone pavilion."""
    alone = [element for element in ELEMENTS if any(set(spaces_around(element)) <= set(ring) for ring in AREA_RINGS)]
    assert [f"pavilion{area}" for area in AREAS] == alone


# In the ruleset


def test_geometry_component_lists_the_six_directions_in_order() -> None:
    assert list(DIRECTIONS) == spaces_of(component("geometry")["directions"])


def test_geometry_component_lists_the_spaces_of_the_fountain_board() -> None:
    assert list(FOUNTAIN_RING) == spaces_of(component("geometry")["fountain_spaces"])


def test_geometry_component_lists_the_six_areas() -> None:
    expected = [
        {"area": area, "centre": list(CENTRES[area]), "ring": [list(space) for space in AREA_RINGS[area]]}
        for area in AREAS
    ]
    assert expected == component("geometry")["areas"]


def test_geometry_component_lists_position_and_jokers_of_each_element() -> None:
    expected = {
        element: {"kind": kind_of(element), "at": list(ELEMENT_AT[element]), "jokers": jokers_of(element)}
        for element in ELEMENTS
    }
    actual: Json = {
        each["element"]: {name: each[name] for name in ("kind", "at", "jokers")}
        for each in component("geometry")["elements"]
    }
    assert expected == actual


@pytest.mark.parametrize("element", ELEMENTS)
def test_geometry_component_lists_the_spaces_around_each_element(element: str) -> None:
    (answered,) = [each for each in component("geometry")["elements"] if each["element"] == element]
    assert set(spaces_around(element)) == set(spaces_of(answered["spaces"]))


def test_wheel_component_lists_symbols_and_points_of_each_round() -> None:
    expected = {
        variant: {
            number: [{"shown": shown, "points": points.get(shown, 1)} for shown in names]
            for number, names in SHOWN.items()
        }
        for variant, points in PATTERN_POINTS.items()
    }
    actual = {each["variant"]: {line["round"]: line["shown"] for line in each["rounds"]} for each in component("wheel")}
    assert expected == actual


def test_wheel_component_marks_the_reconstructed_wheel() -> None:
    assert {"standard": "likely", "reverse": "reconstructed"} == {
        each["variant"]: each["status"] for each in component("wheel")
    }


def test_group_bonuses_component_marks_the_reconstructed_bonuses() -> None:
    answered = component("group_bonuses")
    actual: dict[str, dict[int, int]] = {variant: {} for variant in BONUSES}
    for each in answered:
        if each["points"]:
            actual[each["variant"]][each["size"]] = each["points"]
    assert BONUSES == actual
    assert {("standard", "certain"), ("reverse", "reconstructed")} == {
        (each["variant"], each["status"]) for each in answered
    }


def test_stacks_component_lists_stacks_and_supply_for_each_number_of_seats() -> None:
    expected = [
        {"seats": seats, "expansions_per_stack": STACK_OF[seats], "supply": SUPPLY_OF[seats]} for seats in STACK_OF
    ]
    assert expected == [
        {name: each[name] for name in ("seats", "expansions_per_stack", "supply")} for each in component("stacks")
    ]


def test_hexagons_component_lists_colours_and_pattern_values() -> None:
    answered = component("hexagons")
    worth = [{"pattern": pattern, "value": value} for value, pattern in enumerate(PATTERNS, start=1)]
    assert (list(COLOURS), worth) == (answered["colours"], answered["patterns"])
    assert (3, 1) == (answered["tiles_per_hexagon"], answered["expansions_per_hexagon"])


def test_garden_spaces_are_the_rings_and_the_centres_of_the_areas() -> None:
    assert ({*RING_SPACES, *CENTRES}, 48) == ({*SPACES}, len(SPACES))
