"""Materials of the tables without bitmaps: linen, wood, glazed tiles, and the hollows of free spaces.

They consist of gradients and two small patterns, so they are sharp on any screen and cost little more than a plain
colour. There are no filters and no random parts. A picture's `<defs>` contains each of them once.

- **Linen** is the ground: light vertical threads, dark horizontal ones.
- **Wood** is for boards: rings along the grain, from `GRAIN`. The pattern is seamless.
- **Glaze** covers a tile of any colour: a highlight at the upper left, a shade at the lower right. **Bevel** is its
  edge. On rotated tiles (the rhombi of a star) the light rotates, too (`petal`), from the outer tip inwards.
- **Sunk** is the hollow of a free space: dark at the top, in the shadow of its edge.

In high contrast, parts and pieces are plain with dark outlines on white, without materials.

Everything that differs between themes is a class. Names of gradients begin with `az-`, like classes. They are
the same in all pictures, so several pictures on one page do not conflict.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from xml.etree.ElementTree import Element, SubElement

Styles = Mapping[str, tuple[str, ...]]
"""Class -> declarations in light, in dark, and in high contrast if they differ from light."""

CLASS = "az-"
ACCENT = ("#a83c0b", "#ff9d4d")


def both_themes(declarations: str, *colours: tuple[str, str]) -> tuple[str, str]:
    """Return the declarations for light and dark. `{}` is the next of the colours: a pair of light and dark."""
    return declarations.format(*(light for light, _ in colours)), declarations.format(*(dark for _, dark in colours))


OUTLINED = "fill:#fff;stroke:#000;stroke-width:2"
OUTLINED_THINLY = "fill:#fff;stroke:#595959;stroke-width:2"
EDGE = "fill:none;stroke:#000;stroke-width:3"
"""Parts of the table and pieces in high contrast."""

PAPER: Styles = {
    "ground": ("fill:url(#az-linen) #efe7d8", "fill:url(#az-linen) #171a21", "fill:#fff"),
    "panel": ("fill:url(#az-wood) #f0dcb6;stroke:#b79a68", "fill:url(#az-wood) #35291f;stroke:#5d4a3a", OUTLINED),
    "lip": ("fill:#b08f59", "fill:#1a130d", "fill:none"),
    "well": (*both_themes("fill:{};stroke:url(#az-edge);stroke-width:2", ("#7a5c2b2e", "#00000052")), OUTLINED),
    "space": (*both_themes("fill:url(#az-sunk);stroke:url(#az-edge);stroke-width:1.5"), OUTLINED_THINLY),
    "ink": ("fill:#2b2620", "fill:#f2ede6", "fill:#000"),
    "faint": ("fill:#55493a", "fill:#c4b9aa", "fill:#333"),
    "deciding": (*both_themes("fill:none;stroke:{};stroke-width:4", ACCENT), "fill:none;stroke:#a83c0b;stroke-width:7"),
    "accent": both_themes("fill:{}", ACCENT),
    "last": (
        *both_themes("fill:none;stroke:{};stroke-width:3;stroke-dasharray:7 4", ACCENT),
        "fill:none;stroke:#a83c0b;stroke-width:5;stroke-dasharray:9 4",
    ),
    "edge": (*both_themes("fill:url(#az-glaze);stroke:url(#az-bevel);stroke-width:2.2"), EDGE),
    "shade": ("fill:#2b180066", "fill:#0009", "fill:none"),
}
"""Styles of every picture."""

FACTORY_STYLES: Styles = {
    "disc": ("fill:url(#az-disc) #e3d6bd", "fill:url(#az-disc) #2c3341", OUTLINED),
    "token": ("fill:#fdf6e3;stroke:#a83c0b;stroke-width:3", "fill:#fdf6e3;stroke:#ff9d4d;stroke-width:3"),
    "token-ink": both_themes("fill:#a83c0b"),
}
"""Styles of factories and the start token."""

SUBSTANCE: Styles = {
    "cloth": ("fill:#efe7d8", "fill:#171a21"),
    "warp": ("stroke:#fffdf7;stroke-opacity:.55", "stroke:#fff;stroke-opacity:.04"),
    "weft": ("stroke:#8a7650;stroke-opacity:.13", "stroke:#000;stroke-opacity:.26"),
    "plank": both_themes("fill:url(#az-ring)"),
    "sap": ("stop-color:#f5e4c3", "stop-color:#3d2f25"),
    "heart": ("stop-color:#ecd3a4", "stop-color:#31261d"),
    "grain": ("fill:none;stroke:#9a7335;stroke-opacity:.2", "fill:none;stroke:#000;stroke-opacity:.3"),
    "sunk-top": ("stop-color:#4b3110;stop-opacity:.42", "stop-color:#000;stop-opacity:.62"),
    "sunk-foot": ("stop-color:#4b3110;stop-opacity:.1", "stop-color:#000;stop-opacity:.28"),
    "edge-top": ("stop-color:#3f2808;stop-opacity:.5", "stop-color:#000;stop-opacity:.7"),
    "edge-foot": ("stop-color:#fff8e6;stop-opacity:.85", "stop-color:#fff;stop-opacity:.2"),
    "dish": ("stop-color:#fbf4e4", "stop-color:#454a55"),
    "dish-low": ("stop-color:#e6d8bb", "stop-color:#30343d"),
    "dish-rim": ("stop-color:#c9b48a", "stop-color:#1d2026"),
    "dish-out": ("stop-color:#f6ebd3", "stop-color:#565c69"),
}
"""Styles of gradient stops and threads."""

Stop = tuple[float, str] | tuple[float, str, float]
"""Offset (0 to 1) and a class, or offset, colour and opacity."""

WHITE, BLACK = "#fff", "#000"
GLAZE: tuple[Stop, ...] = ((0, WHITE, 0.5), (0.3, WHITE, 0.17), (0.62, WHITE, 0), (1, BLACK, 0.26))
BEVEL: tuple[Stop, ...] = ((0, WHITE, 0.8), (0.42, WHITE, 0.18), (0.58, BLACK, 0.22), (1, BLACK, 0.55))
DISH: tuple[Stop, ...] = (
    (0, "dish"),
    (0.74, "dish-low"),
    (0.8, "dish-rim"),
    (0.86, "dish-out"),
    (0.93, "dish-low"),
    (1, "dish-rim"),
)
THREADS = 32  # units: the square of linen that repeats itself
THICK = ((1.3, (2, 10, 13, 21, 29)), (2.1, (6, 17, 25)))
"""Threads in both directions: thickness and positions."""
GRAIN_LENGTH, GRAIN_WIDTH = 420, 168  # of the pattern of wood, along the grain and across it
GRAIN = (
    (9, 6), (18, 10), (34, 14), (41, 12), (52, 20), (58, 25), (66, 24), (80, 16),
    (92, -7), (98, -9), (112, -16), (119, -20), (138, -10), (156, 2),
)  # fmt: skip
"""Rings of the wood: position across the grain (units), and bend."""


def used_styles(styles: Styles, drawn: Element) -> tuple[Styles, list[Element]]:
    """Return the styles whose classes occur in a drawing, and the gradients and patterns they need.

    Pictures must not change the latter, which are created once.
    """
    classes, needed = _classes(drawn), list[Element]()
    while True:
        shown = {name: rules for name, rules in styles.items() if CLASS + name in classes}
        declared = "".join("".join(rules) for rules in shown.values())
        needed = [substance for name, substance in _substances().items() if f"#{name})" in declared]
        within = set().union(*map(_classes, needed))
        if within <= classes:
            return shown, needed
        classes |= within


def _classes(drawn: Element) -> set[str]:
    return {element.attrib["class"] for element in drawn.iter() if "class" in element.attrib}


@functools.cache
def _substances() -> dict[str, Element]:
    """Return all gradients and patterns by name."""
    drawn = (
        _pattern("linen", THREADS, THREADS, _linen()),
        _pattern("wood", GRAIN_LENGTH, GRAIN_WIDTH, _wood()),
        _linear("ring", (0, 0, 0, 1), ((0, "sap"), (0.5, "heart"), (1, "sap"))),
        _radial("glaze", (0.3, 0.16, 0.95), GLAZE),
        _linear("bevel", (0, 0, 1, 1), BEVEL),
        _radial("petal", (0.5, 0.2, 0.85), GLAZE),
        _linear("facet", (0, 0, 0, 1), BEVEL),
        _linear("sunk", (0, 0, 0, 1), ((0, "sunk-top"), (0.4, "sunk-foot"))),
        _linear("edge", (0, 0, 0, 1), ((0, "edge-top"), (1, "edge-foot"))),
        _radial("disc", (0.5, 0.5, 0.5), DISH),
    )
    return {element.attrib["id"]: element for element in drawn}


def _linen() -> Iterable[Element]:
    """Yield the threads of the linen. Some threads are thicker than others."""
    yield _sheet_of("cloth", THREADS, THREADS)
    for style, thread in (("warp", "M{} 0v{}"), ("weft", "M0 {}h{}")):
        for weight, places in THICK:
            d = "".join(thread.format(at, THREADS) for at in places)
            yield Element("path", {"d": d, "stroke-width": f"{weight}", "class": CLASS + style})


def _wood() -> Iterable[Element]:
    """Yield the rings of the wood. They bend up and down and end as they begin, so the pattern is seamless."""
    third = GRAIN_LENGTH / 3
    yield _sheet_of("plank", GRAIN_LENGTH, GRAIN_WIDTH)
    for weight, rings in ((1.1, GRAIN[::2]), (2.2, GRAIN[1::2])):
        d = "".join(f"M0 {y}c{third:g} {bend} {2 * third:g} {-bend} {GRAIN_LENGTH} 0" for y, bend in rings)
        yield Element("path", {"d": d, "stroke-width": f"{weight}", "class": f"{CLASS}grain"})


def _sheet_of(style: str, width: float, height: float) -> Element:
    return Element("rect", {"width": f"{width}", "height": f"{height}", "class": CLASS + style})


def _pattern(name: str, width: float, height: float, drawn: Iterable[Element]) -> Element:
    size = {"width": f"{width}", "height": f"{height}", "patternUnits": "userSpaceOnUse"}
    pattern = Element("pattern", {"id": CLASS + name, **size})
    pattern.extend(drawn)
    return pattern


def _linear(name: str, way: tuple[float, float, float, float], stops: Iterable[Stop]) -> Element:
    """Return a linear gradient between two points of the filled shape."""
    where = {key: f"{at:g}" for key, at in zip(("x1", "y1", "x2", "y2"), way, strict=True)}
    return _add_stops(Element("linearGradient", {"id": CLASS + name, **where}), stops)


def _radial(name: str, circle: tuple[float, float, float], stops: Iterable[Stop]) -> Element:
    """Return a radial gradient around a point of the filled shape."""
    where = {key: f"{at:g}" for key, at in zip(("cx", "cy", "r"), circle, strict=True)}
    return _add_stops(Element("radialGradient", {"id": CLASS + name, **where}), stops)


def _add_stops(gradient: Element, stops: Iterable[Stop]) -> Element:
    for at, colour, *opacity in stops:
        shown = {"stop-color": colour, "stop-opacity": f"{opacity[0]:g}"} if opacity else {"class": CLASS + str(colour)}
        SubElement(gradient, "stop", {"offset": f"{at:g}", **shown})
    return gradient
