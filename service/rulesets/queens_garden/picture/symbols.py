"""Symbols of Queen's Garden: hexagons, glyphs of the patterns, elements, boards, tokens.

All symbols of one place have the same box: the middle at (0, 0), the corners at distance 50, one of them at the top.
Boards of several places have larger boxes at the same scale. A place of any size is one `use` (see `draw_symbol`).

Colours differ in three ways: in hue, in lightness (yellow, light green, light purple, blue, dark green, dark purple,
light to dark), and in the ornament on the edge. Patterns differ in glyph and value.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable
from typing import Any
from xml.etree.ElementTree import Element

from service.rulesets.pictures.drawing import Sheet, hexagon
from service.rulesets.pictures.materials import Styles, both_themes
from service.rulesets.queens_garden.rules.components import COLOURS, DIRECTIONS, PATTERNS, Space, ring
from service.rulesets.wire import Json

RADIUS = 50.0  # of a place in its symbol
ROOT3 = math.sqrt(3)
BOXES = {"place": 104.0, "expansion": 270.0, "garden": 800.0}
EXPANSION_PLACES: tuple[Space, ...] = ((0, 0), *ring((0, 0)))  # the places of an expansion around its centre
FOUNTAIN_ELEMENTS: tuple[Space, ...] = ((1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1))
LIGHT_COLOURS = ("yellow", "light_green", "light_purple")
CORNERS = (-90, -30, 30, 90, 150, 210)  # degrees; the first on top

MARKED = ("#b4430f", "#ff9d4d")
BED = "fill:{};stroke:{};stroke-width:5;stroke-linejoin:round"
BARE = "fill:{};stroke:{};stroke-width:4;stroke-dasharray:14 11;stroke-linejoin:round"
DASHES = "fill:none;stroke:{};stroke-width:7;stroke-dasharray:13.5 13.5;stroke-dashoffset:6"
STRONG = "fill:{};stroke:#000;stroke-width:6;stroke-linejoin:round"  # in high contrast
SYMBOL_STYLES: Styles = {
    "yellow": ("fill:#f5c52e", "fill:#f2c53a", "fill:#ffd42a"),
    "light_green": ("fill:#8fca7c", "fill:#8ccb7a"),
    "light_purple": ("fill:#cf9bdc", "fill:#c994d8"),
    "blue": ("fill:#2a74ba", "fill:#2f77bf", "fill:#1f5fb8"),
    "dark_green": ("fill:#1d6340", "fill:#22704a", "fill:#145232"),
    "dark_purple": ("fill:#4f1f63", "fill:#5e2976"),
    "rim": (*both_themes("fill:url(#az-glaze);stroke:url(#az-bevel);stroke-width:5"), STRONG.format("none")),
    "on-dark": both_themes("fill:#fff"),
    "on-light": (*both_themes("fill:#2b2130"), "fill:#000"),
    "shape": both_themes("stroke:none"),
    "mark-on-dark": (*both_themes("fill:#ffffffb3"), "fill:#fff"),
    "mark-on-light": (*both_themes("fill:#2b2130a6"), "fill:#000"),
    "line-on-dark": (
        *both_themes("fill:none;stroke:#ffffffc9;stroke-width:6"),
        "fill:none;stroke:#fff;stroke-width:6",
    ),
    "dashes-on-light": (*both_themes(DASHES.format("#2b2130b3")), DASHES.format("#000")),
    "plot": (
        *both_themes("fill:url(#az-sunk);stroke:url(#az-edge);stroke-width:4"),
        "fill:#fff;stroke:#595959;stroke-width:4",
    ),
    "bed": (*both_themes(BED, ("#d3dab6", "#35463c"), ("#8d9a6a", "#6f8775")), STRONG.format("#fff")),
    "bed-down": (*both_themes(BED, ("#cfc1a5", "#3c3a40"), ("#98855f", "#7d7884")), STRONG.format("#ddd")),
    "bare": (
        *both_themes(BARE, ("#00000006", "#ffffff05"), ("#b9a888", "#596275")),
        BARE.format("#fff", "#595959"),
    ),
    "stone": (
        "fill:#9b917a;stroke:url(#az-bevel);stroke-width:4",
        "fill:#565e59;stroke:url(#az-bevel);stroke-width:4",
        STRONG.format("#fff"),
    ),
    "carved": ("fill:#fbf7ea", "fill:#d9ddd6", "fill:#000"),
    "carved-line": (
        "fill:none;stroke:#7e765f;stroke-width:3.5",
        "fill:none;stroke:#2a2f2c;stroke-width:3.5",
        "fill:none;stroke:#000;stroke-width:3.5",
    ),
    "water": ("fill:#7fbfda", "fill:#3f86a6", "fill:#d4ecf7"),
    "pip": ("fill:#ffe9a8", "fill:#f0cf6a", "fill:#000"),
    "done": ("fill:#4f6b34", "fill:#e6dfbf", "fill:#000"),
    "done-line": (
        "fill:none;stroke:#4f6b34;stroke-width:5",
        "fill:none;stroke:#e6dfbf;stroke-width:5",
        "fill:none;stroke:#000;stroke-width:8",
    ),
    "tick": both_themes(
        "fill:none;stroke:{};stroke-width:5;stroke-linecap:round;stroke-linejoin:round", ("#fff", "#20242b")
    ),
    "last-wide": both_themes("fill:none;stroke:{};stroke-width:8;stroke-dasharray:17 9;stroke-linejoin:round", MARKED),
    "token": both_themes("fill:#fdf6e3;stroke:{};stroke-width:6", MARKED),
    "token-ink": both_themes("fill:#b4430f"),
}


def middle(space: Space | list[int], radius: float) -> tuple[float, float]:
    """Return the middle of a place, relative to the fountain."""
    q, r = space
    return ROOT3 * radius * (q + r / 2), 1.5 * radius * r


def draw_symbol(
    sheet: Sheet,
    symbol: str,
    at: tuple[float, float],
    radius: float,
    box: str = "place",
    name: str | None = None,
    style: str = "",
    **data: Any,
) -> None:
    """Draw a symbol around a point, scaled so that a place in it has this radius."""
    size = BOXES[box] * radius / RADIUS
    sheet.use(symbol, at[0] - size / 2, at[1] - size / 2, size, name, style, **data)


def kind_of(shown: Json) -> str:
    """Return the name of the symbol of a hexagon."""
    return f"hexagon-{shown['colour']}-{shown['pattern']}"


def symbols(sheet: Sheet, kinds: Iterable[str]) -> None:
    """Define all symbols, but only these of the 36 hexagons."""
    always, hexagons = _all_symbols()
    sheet.defs.extend(always)
    sheet.defs.extend(hexagons[kind] for kind in kinds)


@functools.cache
def _all_symbols() -> tuple[list[Element], dict[str, Element]]:
    """Return the symbols of every picture, and those of hexagons by name. Cached, so pictures must not change them."""
    sheet = Sheet(0, 0, {})
    for colour in COLOURS:
        with sheet.symbol(f"tile-{colour}", _box("place")):
            sheet.polygon(hexagon(0, 3, 49), "shade")
            sheet.polygon(hexagon(0, 0, 48), colour)
            _ornament(sheet, colour)
            sheet.polygon(hexagon(0, 0, 45.5), "rim")
    for pattern, drawing in GLYPHS.items():
        with sheet.symbol(f"glyph-{pattern}", _box("place")):
            sheet.path(drawing, "shape")
    _tokens(sheet)
    _places(sheet)
    _boards(sheet)
    always = list(sheet.defs)
    for colour, pattern in itertools.product(COLOURS, PATTERNS):
        ink = "on-light" if colour in LIGHT_COLOURS else "on-dark"
        with sheet.symbol(kind_of({"colour": colour, "pattern": pattern}), _box("place")):
            draw_symbol(sheet, f"tile-{colour}", (0, 0), RADIUS)
            draw_symbol(sheet, f"glyph-{pattern}", (0, -5), 0.94 * RADIUS, style=ink)
            sheet.text(0, 27.5, PATTERNS.index(pattern) + 1, ink, 23, "middle")
    return always, {symbol.attrib["id"]: symbol for symbol in sheet.defs[len(always) :]}


def _box(kind: str) -> str:
    size = BOXES[kind]
    return f"{-size / 2:g} {-size / 2:g} {size:g} {size:g}"


# ------------------------------------------------------------------------------------------ hexagons


def _ornament(sheet: Sheet, colour: str) -> None:
    """Draw a mark on the edge of the hexagon, so that colours can be distinguished without colour vision."""
    if colour == "blue":  # a line all round
        sheet.polygon(hexagon(0, 0, 40), "line-on-dark")
    elif colour == "light_purple":  # dashes all round
        sheet.polygon(hexagon(0, 0, 40.5), "dashes-on-light")
    elif colour == "dark_green":  # all corners
        sheet.path("".join(_corner(degrees) for degrees in CORNERS), "mark-on-dark")
    elif colour == "light_green":  # every second corner
        sheet.path("".join(_corner(degrees) for degrees in CORNERS[::2]), "mark-on-light")
    elif colour == "yellow":  # a dot at each side
        for degrees in range(0, 360, 60):
            sheet.circle(*_polar(degrees, 35), 6.5, "mark-on-light")
    else:  # dark purple: two bars
        sheet.path("M-39-20h11v40h-11zM28-20h11v40h-11z", "mark-on-dark")


def _corner(degrees: float) -> str:
    """Return a corner of the hexagon, cut off by a straight line."""
    tip, before, after = (_polar(turn, 47) for turn in (degrees, degrees - 60, degrees + 60))
    cut = [tuple(0.54 * a + 0.46 * b for a, b in zip(tip, other, strict=True)) for other in (before, after)]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in (tip, *cut)) + "z"


def _polar(degrees: float, distance: float) -> tuple[float, float]:
    turn = math.radians(degrees)
    return distance * math.cos(turn), distance * math.sin(turn)


def _rotated_path(shape: Iterable[tuple[float, float]], degrees: float, at: tuple[float, float]) -> str:
    """Return a closed path of a start and quadratic curves (control, end, …), rotated, then moved."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    points = [f"{at[0] + x * cos - y * sin:.1f} {at[1] + x * sin + y * cos:.1f}" for x, y in shape]
    return f"M{points[0]}" + "".join(f"Q{points[k]} {points[k + 1]}" for k in range(1, len(points), 2)) + "z"


def _circle_path(x: float, y: float, radius: float) -> str:
    """Return a circle as a path."""
    return f"M{x - radius:.1f} {y:.1f}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0z"


_PETAL = ((0, -3), (-17, -15), (0, -27), (17, -15), (0, -3))
_BLADE = ((0, 0), (-9, -20), (0, -40), (9, -20), (0, 0))
_BELL = ((0, -7), (-6, -14), (-8.5, -27), (-4, -22), (0, -27), (4, -22), (8.5, -27), (6, -14), (0, -7))
GLYPHS = {
    "tree": _circle_path(-10, -11, 12)
    + _circle_path(10, -11, 12)
    + _circle_path(0, -23, 13)
    + "M-4-8v20h-8v5h24v-5h-8v-20z",
    "bird": "M0-10Q-9-26-28-26Q-25-10-9-3L-6 6L-10 16L0 11L10 16L6 6L9-3Q25-10 28-26Q9-26 0-10z",
    "butterfly": "M-2-8Q-7-29-23-29Q-28-12-13-7Q-23 2-16 14Q-6 15-2 0z"
    "M2-8Q7-29 23-29Q28-12 13-7Q23 2 16 14Q6 15 2 0z"
    "M-1.5-12h3v26h-3zM-1-13L-7-26l2-1L1-14zM1-13L7-26l-2-1L-1-14z",
    "flower": "".join(_rotated_path(_PETAL, turn, (0, -9)) for turn in (0, 90, 180, 270)) + _circle_path(0, -9, 3.6),
    "plant": "".join(_rotated_path(_BLADE, turn, (0, 14)) for turn in (-76, -38, 0, 38, 76)),
    "bellflower": "".join(_rotated_path(_BELL, turn, (0, -9)) for turn in range(0, 360, 60)) + _circle_path(0, -9, 4),
}


# ------------------------------------------------------------------------------------ tokens, places


def _tokens(sheet: Sheet) -> None:
    """Define a joker of all colours, and the first player's crown."""
    corners = hexagon(0, 0, 48)
    around = ("dark_green", "blue", "dark_purple", "light_purple", "yellow", "light_green")
    with sheet.symbol("joker", _box("place")):
        for k, colour in enumerate(around):
            sheet.polygon([(0, 0), corners[k], corners[(k + 1) % 6]], colour)
        sheet.polygon(hexagon(0, 0, 46.5), "rim")
        sheet.circle(0, 0, 26, "carved")
        star = [_polar(36 * k - 90, 9 if k % 2 else 21) for k in range(10)]
        sheet.polygon(star, "on-light")
    with sheet.symbol("first-player", _box("place")):
        sheet.circle(0, 0, 44, "token")
        sheet.path("M-25 20L-29-17L-13-3L0-25L13-3L29-17L25 20zM-25 24h50v6h-50z", "token-ink")


def _places(sheet: Sheet) -> None:
    """Define a free space, the elements, and the marks of places."""
    with sheet.symbol("plot", _box("place")):
        sheet.polygon(hexagon(0, 0, 43), "plot")
    with sheet.symbol("last-place", _box("place")):
        sheet.polygon(hexagon(0, 0, 47.5), "last-wide")
    with sheet.symbol("done", _box("place")):
        sheet.polygon(hexagon(0, 0, 42.5), "done-line")
        sheet.circle(0, 34, 13, "done")
        sheet.path("M-6 34L-1.5 38.5L6.5 29.5", "tick")
    for kind, (jokers, drawing) in ELEMENT_DRAWINGS.items():
        with sheet.symbol(kind, _box("place")):
            sheet.polygon(hexagon(0, 0, 44), "stone")
            if kind == "fountain":
                sheet.circle(0, -3, 31, "water")
                sheet.circle(0, -3, 31, "carved-line")
                sheet.circle(0, -3, 19, "carved-line")
            sheet.path(drawing, "carved")
            for k in range(jokers):
                sheet.circle(12 * k - 6 * (jokers - 1), 36, 4.2, "pip")


ELEMENT_DRAWINGS = {  # jokers (a pip each), drawing
    "fountain": (
        1,
        _circle_path(0, -3, 5.5)
        + "".join(_circle_path(x, y - 3, 2.4) for x, y in (_polar(60 * k, 12.5) for k in range(6))),
    ),
    "statue": (
        2,
        _circle_path(0, -25, 9)
        + "M-4-18h8v4Q18-13 18 6L12 6V10H-12V6L-18 6Q-18-13-4-14zM-16 12h32v6h-32zM-21 20h42v7h-42z",
    ),
    "bench": (2, "M-29-20h58v8h-58zM-29-9h58v8h-58zM-34 3h68v9h-68zM-27 14h7v12h-7zM20 14h7v12h-7z"),
    "pavilion": (
        3,
        "M0-36L33-12H-33zM-29-10h58v5h-58zM-25-3h8v22h-8zM-4-3h8v22h-8zM17-3h8v22h-8zM-31 21h62v6h-62z",
    ),
}  # fmt: skip


# -------------------------------------------------------------------------------------------- boards


def _boards(sheet: Sheet) -> None:
    """Define the fountain board with its elements, a free area, and both sides of an expansion."""
    with sheet.symbol("fountain-board", _box("garden")):
        ground = outline((*EXPANSION_PLACES, *FOUNTAIN_ELEMENTS))
        sheet.polygon(((x, y + 6) for x, y in ground), "shade")
        sheet.polygon(ground, "bed")
        draw_symbol(sheet, "fountain", (0, 0), RADIUS)
        for k, at in enumerate(FOUNTAIN_ELEMENTS):
            draw_symbol(sheet, ("bench", "statue")[k % 2], middle(at, RADIUS), RADIUS)
    shape = outline(EXPANSION_PLACES)
    with sheet.symbol("free-area", _box("expansion")):
        sheet.polygon(((0.91 * x, 0.91 * y) for x, y in shape), "bare")
    with sheet.symbol("last-expansion", _box("expansion")):
        sheet.polygon(shape, "last-wide")
    for face, style in (("up", "bed"), ("down", "bed-down")):
        with sheet.symbol(f"expansion-{face}", _box("expansion")):
            sheet.polygon(((x, y + 6) for x, y in shape), "shade")
            sheet.polygon(shape, style)
            if face == "up":
                draw_symbol(sheet, "pavilion", (0, 0), RADIUS)
    with sheet.symbol("expansion-back", _box("expansion")):  # in the display: nothing can be placed on it
        sheet.polygon(((x, y + 6) for x, y in shape), "shade")
        sheet.polygon(shape, "bed-down")
        for at in EXPANSION_PLACES:
            sheet.polygon(hexagon(*middle(at, RADIUS), 30), "bare")
    with sheet.symbol("expansion-face", _box("expansion")):
        draw_symbol(sheet, "expansion-up", (0, 0), RADIUS, "expansion")
        for direction in DIRECTIONS:
            draw_symbol(sheet, "plot", middle(direction, RADIUS), RADIUS)


def outline(places: Iterable[Space]) -> list[tuple[float, float]]:
    """Return the outline of adjacent places as a polygon."""
    sides: dict[tuple[Space, Space], tuple[float, float]] = {}  # (start, end), rounded -> exact start
    for spot in places:
        corners = hexagon(*middle(spot, RADIUS), RADIUS)
        rounded = [(round(x), round(y)) for x, y in corners]
        sides |= {(rounded[k], rounded[(k + 1) % 6]): corners[k] for k in range(6)}
    after = {start: (end, at) for (start, end), at in sides.items() if (end, start) not in sides}
    first = here = next(iter(after))
    elements = []
    while True:
        here, at = after[here]
        elements.append(at)
        if here == first:
            return elements
