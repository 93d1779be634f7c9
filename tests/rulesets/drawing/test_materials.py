"""Wood, linen and glaze: small, cheap to paint, legible, and with a pattern for each colour."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from service.rulesets.azul.picture import table as azul
from service.rulesets.pictures import materials
from service.rulesets.pictures.drawing import AUTO, CONTRAST, DARK, LIGHT, in_theme
from service.rulesets.pictures.materials import CLASS, FACTORY_STYLES, PAPER, SUBSTANCE, Styles
from service.rulesets.queens_garden.picture import symbols as garden
from service.rulesets.queens_garden.picture import table as garden_table
from service.rulesets.queens_garden.rules.components import COLOURS
from service.rulesets.summer_pavilion.picture import table as pavilion
from tests.rulesets.drawing.colour_vision import DEFICIENCIES, Colour, closest, linear
from tests.rulesets.pictures import GOLDEN, MOMENTS, draw_moment, games

ONE_EACH = [name for name, ruleset, variant, seats in games() if (variant, seats) == (ruleset.variants[0], 2)]
MAX_BYTES = 4_500
"""Bytes of gradients, patterns and their style rules in each picture."""
MIN_CONTRAST, MIN_CONTRAST_OF_SHAPES = 4.5, 3.0  # WCAG 2, level AA
ENHANCED_CONTRAST = 7.0  # WCAG 2, level AAA
MIN_DISTANCE, MIN_DISTANCE_PRINTED = 12.0, 9.5
"""Of two colours with colour blindness, in L*a*b*: for tiles, and for empty stars, which are paler."""
NAMED = (LIGHT, DARK, CONTRAST)
WHITE = (1.0, 1.0, 1.0)


def picture(name: str) -> ET.Element:
    return ET.fromstring(draw_moment(name, MOMENTS[GOLDEN], AUTO))  # noqa: S314 - our own


def definitions(name: str) -> dict[str, ET.Element]:
    """Return the children of a picture's `<defs>` by id."""
    return {shape.attrib["id"]: shape for shape in picture(name)[3]}


def shapes(shape: ET.Element, known: dict[str, ET.Element]) -> Iterator[tuple[str, ...]]:
    """Yield everything that a shape draws, without its colours."""
    for element in shape.iter():
        href = element.attrib.get("href", "").removeprefix("#")
        if href:
            yield from shapes(known[href], known)
        elif element is not shape:
            yield (element.tag, *(value for key, value in sorted(element.attrib.items()) if key != "class"))


@pytest.mark.parametrize("name", ONE_EACH)
def test_each_colour_has_a_different_pattern(name: str) -> None:
    known = definitions(name)
    patterns = {key: tuple(shapes(known[key], known)) for key in known if key.startswith("tile-")}
    assert len(patterns) >= 5
    for one, other in itertools.combinations(patterns, 2):
        assert patterns[one] != patterns[other], (one, other)


@pytest.mark.parametrize("name", ONE_EACH)
def test_the_defined_fills_are_exactly_the_used_fills(name: str) -> None:
    svg = draw_moment(name, MOMENTS[GOLDEN], AUTO)
    assert set(re.findall(r'id="(az-[\w-]+)"', svg)) == set(re.findall(r"url\(#([\w-]+)\)", svg))


@pytest.mark.parametrize("name", ONE_EACH)
def test_the_materials_of_a_picture_are_small_and_cheap_to_paint(name: str) -> None:
    rules = "".join(f".az-{key}{{{each}}}" for key, declared in SUBSTANCE.items() for each in declared)
    known = definitions(name)
    made_of = "".join(ET.tostring(known[key], "unicode") for key in known if key.startswith(CLASS))
    assert len(rules) + len(made_of.replace('xmlns:ns0="http://www.w3.org/2000/svg" ', "")) < MAX_BYTES
    tags = {element.tag.rpartition("}")[2] for element in picture(name).iter()}
    assert tags.isdisjoint({"filter", "image", "mask", "clipPath", "foreignObject", "script", "animate"})


def test_several_pictures_on_one_page_do_not_affect_each_other() -> None:
    """Of two definitions with one name, a page would use the first."""
    seen: dict[str, str] = {}
    for name in ONE_EACH:
        for key, shape in definitions(name).items():
            if key.startswith(CLASS):
                assert seen.setdefault(key, ET.tostring(shape, "unicode")) == ET.tostring(shape, "unicode")
    assert {"az-wood", "az-linen", "az-glaze", "az-petal"} <= seen.keys()


def test_the_linen_and_wood_patterns_repeat_without_a_seam() -> None:
    assert all(0 < at < materials.THREADS for _, places in materials.THICK for at in places)
    for at, bend in materials.GRAIN:  # a ring deviates by at most 0.29 of its bend from its ends
        assert 0 < at - 0.29 * abs(bend) < at + 0.29 * abs(bend) < materials.GRAIN_WIDTH


# ------------------------------------------------------------------------------------------------ what can be read


def colour(declarations: str, of: str = "fill") -> Colour:
    """Return the colour of a property: the last one in its value, which may begin with a pattern."""
    value = next(part.partition(":")[2] for part in declarations.split(";") if part.startswith(of))
    digits = value.rpartition("#")[2]
    digits = digits if len(digits) > 4 else "".join(2 * digit for digit in digits)
    return tuple(int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4))  # type: ignore[return-value]


def opacity(declarations: str) -> float:
    return float(re.findall(r"opacity:([\d.]+)", declarations)[-1])


def blend(below: Colour, above: Colour, share: float) -> Colour:
    return tuple(a + (b - a) * share for a, b in zip(below, above, strict=True))  # type: ignore[return-value]


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of WCAG."""
    darker, lighter = sorted(float(linear(rgb) @ (0.2126, 0.7152, 0.0722)) for rgb in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def wood(theme: str) -> tuple[Colour, Colour]:
    """Return the lightest and the darkest colour of the wood."""
    made_of = in_theme(SUBSTANCE, theme)
    sap, heart = (colour(made_of[name], "stop-color") for name in ("sap", "heart"))
    return sap, blend(heart, colour(made_of["grain"], "stroke"), opacity(made_of["grain"]))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_text_and_marks_have_enough_contrast_on_wood_and_linen(theme: str) -> None:
    paper = in_theme(PAPER, theme)
    for ground in (*wood(theme), colour(in_theme(SUBSTANCE, theme)["cloth"])):
        assert contrast(colour(paper["ink"]), ground) >= MIN_CONTRAST
        assert contrast(colour(paper["faint"]), ground) >= MIN_CONTRAST
        assert contrast(colour(paper["last"], "stroke:"), ground) >= 3
        assert contrast(colour(paper["deciding"], "stroke:"), ground) >= 3


@pytest.mark.parametrize("theme", NAMED)
def test_numbers_on_printed_spaces_have_enough_contrast(theme: str) -> None:
    """The test uses stars, whose spaces are printed in colour."""
    printed, ink = in_theme(pavilion.STYLES, theme), colour(in_theme(PAPER, theme)["ink"])
    for name in pavilion.INLAYS:
        assert contrast(ink, colour(printed[f"free-{name}"])) >= MIN_CONTRAST, name


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("theme", NAMED)
def test_colours_look_different_with_colour_blindness(theme: str, deficiency: str) -> None:
    """Tiles also differ in pattern, and stars in the sign in their middle."""
    for styles, names, least in (
        (azul.STYLES, [*azul.MARKS], MIN_DISTANCE),
        (pavilion.STYLES, [*pavilion.MARKS], MIN_DISTANCE),
        (pavilion.STYLES, [f"free-{name}" for name in pavilion.MARKS], MIN_DISTANCE_PRINTED),
        (garden.SYMBOL_STYLES, [*COLOURS], MIN_DISTANCE),
    ):
        shown = {name: colour(in_theme(styles, theme)[name]) for name in names}
        assert closest(shown, deficiency)[0] >= least, closest(shown, deficiency)


# --------------------------------------------------------------------------------------------- high contrast

ALL_STYLES: Styles = {
    **PAPER,
    **FACTORY_STYLES,
    **garden.SYMBOL_STYLES,
    **garden_table.STYLES,
    **azul.STYLES,
    **pavilion.STYLES,
}
OUTLINES = ("panel", "well", "space", "disc", "edge", "petal", "outline", "feature", "closed", "rim", "plot", "bed")
MORE_OUTLINES = ("bed-down", "bare", "stone", "deciding", "last", "last-wide", "token", "quarter", "wheel-hub")


@pytest.mark.parametrize("name", [*OUTLINES, *MORE_OUTLINES])
def test_outlines_in_high_contrast_stand_out_from_white(name: str) -> None:
    rules = in_theme(ALL_STYLES, CONTRAST)[name]
    assert "url(" not in rules
    assert contrast(colour(rules, "stroke:"), WHITE) >= MIN_CONTRAST_OF_SHAPES


def test_signs_and_texts_in_high_contrast_stand_out_from_their_ground() -> None:
    for styles, marks in ((azul.STYLES, azul.MARKS), (pavilion.STYLES, pavilion.MARKS)):
        rules = in_theme(styles, CONTRAST)
        for name, (_, ink) in marks.items():
            assert contrast(colour(rules[ink]), colour(rules[name])) >= MIN_CONTRAST_OF_SHAPES, name
    rules = in_theme(garden.SYMBOL_STYLES, CONTRAST)
    for name in COLOURS:
        ink = "on-light" if name in garden.LIGHT_COLOURS else "on-dark"
        assert contrast(colour(rules[ink]), colour(rules[name])) >= MIN_CONTRAST, name
    paper = in_theme(PAPER, CONTRAST)
    assert all(contrast(colour(paper[name]), WHITE) >= ENHANCED_CONTRAST for name in ("ink", "faint"))


def test_printed_tiles_in_high_contrast_show_their_sign_and_differ_from_placed_tiles() -> None:
    """Placed tiles have an outline; printed ones are paler."""
    rules = in_theme(azul.STYLES, CONTRAST)
    share = opacity(rules["printed"])
    for name, (_, ink) in azul.MARKS.items():
        sign, ground = (blend(WHITE, colour(rules[each]), share) for each in (ink, name))
        assert contrast(sign, ground) >= MIN_CONTRAST_OF_SHAPES, name
