"""Drawing a table as SVG: what the pictures of all rulesets share.

A picture is drawn from what everybody may see: a position in wire form, and a `Scene` around it (who sits where, whose
decision it is, what was done last). Each ruleset's `picture` lays its table out and draws it with a `Sheet`.

**For front ends.** Whatever can be named in an action (a source, the tiles of a colour there, a line, a space) is a
`<g>` or a `<use>` with `data-…` attributes that are the action's fields, and a readable `id`. So a page that inlines
the picture finds by one selector what an action means, and can add behaviour.

**Light and dark.** Colours are classes; a theme is one of two sheets of rules, `auto` has both and lets the viewer's
setting decide. All classes begin with `az-`, so that an inlined picture styles nothing else of the page. (Rules by
descent, such as `.table .tile`, do not reach into what is drawn by `<use>`.) What wood, linen and glaze are stands in
`materials.py`.

**Wide and narrow.** `wide` has the middle of the table in one band and two boards beside each other; `narrow` is one
board wide, for phones: the middle is folded below itself, what stands beside a garden goes below it.

**For all eyes.** A colour has a pattern of its own besides, and neighbouring colours differ in lightness, so that tiles
can be told apart in grey. Text is never the only carrier; title and description tell the table in words.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from service.rulesets.pictures.materials import CLASS, PAPER, SUBSTANCE, Styles, used
from service.rulesets.texts import Texts
from service.rulesets.wire import Json

AUTO, LIGHT, DARK = "auto", "light", "dark"
THEMES = (AUTO, LIGHT, DARK)
WIDE, NARROW = "wide", "narrow"
LAYOUTS = (WIDE, NARROW)
FONT = "ui-rounded, 'Nunito', 'Segoe UI', system-ui, sans-serif"
ROOT = "azul-table"
QUOTED = {'"': "&quot;"}


class Words:
    """What is written on a table, by key: the messages `picture-<key>` of a ruleset's texts."""

    def __init__(self, texts: Texts, language: str) -> None:
        self._texts, self._language = texts, language

    def __getitem__(self, key: str) -> str:
        return self._texts.message(self._language, f"picture-{key}".replace("_", "-"))


@dataclass(frozen=True)
class Sitting:
    """A seat's line above its board."""

    name: str
    score: int | None
    decides: bool = False
    note: str = ""  # such as "resigned"


@dataclass(frozen=True)
class Scene:
    """A position and what stands around it. `last`: the last action's fields with its `seat`; None before the first."""

    position: Json
    components: Json
    sittings: Sequence[Sitting]
    words: Words
    last: Json | None = None
    layout: str = WIDE

    @property
    def seats(self) -> int:
        """How many sit there."""
        return len(self.sittings)

    def was_last(self, **fields: Any) -> bool:
        """Whether the last action has all these fields."""
        return self.last is not None and all(self.last.get(name) == value for name, value in fields.items())


class Sheet:
    """An SVG under construction. Lengths are user units; `x`, `y` the upper left corner unless said otherwise."""

    def __init__(self, width: float, height: float, styles: Styles) -> None:
        self.width, self.height = width, height
        self.top = 0.0  # where what is shown of it begins
        self.boards_at: list[float] = []  # the upper edges of the seats' boards
        self._styles = {**SUBSTANCE, **PAPER, **styles}
        self.root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": ROOT, "role": "img"})
        self.defs = ET.SubElement(self.root, "defs")
        self.here = self.root
        self.rect(0, 0, width, height, "ground")

    def group(self, x: float = 0, y: float = 0, name: str | None = None, turn: float = 0, **data: Any) -> Group:
        """What is drawn inside the `with` block is turned clockwise, moved by (x, y), and bears an id and data."""
        return Group(self, ET.SubElement(self.here, "g", _transform(x, y, turn, 1) | _named(name) | _data(data)))

    def scaled(self, x: float, y: float, scale: float) -> Group:
        """What is drawn inside the `with` block is scaled, and moved by (x, y)."""
        return Group(self, ET.SubElement(self.here, "g", _transform(x, y, 0, scale)))

    def styled(self, style: str) -> Group:
        """What is drawn inside the `with` block has this class."""
        return Group(self, ET.SubElement(self.here, "g", {"class": CLASS + style}))

    def rect(self, x: float, y: float, width: float, height: float, style: str, round_: float = 0) -> None:
        """A rectangle, its corners rounded."""
        corners = {"rx": _number(round_)} if round_ else {}
        where = {"x": _number(x), "y": _number(y), "width": _number(width), "height": _number(height)}
        ET.SubElement(self.here, "rect", {**where, **corners, "class": CLASS + style})

    def circle(self, x: float, y: float, radius: float, style: str) -> None:
        """A circle around (x, y)."""
        ET.SubElement(
            self.here, "circle", {"cx": _number(x), "cy": _number(y), "r": _number(radius), "class": CLASS + style}
        )

    def path(self, d: str, style: str) -> None:
        """A path."""
        ET.SubElement(self.here, "path", {"d": d, "class": CLASS + style})

    def polygon(self, points: Iterable[tuple[float, float]], style: str) -> None:
        """A polygon."""
        outline = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        ET.SubElement(self.here, "polygon", {"points": outline, "class": CLASS + style})

    def text(self, x: float, y: float, words: Any, style: str, size: float, anchor: str = "start") -> None:
        """Words whose middle line lies at `y`."""
        where = {"x": _number(x), "y": _number(y + 0.35 * size), "font-size": _number(size), "class": CLASS + style}
        element = ET.SubElement(self.here, "text", {**where, **({"text-anchor": anchor} if anchor != "start" else {})})
        element.text = str(words)

    def use(
        self, symbol: str, x: float, y: float, size: float, name: str | None = None, style: str = "", **data: Any
    ) -> None:
        """A symbol, scaled to a square. It may bear an id, a class (what the symbol does not colour inherits), data."""
        box = {"x": _number(x), "y": _number(y), "width": _number(size), "height": _number(size)}
        attributes = {"href": f"#{symbol}", **box}
        if style:
            attributes["class"] = CLASS + style
        ET.SubElement(self.here, "use", attributes | _named(name) | _data(data))

    def shape(self, name: str) -> Group:
        """What is drawn inside the `with` block can be stamped."""
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
        """A shape, scaled, turned clockwise, its origin moved to (x, y). It may bear an id and data."""
        ET.SubElement(
            self.here, "use", {"href": f"#{shape}"} | _transform(x, y, turn, scale) | _named(name) | _data(data)
        )

    def symbol(self, name: str, box: str) -> Group:
        """What is drawn inside the `with` block can be used."""
        return Group(self, ET.SubElement(self.defs, "symbol", {"id": name, "viewBox": box}))

    def cut(self, top: float, bottom: float) -> None:
        """What lies above and below is not shown."""
        self.top, self.height = top, bottom - top

    def finished(self, title: str, description: str, theme: str) -> str:
        """The whole picture. It can be finished once."""
        self.root.set("viewBox", f"0 {_number(self.top)} {_number(self.width)} {_number(self.height)}")
        self.root.set("aria-labelledby", "table-title table-description")
        for position, (tag, words) in enumerate((("title", title), ("desc", description))):
            element = ET.Element(tag, {"id": f"table-{'title' if tag == 'title' else 'description'}"})
            element.text = words
            self.root.insert(position, element)
        styles, substances = used(self._styles, self.root)
        for position, substance in enumerate(substances):
            self.defs.insert(position, substance)
        style = ET.Element("style")
        style.text = _rules(styles, theme)
        self.root.insert(2, style)
        return "".join(_written(self.root))


class Group:
    """A `with` block of a sheet."""

    def __init__(self, sheet: Sheet, element: ET.Element) -> None:
        self._sheet, self._element, self._before = sheet, element, sheet.here

    def __enter__(self) -> None:
        self._sheet.here = self._element

    def __exit__(self, *_: object) -> None:
        self._sheet.here = self._before


RING, DIAMOND, PETALS, DOTS, VANES, DROP, BARS = "ring", "diamond", "petals", "dots", "vanes", "drop", "bars"


def mark(sheet: Sheet, shape: str, x: float, y: float, style: str) -> None:
    """A mark for those who cannot tell colours apart, within 13 units around (x, y)."""
    if shape == RING:
        sheet.path(f"M{x:g} {y - 11:g}a11 11 0 1 0 .01 0zm0 6a5 5 0 1 1-.01 0z", style)
    elif shape == DIAMOND:
        sheet.path(f"M{x:g} {y - 12:g}l12 12l-12 12l-12 -12zm0 7l-5 5l5 5l5 -5z", style)
    elif shape == DROP:
        sheet.path(f"M{x:g} {y - 12:g}c10 12 11 22 0 22c-11 0 -10 -10 0 -22z", style)
    elif shape == BARS:
        for left in (-9, 3):
            sheet.rect(x + left, y - 11, 6, 22, style, 2)
    elif shape == VANES:
        sheet.path(f"M{x:g} {y:g}v-13l11 5.5zh13l-5.5 11zv13l-11 -5.5zh-13l5.5 -11z", style)
    else:
        places, radius = {
            PETALS: (((0, -7), (7, 0), (0, 7), (-7, 0)), 6.0),
            DOTS: (((-7, -7), (7, -7), (-7, 7), (7, 7)), 4.4),
        }[shape]
        for right, down in places:
            sheet.circle(x + right, y + down, radius, style)


def hexagon(x: float, y: float, radius: float, *, flat: bool = False) -> list[tuple[float, float]]:
    """Its corners around (x, y); a corner lies on top, or a side if it is flat."""
    first = 0 if flat else 30
    return [
        (x + radius * math.cos(math.radians(first + 60 * k)), y + radius * math.sin(math.radians(first + 60 * k)))
        for k in range(6)
    ]


def _transform(x: float, y: float, turn: float, scale: float) -> dict[str, str]:
    parts = [f"translate({_number(x)} {_number(y)})"] if x or y else []
    parts += [f"rotate({_number(turn)})"] if turn else []
    parts += [f"scale({_number(scale)})"] if scale != 1 else []
    return {"transform": " ".join(parts)} if parts else {}


def _named(name: str | None) -> dict[str, str]:
    return {} if name is None else {"id": name}


def _data(fields: Mapping[str, Any]) -> dict[str, str]:
    """A name that Python has for itself ends in an underscore: `from_`."""
    return {f"data-{key.rstrip('_').replace('_', '-')}": str(value) for key, value in fields.items()}


@functools.lru_cache(4096)  # the same lengths come at every seat
def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _written(element: ET.Element) -> Iterator[str]:
    """What ElementTree would write, in half the time: names are ours and need no namespaces."""
    attributes = "".join([f' {key}="{escape(value, QUOTED)}"' for key, value in element.attrib.items()])
    if not (element.text or len(element)):
        yield f"<{element.tag}{attributes}/>"
        return
    yield f"<{element.tag}{attributes}>"
    if element.text:
        yield escape(element.text)
    for child in element:
        yield from _written(child)
    yield f"</{element.tag}>"


def _rules(styles: Styles, theme: str) -> str:
    always = f".{ROOT}{{font-family:{FONT};font-weight:600}}"
    light = "".join(f".{CLASS}{name}{{{outline[0]}}}" for name, outline in styles.items() if theme != DARK)
    changed = {name: outline[1] for name, outline in styles.items() if theme == DARK or outline[0] != outline[1]}
    dark = "".join(f".{CLASS}{name}{{{outline}}}" for name, outline in changed.items())
    if theme == LIGHT:
        return always + light
    if theme == DARK:
        return always + dark
    return f"{always}{light}@media (prefers-color-scheme:dark){{{dark}}}"


# ------------------------------------------------------------------------------------------------ what all tables have

MARGIN = 24.0
HEADER_HEIGHT = 52.0
ACROSS = {WIDE: 2, NARROW: 1}  # boards


def width_of(scene: Scene, board: float) -> float:
    """Of a table whose boards have that width."""
    return MARGIN + min(scene.seats, ACROSS[scene.layout]) * (board + MARGIN)


def height_of(scene: Scene, board: float, top: float) -> float:
    """Of a table whose boards have that height and begin at `top`."""
    return top + -(-scene.seats // ACROSS[scene.layout]) * (board + MARGIN)


def boards(sheet: Sheet, scene: Scene, width: float, height: float, top: float) -> Iterator[int]:
    """Each seat, while its board's upper left corner is the origin; one that is left over stands in the middle."""
    for seat in range(scene.seats):
        row, column = divmod(seat, ACROSS[scene.layout])
        alone = seat == scene.seats - 1 and column == 0
        x = (sheet.width - width) / 2 if alone else MARGIN + column * (width + MARGIN)
        sheet.boards_at.append(top + row * (height + MARGIN))
        with sheet.group(x, sheet.boards_at[seat], f"seat_{seat}", seat=seat):
            yield seat


FACTORIES_A_ROW = {WIDE: 5, NARROW: 3}
INSET = 14.0  # of what stands in the middle of the table


class Middle(NamedTuple):
    """The middle of a table with factories: its size, and where its centre lies (x, y, width, height); enlarged so."""

    width: float
    height: float
    scale: float
    centre: tuple[float, float, float, float]


def middle(scene: Scene, width: float, radius: float, pitch: float, centre_height: float) -> Middle:
    """Laid out to be `width` wide when it is enlarged. The centre: right of the factories, or below them, so high."""
    a_row = FACTORIES_A_ROW[scene.layout]
    gap = pitch - 2 * radius
    right = INSET + a_row * pitch - gap
    below = INSET + math.ceil(len(scene.position["factories"]) / a_row) * pitch - gap
    if scene.layout == WIDE:
        left = right + 2 * gap
        return Middle(width, below + INSET, 1, (left, INSET, width - left - INSET, below - INSET))
    centre = (INSET, below + gap, right - INSET, centre_height)
    return Middle(right + INSET, below + gap + centre_height + INSET, width / (right + INSET), centre)


def factories(sheet: Sheet, scene: Scene, radius: float, pitch: float) -> Iterator[Json]:
    """The tiles of each factory, while its middle is the origin."""
    first = INSET + radius
    for number, tiles in enumerate(scene.position["factories"]):
        row, column = divmod(number, FACTORIES_A_ROW[scene.layout])
        source = f"factory_{number}"
        with sheet.group(first + column * pitch, first + row * pitch, source, source=source):
            sheet.circle(0, 0, radius, "disc")
            sheet.text(-0.84 * radius, -0.84 * radius, number + 1, "faint", 14, "middle")
            if scene.was_last(source=source):
                sheet.circle(0, 0, radius + 3, "last")
            yield tiles


def start_token(sheet: Sheet, x: float, y: float) -> None:
    """The token of the seat that starts the next round, around (x, y)."""
    sheet.circle(x, y, 17, "token")
    sheet.text(x, y, 1, "token-ink", 22, "middle")


def panel(sheet: Sheet, width: float, height: float, sitting: Sitting) -> None:
    """A board of wood, seen a little from below, with its header: name, note, score; framed while the seat decides."""
    sheet.rect(0, 0, width, height, "panel", 16)
    low, inside = _number(height - 16), _number(width - 32)
    sheet.path(
        f"M0 {low}a16 16 0 0 0 16 16h{inside}a16 16 0 0 0 16 -16v5a16 16 0 0 1 -16 16h-{inside}a16 16 0 0 1 -16 -16z",
        "lip",
    )
    if sitting.decides:
        sheet.rect(0, 0, width, height, "deciding", 16)
        sheet.path(f"M18 {_number(HEADER_HEIGHT / 2 - 9)}l13 9l-13 9z", "accent")
    sheet.text(42 if sitting.decides else 20, HEADER_HEIGHT / 2, sitting.name, "ink", 21)
    if sitting.note:
        sheet.text(width / 2, HEADER_HEIGHT / 2, sitting.note, "faint", 15, "middle")
    sheet.text(width - 20, HEADER_HEIGHT / 2, "–" if sitting.score is None else sitting.score, "ink", 28, "end")
