"""Runs on a star's ring, and the two kinds of stars on the grey side."""

from __future__ import annotations

import pytest

from tests.rulesets.playing import effects_of_type, play, refusal
from tests.rulesets.summer_pavilion.build import VARIANTS, board, place, state
from tests.rulesets.summer_pavilion.geometry import STARS, colour_at

every_side = pytest.mark.parametrize("variant", VARIANTS)
every_star = pytest.mark.parametrize("star", STARS)

# (slots filled before, slot placed, points)
RUNS = {
    "a tile alone scores 1": ("......", 1, 1),
    "a tile that touches no other tile scores 1": ("..xxx.", 1, 1),
    "a run of 2 by the slot before": (".x....", 3, 2),
    "a run of 2 by the slot after": ("...x..", 3, 2),
    "a run of 3 closed in its middle": (".x.x..", 3, 3),
    "a run of 3 at its end": ("xx....", 3, 3),
    "a run of 4": ("xx.x..", 3, 4),
    "a run of 5": ("xx.xx.", 3, 5),
    "a full ring": ("xx.xxx", 3, 6),
    "a full ring closed at slot 1": (".xxxxx", 1, 6),
    "a full ring closed at slot 6": ("xxxxx.", 6, 6),
    "slot 6 touches slot 1": (".....x", 1, 2),
    "slot 1 touches slot 6": ("x.....", 6, 2),
    "a run across the ring's seam": (".x..xx", 1, 4),
    "a run across the seam in the other direction": ("xx..x.", 6, 4),
    "a gap ends the run": ("x.x...", 4, 2),
    "a tile with a gap on both sides": ("x...x.", 3, 1),
    "a run of 5 across the seam": ("x..xxx", 2, 5),
    "two runs of which one touches": ("xx..xx", 3, 5),
}


@every_side
@every_star
@pytest.mark.parametrize("case", RUNS)
def test_a_placed_tile_scores_the_length_of_its_run_on_the_ring(variant: str, star: str, case: str) -> None:
    before, slot, points = RUNS[case]
    filled = "".join(colour_at((star, k + 1)) if letter == "x" else "." for k, letter in enumerate(before))
    colour = colour_at((star, slot))
    position = state(board(5, {star: filled}, colour * 6), variant=variant)
    action = place(f"{star}{slot}", colour)
    assert [points] == [effect["points"] for effect in effects_of_type(position, action, "tile_placed")]
    assert 5 + points == play(position, action).scores[0]


@every_side
def test_tiles_of_other_stars_do_not_extend_a_run(variant: str) -> None:
    stars = {"o": "oooooo", "b": "bbbbbb", "c": "pgobyr"}
    before = state(board(5, stars, "r"), variant=variant)
    action = place("r3" if variant == "grey" else "r1", "r")
    assert [1] == [effect["points"] for effect in effects_of_type(before, action, "tile_placed")]


@every_side
def test_tiles_of_other_seats_do_not_count(variant: str) -> None:
    before = state(board(hand="bb"), board(30, {"b": "b.bbbb"}), variant=variant)
    assert (6, 30) == play(before, place("b2", "b")).scores


# The grey side


def accepted_colours(stars: dict[str, str], space: str) -> str:
    """Return the colours that a space of the grey side takes from a hand with everything."""
    before = state(board(5, stars, "pgoybr" * 3), variant="grey", supply="pgoybrpgoy")
    return "".join(colour for colour in "pgoybr" if refusal(before, place(space, colour)) is None)


@every_star
def test_the_first_tile_of_a_grey_star_may_have_any_colour(star: str) -> None:
    assert "pgoybr" == accepted_colours({}, f"{star}2" if star != "c" else "c1")


@every_star
@pytest.mark.parametrize("first", "pgoybr")
def test_the_second_tile_of_a_grey_star_may_have_any_colour(star: str, first: str) -> None:
    assert "pgoybr" == accepted_colours({star: f"...{first}.."}, f"{star}2")


@every_star
@pytest.mark.parametrize("colour", "pgoybr")
def test_two_tiles_of_one_colour_restrict_a_grey_star_to_that_colour(star: str, colour: str) -> None:
    stars = {star: f"{colour}..{colour}.."}
    assert colour == accepted_colours(stars, f"{star}2")
    before = state(board(5, stars, "pgoybr" * 3), variant="grey", supply="pgoybrpgoy")
    reasons = {refusal(before, place(f"{star}2", other)) for other in "pgoybr" if other != colour}
    assert {"star_takes_other_colour"} == reasons


@every_star
def test_two_different_colours_restrict_a_grey_star_to_different_colours(star: str) -> None:
    stars = {star: "r..b.."}
    assert "pgoy" == accepted_colours(stars, f"{star}2")
    before = state(board(5, stars, "pgoybr" * 3), variant="grey", supply="pgoybrpgoy")
    assert ["star_holds_colour"] * 2 == [refusal(before, place(f"{star}2", colour)) for colour in "rb"]


@every_star
def test_tiles_placed_in_play_also_restrict_the_colours_of_a_grey_star(star: str) -> None:
    rich = board(5, {star: "r....."}, "pgoybr" * 3 + "rrrrr")
    before = state(rich, variant="grey", supply="pgoybrpgoy", round_number=1)
    single, mixed = play(before, place(f"{star}2", "r")), play(before, place(f"{star}2", "b"))
    assert [1, 1] == [single.seat, mixed.seat]
    back = [play(position, {"type": "summer-pavilion.pass", "keep": {}}) for position in (single, mixed)]
    answers = [[refusal(position, place(f"{star}3", colour)) for colour in ("r", "b", "y")] for position in back]
    assert [
        [None, "star_takes_other_colour", "star_takes_other_colour"],
        ["star_holds_colour", "star_holds_colour", None],
    ] == answers


@every_star
def test_the_last_space_of_a_grey_star_of_six_colours_accepts_only_the_missing_colour(star: str) -> None:
    assert "y" == accepted_colours({star: "pg.obr"}, f"{star}3")


@every_star
def test_the_last_space_of_a_grey_star_of_one_colour_accepts_only_that_colour(star: str) -> None:
    assert "y" == accepted_colours({star: "yy.yyy"}, f"{star}3")


def test_several_grey_stars_may_have_the_same_colour() -> None:
    stars = {"o": "rr....", "r": "rr....", "c": "r.r..."}
    assert ["r"] * 3 == [accepted_colours(stars, space) for space in ("o3", "r3", "c2")]


def test_the_name_of_a_grey_star_does_not_restrict_its_colours() -> None:
    assert "b" == accepted_colours({"r": "bb...."}, "r3")


def test_tiles_of_the_wild_colour_restrict_a_grey_star_like_any_other_colour() -> None:
    assert "p" == accepted_colours({"r": "pp...."}, "r3")
