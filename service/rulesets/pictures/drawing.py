"""SVG pictures of tables: what all rulesets share.

A picture is drawn from public data: a position in JSON, and a `Scene` around it (names, the seat to decide, the last
action). Each ruleset's `picture` lays out its table and draws it on a `Sheet`.

**For front ends.** Everything that an action can name (a source, its tiles of a colour, a line, a space) is a `<g>` or
`<use>` with `data-…` attributes for the action's fields, and a readable `id`. A page that inlines the picture can find
the elements of an action with one selector and add behaviour.

**Themes.** Colours are classes. A theme is a style sheet: light, dark, or high contrast. `auto` contains light and
dark, and the viewer's setting decides. All classes begin with `az-`, so an inlined picture does not affect the rest of
the page. Descendant selectors such as `.table .tile` do not reach into elements drawn by `<use>`. `materials.py`
defines wood, linen and glaze.

**Layouts.** `wide` shows the middle of the table in one band and two boards in a row. `narrow` is one board wide, for
phones: the middle is folded, and storages are below gardens. `columns` shows the folded middle left of two boards in a
row, for three or four seats on a landscape screen.

**Accessibility.** Every colour also has its own pattern, and neighbouring colours differ in lightness, so tiles can be
distinguished in greyscale. Text is never the only carrier of information. Title and description put the table into
words. In a page that inlines the picture with the role `group`, each place has its content as an accessible name, and
each board is a group with its player's name.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from service.rulesets.pictures.materials import CLASS, PAPER, SUBSTANCE, Styles, used_styles
from service.rulesets.texts import Texts
from service.rulesets.wire import Json

AUTO, LIGHT, DARK, CONTRAST = "auto", "light", "dark", "contrast"
THEMES = (AUTO, LIGHT, DARK, CONTRAST)
WIDE, NARROW, COLUMNS = "wide", "narrow", "columns"
LAYOUTS = (WIDE, NARROW, COLUMNS)
FONT = "ui-rounded, 'Nunito', 'Segoe UI', system-ui, sans-serif"
ROOT = "azul-table"
QUOTED = {'"': "&quot;"}


class Words:
    """Words on a table by key: the messages `picture-<key>` of a ruleset's texts."""

    def __init__(self, texts: Texts, language: str) -> None:
        self._texts, self._language = texts, language

    def __getitem__(self, key: str) -> str:
        return self.format(key)

    def format(self, key: str, **arguments: Any) -> str:
        """Return the message `picture-<key>` with arguments."""
        return self._texts.message(self._language, f"picture-{key}".replace("_", "-"), arguments)

    def list_tiles(self, tiles: Json, *others: str) -> str:
        """Return the other pieces and the tiles by colour in words, such as "start token, 2 blue"."""
        listed = [self.format("tiles", colour=colour, count=count) for colour, count in tiles.items() if count]
        return ", ".join([*others, *listed]) or self["empty"]


@dataclass(frozen=True)
class Sitting:
    """Header of a seat's board."""

    name: str
    score: int | None
    decides: bool = False
    note: str = ""  # such as "resigned"
    caption: str = ""  # name and score in words


@dataclass(frozen=True)
class Scene:
    """A position and its surroundings.

    `last`: fields of the last action and its `seat`, or None before the first action.
    """

    position: Json
    components: Json
    sittings: Sequence[Sitting]
    words: Words
    last: Json | None = None
    layout: str = WIDE

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.sittings)

    @property
    def is_folded(self) -> bool:
        """True if the middle of the table is about as high as wide."""
        return self.layout != WIDE

    def was_last(self, **fields: Any) -> bool:
        """Return True if the last action has all these fields."""
        return self.last is not None and all(self.last.get(name) == value for name, value in fields.items())


class Sheet:
    """An SVG under construction.

    Lengths are in user units; `x` and `y` are the upper left corner unless stated otherwise.
    """

    def __init__(self, width: float, height: float, styles: Styles) -> None:
        self.width, self.height = width, height
        self.top = 0.0  # upper edge of the visible part
        self.boards_at: list[float] = []  # upper edges of the seats' boards
        self._styles = {**SUBSTANCE, **PAPER, **styles}
        self.root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": ROOT, "role": "img"})
        self.defs = ET.SubElement(self.root, "defs")
        self.here = self.root
        self.rect(0, 0, width, height, "ground")

    def group(self, x: float = 0, y: float = 0, name: str | None = None, turn: float = 0, **data: Any) -> Group:
        """Return a group for a `with` block: rotated clockwise, then moved to (x, y), with id and data."""
        return Group(self, ET.SubElement(self.here, "g", _transform(x, y, turn, 1) | _names(name, data)))

    def scaled_group(self, x: float, y: float, scale: float) -> Group:
        """Return a group for a `with` block: scaled, then moved to (x, y)."""
        return Group(self, ET.SubElement(self.here, "g", _transform(x, y, 0, scale)))

    def styled_group(self, style: str) -> Group:
        """Return a group for a `with` block, with a class."""
        return Group(self, ET.SubElement(self.here, "g", {"class": CLASS + style}))

    def label(self, words: str, role: str = "img") -> None:
        """Name the current group for screen readers. They read an `img` instead of its content."""
        self.here.attrib.update({"role": role, "aria-label": words})

    def rect(self, x: float, y: float, width: float, height: float, style: str, round_: float = 0) -> None:
        """Draw a rectangle with optional round corners."""
        corners = {"rx": _number(round_)} if round_ else {}
        where = {"x": _number(x), "y": _number(y), "width": _number(width), "height": _number(height)}
        ET.SubElement(self.here, "rect", {**where, **corners, "class": CLASS + style})

    def circle(self, x: float, y: float, radius: float, style: str) -> None:
        """Draw a circle around (x, y)."""
        ET.SubElement(
            self.here, "circle", {"cx": _number(x), "cy": _number(y), "r": _number(radius), "class": CLASS + style}
        )

    def path(self, d: str, style: str) -> None:
        """Draw a path."""
        ET.SubElement(self.here, "path", {"d": d, "class": CLASS + style})

    def polygon(self, points: Iterable[tuple[float, float]], style: str) -> None:
        """Draw a polygon."""
        outline = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        ET.SubElement(self.here, "polygon", {"points": outline, "class": CLASS + style})

    def text(self, x: float, y: float, words: Any, style: str, size: float, anchor: str = "start") -> None:
        """Draw text whose middle line is at `y`."""
        where = {"x": _number(x), "y": _number(y + 0.35 * size), "font-size": _number(size), "class": CLASS + style}
        element = ET.SubElement(self.here, "text", {**where, **({"text-anchor": anchor} if anchor != "start" else {})})
        element.text = str(words)

    def use(
        self, symbol: str, x: float, y: float, size: float, name: str | None = None, style: str = "", **data: Any
    ) -> None:
        """Draw a symbol, scaled to a square, with optional id, class and data.

        The symbol inherits the class's colours.
        """
        box = {"x": _number(x), "y": _number(y), "width": _number(size), "height": _number(size)}
        attributes = {"href": f"#{symbol}", **box}
        if style:
            attributes["class"] = CLASS + style
        ET.SubElement(self.here, "use", attributes | _names(name, data))

    def shape(self, name: str) -> Group:
        """Return a group for a `with` block that defines a shape for `stamp`."""
        return Group(self, ET.SubElement(self.defs, "g", {"id": name}))

    def stamp(
        self,
        shape: str,
        x: float = 0,
        y: float = 0,
        scale: float = 1,
        turn: float = 0,
        name: str | None = None,
        **data: Any,
    ) -> None:
        """Draw a shape: scaled, rotated clockwise, its origin moved to (x, y), with optional id and data."""
        ET.SubElement(self.here, "use", {"href": f"#{shape}"} | _transform(x, y, turn, scale) | _names(name, data))

    def symbol(self, name: str, box: str) -> Group:
        """Return a group for a `with` block that defines a symbol for `use`."""
        return Group(self, ET.SubElement(self.defs, "symbol", {"id": name, "viewBox": box}))

    def crop(self, top: float, bottom: float) -> None:
        """Show only the part from `top` to `bottom`."""
        self.top, self.height = top, bottom - top

    def to_svg(self, title: str, description: str, theme: str) -> str:
        """Return the whole picture. A sheet can be converted only once."""
        self.root.set("viewBox", f"0 {_number(self.top)} {_number(self.width)} {_number(self.height)}")
        self.root.set("aria-labelledby", "table-title table-description")
        for position, (tag, words) in enumerate((("title", title), ("desc", description))):
            element = ET.Element(tag, {"id": f"table-{'title' if tag == 'title' else 'description'}"})
            element.text = words
            self.root.insert(position, element)
        styles, substances = used_styles(self._styles, self.root)
        for position, substance in enumerate(substances):
            self.defs.insert(position, substance)
        style = ET.Element("style")
        style.text = _rules(styles, theme)
        self.root.insert(2, style)
        return "".join(_serialize(self.root))


class Group:
    """A `with` block of a sheet."""

    def __init__(self, sheet: Sheet, element: ET.Element) -> None:
        self._sheet, self._element, self._before = sheet, element, sheet.here

    def __enter__(self) -> None:
        self._sheet.here = self._element

    def __exit__(self, *_: object) -> None:
        self._sheet.here = self._before


def mark(sheet: Sheet, shape: str, x: float, y: float, style: str) -> None:
    """Draw a mark within 13 units around (x, y), so that colours can be distinguished without colour vision.

    `shape`: bars, diamond, dots, drop, petals, ring or vanes.
    """
    if shape == "ring":
        sheet.path(f"M{x:g} {y - 11:g}a11 11 0 1 0 .01 0zm0 6a5 5 0 1 1-.01 0z", style)
    elif shape == "diamond":
        sheet.path(f"M{x:g} {y - 12:g}l12 12l-12 12l-12 -12zm0 7l-5 5l5 5l5 -5z", style)
    elif shape == "drop":
        sheet.path(f"M{x:g} {y - 12:g}c10 12 11 22 0 22c-11 0 -10 -10 0 -22z", style)
    elif shape == "bars":
        for left in (-9, 3):
            sheet.rect(x + left, y - 11, 6, 22, style, 2)
    elif shape == "vanes":
        sheet.path(f"M{x:g} {y:g}v-13l11 5.5zh13l-5.5 11zv13l-11 -5.5zh-13l5.5 -11z", style)
    else:
        places, radius = {
            "petals": (((0, -7), (7, 0), (0, 7), (-7, 0)), 6.0),
            "dots": (((-7, -7), (7, -7), (-7, 7), (7, 7)), 4.4),
        }[shape]
        for right, down in places:
            sheet.circle(x + right, y + down, radius, style)


def hexagon(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Return the corners of a hexagon around (x, y). The top is a corner."""
    turns = [math.radians(30 + 60 * k) for k in range(6)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def _transform(x: float, y: float, turn: float, scale: float) -> dict[str, str]:
    parts = [f"translate({_number(x)} {_number(y)})"] if x or y else []
    parts += [f"rotate({_number(turn)})"] if turn else []
    parts += [f"scale({_number(scale)})"] if scale != 1 else []
    return {"transform": " ".join(parts)} if parts else {}


def _names(name: str | None, fields: Mapping[str, Any]) -> dict[str, str]:
    """Return id and data attributes. A trailing underscore avoids Python's keywords: `from_`."""
    data = {f"data-{key.rstrip('_').replace('_', '-')}": str(value) for key, value in fields.items()}
    return data if name is None else {"id": name, **data}


@functools.lru_cache(4096)  # all seats have the same lengths
def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _serialize(element: ET.Element) -> Iterator[str]:
    """Yield the XML of an element. Twice as fast as ElementTree, because names need no namespaces."""
    attributes = "".join([f' {key}="{escape(value, QUOTED)}"' for key, value in element.attrib.items()])
    if not (element.text or len(element)):
        yield f"<{element.tag}{attributes}/>"
        return
    yield f"<{element.tag}{attributes}>"
    if element.text:
        yield escape(element.text)
    for child in element:
        yield from _serialize(child)
    yield f"</{element.tag}>"


def _rules(styles: Styles, theme: str) -> str:
    always = f".{ROOT}{{font-family:{FONT};font-weight:600}}"
    if theme != AUTO:
        return always + _declarations(in_theme(styles, theme))
    light, dark = in_theme(styles, LIGHT), in_theme(styles, DARK)
    changed = {name: rules for name, rules in dark.items() if rules != light[name]}
    return f"{always}{_declarations(light)}@media (prefers-color-scheme:dark){{{_declarations(changed)}}}"


def in_theme(styles: Styles, theme: str) -> Mapping[str, str]:
    """Return the declarations by class in a theme other than `auto`."""
    column = THEMES.index(theme) - 1
    return {name: (*rules, rules[0])[column] for name, rules in styles.items()}


def _declarations(styles: Mapping[str, str]) -> str:
    return "".join(f".{CLASS}{name}{{{rules}}}" for name, rules in styles.items())
