"""Surrounded features: their places, their completion, and their bonus tiles."""

from __future__ import annotations

import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.playing import effects, effects_of_type, fields, play, short_type
from tests.rulesets.summer_pavilion.build import SUPPLY, VARIANTS, Json, board, hand, place, state, view
from tests.rulesets.summer_pavilion.geometry import (
    AROUND,
    SPACES,
    Space,
    colour_at,
    features_at,
    filled_stars,
    number_at,
    spaces_of,
    tiles_of,
)

every_side = pytest.mark.parametrize("variant", VARIANTS)
LAST = [pytest.param(name, space, id=f"{name}-{space[0]}{space[1]}") for name in AROUND for space in spaces_of(name)]


def about_to_place(variant: str, space: Space, *others: Space, supply: str = SUPPLY) -> tuple[Position, Json]:
    """Return a position with tiles on the others, and the action that fills the space at its exact price."""
    colour = colour_at(space)
    position = state(
        board(5, filled_stars(*others), colour * number_at(variant, space)), variant=variant, supply=supply
    )
    return position, place(f"{space[0]}{space[1]}", colour)


@every_side
@pytest.mark.parametrize(("name", "last"), LAST)
def test_a_feature_is_surrounded_by_the_last_tile_on_any_of_its_spaces(variant: str, name: str, last: Space) -> None:
    others = [space for space in spaces_of(name) if space != last]
    position, action = about_to_place(variant, last, *others)
    assert [{"seat": 0, "feature": name, "tiles": tiles_of(name)}] == effects_of_type(
        position, action, "feature_surrounded"
    )
    assert [{"seat": 0, "tiles": tiles_of(name)}] == effects_of_type(position, action, "bonus_owed")
    expected = ("take_bonus", 0, tiles_of(name))
    assert expected == fields(play(position, action), "phase", "to_decide", "bonus_owed")


@every_side
@pytest.mark.parametrize(("name", "last"), LAST)
def test_a_feature_with_a_free_space_pays_nothing(variant: str, name: str, last: Space) -> None:
    others = [space for space in spaces_of(name) if space != last]
    for free in others:
        position, action = about_to_place(variant, last, *(space for space in others if space != free))
        assert [] == effects_of_type(position, action, "feature_surrounded")
        assert ("play", 1, 0) == fields(play(position, action), "phase", "to_decide", "bonus_owed")


@every_side
@pytest.mark.parametrize("space", SPACES, ids=lambda space: f"{space[0]}{space[1]}")
def test_the_last_tile_of_a_board_closes_exactly_the_features_next_to_its_space(variant: str, space: Space) -> None:
    position, action = about_to_place(variant, space, *(other for other in SPACES if other != space))
    expected = [{"seat": 0, "feature": name, "tiles": tiles_of(name)} for name in features_at(space)]
    assert expected == effects_of_type(position, action, "feature_surrounded")
    owed = sum(tiles_of(name) for name in features_at(space))
    assert [{"seat": 0, "tiles": owed}] == effects_of_type(position, action, "bonus_owed")
    assert owed == view(play(position, action))["bonus_owed"]


@every_side
def test_the_tiles_of_another_seat_do_not_help_to_surround_a_feature(variant: str) -> None:
    position = state(board(hand="bbbbbb"), board(5, {"b": "b...b."}), variant=variant)
    assert [] == effects_of_type(position, place("b6", "b"), "feature_surrounded")


@every_side
def test_the_colours_around_a_feature_do_not_matter_on_the_grey_side(variant: str) -> None:
    tiles = {"grey": ("b...r.", "g"), "coloured": ("b...b.", "b")}
    stars, colour = tiles[variant]
    position = state(board(5, {"b": stars}, colour * 6), variant=variant)
    assert ["window_blue"] == [
        effect["feature"] for effect in effects_of_type(position, place("b6", colour), "feature_surrounded")
    ]


def test_the_effects_of_a_placement_that_closes_features_are_in_order() -> None:
    others = [space for name in features_at(("b", 2)) for space in spaces_of(name) if space != ("b", 2)]
    position, action = about_to_place("coloured", ("b", 2), *others)
    kinds = [(short_type(effect), effect.get("feature")) for effect in effects(position, action)]
    assert [
        ("tile_placed", None),
        ("feature_surrounded", "pillar_blue"),
        ("feature_surrounded", "statue_blue_yellow"),
        ("bonus_owed", None),
    ] == kinds


def test_the_hand_pays_for_the_placement_before_bonus_tiles_are_taken() -> None:
    others = [space for space in spaces_of("window_red") if space != ("r", 5)]
    position, action = about_to_place("coloured", ("r", 5), *others)
    assert {} == hand(play(position, action))
