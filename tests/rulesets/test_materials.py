"""Wood, linen and glaze: small, cheap to paint, legible, and with a pattern for each colour."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from service.rulesets.pictures import materials
from service.rulesets.pictures.drawing import AUTO, DARK, LIGHT
from service.rulesets.pictures.materials import CLASS, PAPER, SUBSTANCE, Styles
from service.rulesets.summer_pavilion.picture.table import INLAYS, STYLES
from tests.rulesets.pictures import GOLDEN, MOMENTS, draw_moment, games

ONE_EACH = [name for name, ruleset, variant, seats in games() if (variant, seats) == (ruleset.variants[0], 2)]
MAX_BYTES = 4_500
"""Bytes of gradients, patterns and their style rules in each picture."""
MIN_CONTRAST = 4.5  # WCAG 2, level AA
Colour = tuple[float, float, float]


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
    rules = "".join(f".az-{key}{{{light}}}.az-{key}{{{dark}}}" for key, (light, dark) in SUBSTANCE.items())
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

    def luminance(rgb: Colour) -> float:
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def in_theme(styles: Styles, theme: str) -> dict[str, str]:
    return {name: dark if theme == DARK else light for name, (light, dark) in styles.items()}


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


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_numbers_on_printed_spaces_have_enough_contrast(theme: str) -> None:
    """The test uses stars, whose spaces are printed in colour."""
    made_of, printed = in_theme(SUBSTANCE, theme), in_theme(STYLES, theme)
    hollow = colour(made_of["sunk-foot"], "stop-color")
    ground = blend(wood(theme)[theme == LIGHT], hollow, opacity(made_of["sunk-foot"]))
    for name in INLAYS:
        shown = blend(ground, colour(printed[name]), opacity(printed["printed"]))
        assert contrast(colour(PAPER["ink"][theme == DARK]), shown) >= MIN_CONTRAST, name
