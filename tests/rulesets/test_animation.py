"""Whole games as animated SVG: every still equals the picture of its position, and files are small."""

from __future__ import annotations

import functools
import gzip
import re
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from service.rulesets.pictures.animation import CAPTION, Pace, caption, merge_pictures, rows
from service.rulesets.pictures.drawing import AUTO, NARROW, WIDE, Sheet
from service.rulesets.ruleset import Json, Position
from tests.rulesets import films
from tests.rulesets.pictures import Moment, games, moments_of, scene
from tests.sampling import one_in

NAMES = [name for name, ruleset, variant, seats in games() if (variant, seats) == (ruleset.variants[0], 2)]
EVERY = [*NAMES, *(name for name, *_ in games() if name not in NAMES)]
ALL_OF_THEM = [pytest.param(name, marks=() if name in NAMES else pytest.mark.nightly) for name in EVERY]
PACE = Pace(0.5, 4, loop=True)
MAX_BYTES, MAX_PACKED = 400_000, 60_000
COMPARED = 12  # stills per game


class Shown(NamedTuple):
    """A game as an animation: its positions with the last action, the text, and the parsed animation."""

    moments: list[Moment]
    svg: str
    film: films.Film


def sheet_of(position: Position, last: Json | None, layout: str = WIDE) -> Sheet:
    picture = position.ruleset.picture
    assert picture is not None
    return picture(scene(position, last, layout))


def film_of(moments: list[Moment], pace: Pace = PACE, layout: str = WIDE) -> str:
    sheets = []
    for number, (position, last) in enumerate(moments):
        sheets.append(sheet_of(position, last, layout))
        caption(sheets[-1], f"Move {number}", "Ana 1 · Ben 2")
    return merge_pictures(iter(sheets), pace).to_svg("A game", "In words.", AUTO)


@functools.cache
def animation_of(name: str) -> Shown:
    moments = moments_of(name)
    svg = film_of(moments)
    return Shown(moments, svg, films.read(svg))


@pytest.mark.parametrize("name", ALL_OF_THEM)
def test_each_still_has_the_same_elements_as_the_picture_of_its_position(name: str) -> None:
    """The elements have the same order and appearance, and there are no others."""
    moments, _, film = animation_of(name)
    assert len(moments) == len(film.moments)
    for number in {*range(0, len(moments), max(1, len(moments) // COMPARED)), 1, len(moments) - 1}:
        expected = films.seen_of(sheet_of(*moments[number]).root)
        assert expected == film.visible_elements(film.moments[number]), number
    assert film.visible_elements(None) == film.visible_elements(100)


@pytest.mark.parametrize("name", ALL_OF_THEM)
def test_the_animation_of_a_whole_game_is_small(name: str) -> None:
    svg = animation_of(name).svg.encode()
    assert (len(svg) < MAX_BYTES, len(gzip.compress(svg)) < MAX_PACKED) == (True, True)


@pytest.mark.parametrize("name", ALL_OF_THEM)
def test_an_animation_is_self_contained(name: str) -> None:
    """It has no script and no external resources, contains every class and shape, and has unique ids."""
    _, svg, film = animation_of(name)
    assert not re.search(r"<script|\son\w+=|javascript:|(href|src)=\"(?!#)|url\((?!#)|@import", svg)
    ids = [element.attrib["id"] for element in film.root.iter() if "id" in element.attrib]
    assert len(ids) - ids.count(CAPTION) == len({*ids} - {CAPTION})
    assert 1 == ids.count(CAPTION)
    rules = "".join(style.text or "" for style in film.root.iter(f"{films.SVG}style"))
    used = {one for element in film.root.iter() for one in element.attrib.get("class", "").split()}
    assert used - set(re.findall(r"\.([\w-]+)\{", rules)) <= {"azul-table"}
    assert {"stills", "seconds", "held"} == set(re.findall(r" data-(\w+)=", svg))


def test_only_the_final_position_is_visible_with_reduced_motion() -> None:
    """Everything that moves depends on the media query; without motion only the end is visible."""
    _, svg, _ = animation_of(NAMES[0])
    before, _, behind = svg.partition("@media (prefers-reduced-motion:no-preference){")
    assert "animation" not in before
    assert before.endswith("[class^=az-gone-]{visibility:hidden}")
    assert "animation:" in behind


def words_at(film: films.Film, at: float) -> list[str]:
    """Return the words of the caption at a moment."""
    (below,) = (element for element in film.root if element.attrib.get("id") == CAPTION)
    below = ET.fromstring(ET.tostring(below))  # noqa: S314 - our own SVG
    del below.attrib["id"]
    root = ET.Element(f"{films.SVG}svg")
    root.append(below)
    return [
        element[-2] for element in films.Film(root, film.keyframes, 0, "").visible_elements(at) if "text" in element
    ]


def test_the_caption_shows_the_last_move_and_the_scores() -> None:
    moments, _, film = animation_of(NAMES[0])
    for number in (0, 7, len(moments) - 1):
        assert ["Ana 1 · Ben 2", f"Move {number}"] == words_at(film, film.moments[number])


@pytest.mark.parametrize(("layout", "lines"), [(WIDE, 2), (NARROW, 3)])
def test_a_long_caption_is_wrapped_and_truncated(layout: str, lines: int) -> None:
    sheet = sheet_of(*animation_of(NAMES[0]).moments[0], layout)
    words = "A move with quite a long sentence, and another one. " * 3
    assert lines == len(rows(words, sheet.width))
    assert 3 == len(rows(words * 9, sheet.width))
    height = sheet.height
    caption(sheet, words * 9, "Ana 1", 3)
    assert sheet.height > height + 3 * 20
    texts = [element.text or "" for element in list(sheet.root)[-1] if element.tag == "text"]
    assert (4, True) == (len(texts), texts[-1].endswith("…"))


def test_an_animation_follows_the_requested_pace_and_holds_the_final_position_longer() -> None:
    moments = animation_of(NAMES[0]).moments[:5]
    film = films.read(film_of(moments, Pace(2, 8, loop=False)))
    assert (16, "1") == (film.lasts_s, film.times)
    assert [0, 12.5, 25, 37.5, 50] == film.moments
    assert "infinite" == animation_of(NAMES[0]).film.times


def test_an_animation_of_a_single_picture_is_static() -> None:
    svg = film_of(animation_of(NAMES[0]).moments[-1:])
    assert "animation" not in svg
    assert 'aria-label="' not in svg  # an image has one name
    assert films.seen_of(sheet_of(*animation_of(NAMES[0]).moments[-1]).root) == films.seen_of(svg)


@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_the_narrow_layout_can_be_animated(name: str) -> None:
    moments = animation_of(name).moments[:6]
    film = films.read(film_of(moments, layout=NARROW))
    for number, moment in enumerate(moments):
        assert films.seen_of(sheet_of(*moment, NARROW).root) == film.visible_elements(film.moments[number])
