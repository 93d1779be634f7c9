"""Several pictures of one table as one animated SVG, with CSS only.

The pictures are merged into one tree. A group that occurs in several pictures occurs once in the tree, and so does any
element that is drawn alike in the same place and order. Each element has the set of stills in which it is visible.
Adjacent elements with the same set share a group with a class. The class has an animation of `visibility` with a
keyframe at each change. The size therefore depends only on the changes.

CSS is used rather than SMIL, because all browsers run it in an `<img>` and media queries apply. Viewers that prefer
reduced motion see the last picture, and so do programs without animations, such as previews in chats.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from service.rulesets.pictures.drawing import Sheet
from service.rulesets.pictures.materials import CLASS
from service.rulesets.pictures.table_parts import MARGIN

CAPTION = "caption"
MAX_ROWS = 3
WORDS_SIZE = 20.0
PROGRESS = f"{CLASS}progress"
GONE, LEFT = f"{CLASS}gone-", f"{CLASS}left-"
"""Prefixes of the classes of elements that the last picture hides, and that it shows."""
UNSEEN = ("role", "aria-label")
LETTER = 0.58
"""Width of a letter per font size: the average, and a little more."""


class Pace(NamedTuple):
    """Seconds for each picture and for the last one, and whether the animation repeats."""

    seconds: float
    held: float
    loop: bool


def rows(words: str, width: float) -> list[str]:
    """Return the lines of a caption below a table of this width. Long captions are truncated."""
    letters = int((width - 2 * MARGIN) / (LETTER * WORDS_SIZE))
    return textwrap.wrap(words, letters, max_lines=MAX_ROWS, placeholder=" …")


def caption(sheet: Sheet, words: str, standing: str, height: int = 1) -> None:
    """Draw the standings and a caption of `height` lines below the table."""
    top = sheet.top + sheet.height
    room = 46 + 26 * height
    with sheet.group(0, top, CAPTION):
        sheet.rect(0, 0, sheet.width, room, "panel")
        sheet.text(MARGIN, 22, standing, "faint", 17)
        for number, row in enumerate(rows(words, sheet.width)[:height]):
            sheet.text(MARGIN, 50 + 26 * number, row, "ink", WORDS_SIZE)
    sheet.crop(sheet.top, top + room)


def merge_pictures(sheets: Iterable[Sheet], pace: Pace) -> Sheet:
    """Merge pictures of the same size into the last of them, and return it. There must be at least one.

    Attributes of the root state the number of stills and their duration in seconds: `data-stills`, `data-seconds`, and
    `data-held` for the last one. Shapes with the same name must be equal. Each picture is merged before the next is
    requested, so the pictures need not be in memory at the same time.
    """
    shapes: dict[str, ET.Element] = {}
    root = _Node(_Part((), (), ET.Element("svg"), ()))
    for number, film in enumerate(sheets):
        for shape in film.defs:
            shapes.setdefault(shape.attrib["id"], shape)
        inner = [part for child in film.root if child is not film.defs for part in _parts(child)]
        root.show(_Part((), tuple([part.whole for part in inner]), film.root, inner), number)
    count = number + 1
    root.end(count)
    film.root[:] = [film.defs]
    film.defs[:] = shapes.values()
    classes = _Classes(count)
    film.root.extend(_render_children(root, root.stills, classes))
    film.here = film.root
    film.root.attrib |= {"data-stills": str(count), "data-seconds": f"{pace.seconds:g}", "data-held": f"{pace.held:g}"}
    if count > 1:
        film.rect(0, film.top + film.height - 4, film.width, 4, "accent")
        film.root[-1].attrib["class"] += f" {PROGRESS}"
        style = ET.Element("style")
        style.text = classes.rules(pace)
        film.root.insert(0, style)
    return film


# ------------------------------------------------------------------------------------------------ merging


class _Part(NamedTuple):
    """An element of one picture. `key`: its attributes, without content if it is a group; `whole`: with content."""

    key: tuple[Any, ...]
    whole: tuple[Any, ...]
    element: ET.Element
    parts: Sequence[_Part]


def _parts(element: ET.Element) -> list[_Part]:
    """Return the element, or the parts of a group that does not change how they look."""
    if element.tag != "g":
        key = _element_key(element)
        return [_Part(key, key, element, ())]
    inner = [part for child in element for part in _parts(child)]
    attributes = _visible_attributes(element)
    if not attributes or not inner:
        return inner
    return [_Part(attributes, (attributes, *[part.whole for part in inner]), element, inner)]


def _visible_attributes(element: ET.Element) -> tuple[tuple[str, str], ...]:
    """Return the attributes without ids, data and accessible names, which animations do not need."""
    return tuple(
        [
            (key, value)
            for key, value in element.items()
            if key not in UNSEEN and key[:5] != "data-" and (key != "id" or value == CAPTION)
        ]
    )


def _element_key(element: ET.Element) -> tuple[Any, ...]:
    return (element.tag, _visible_attributes(element), element.text, *[_element_key(inner) for inner in element])


def _clean(element: ET.Element) -> None:
    attributes = _visible_attributes(element)
    element.attrib.clear()
    element.attrib.update(attributes)
    for inner in element:
        _clean(inner)


class _Node:
    """An element of the animation, with a bit for each still in which it is visible."""

    __slots__ = ("_now", "_since", "_whole", "element", "inner", "key", "stills")

    def __init__(self, part: _Part) -> None:
        self.key, self.element, self.stills = part.key, part.element, 0
        if part.parts:
            self.element = ET.Element("g", dict(part.key))
        else:
            _clean(self.element)
        self.inner: list[_Node] = []
        self._now: list[_Node] = []
        self._whole: tuple[Any, ...] = ()
        self._since = 0

    def show(self, part: _Part, number: int) -> None:
        """Show the element like this from the still of this number on."""
        if not self._whole:
            self._since = number
        elif part.whole == self._whole:
            return
        self._whole = part.whole
        keys = [each.key for each in part.parts]
        if keys != [node.key for node in self._now]:
            before, self._now = self._now, self._align(part.parts, keys)
            still_there = {id(node) for node in self._now}
            for node in before:
                if id(node) not in still_there:
                    node.end(number)
        for node, each in zip(self._now, part.parts, strict=True):
            node.show(each, number)

    def end(self, number: int) -> None:
        """Hide the element from the still of this number on."""
        self.stills |= (1 << number) - (1 << self._since)
        for node in self._now:
            node.end(number)
        self._now, self._whole = [], ()

    def _align(self, parts: Sequence[_Part], keys: Sequence[tuple[Any, ...]]) -> list[_Node]:
        """Return the nodes of the parts. New nodes are inserted so that the order of each still is kept."""
        known, self.inner, now = self.inner, [], list[_Node]()
        matcher = SequenceMatcher(None, [node.key for node in known], keys, autojunk=False)
        for kind, first, last, begin, end in matcher.get_opcodes():
            self.inner += known[first:last]
            if kind == "equal":
                now += known[first:last]
            else:
                new = [_Node(part) for part in parts[begin:end]]
                self.inner += new
                now += new
        return now

    def is_even(self) -> bool:
        """Return True if all its content is visible whenever the element is."""
        return all(node.stills == self.stills and node.is_even() for node in self.inner)


def _render_children(node: _Node, stills: int, classes: _Classes) -> Iterator[ET.Element]:
    """Yield the content of a node that is visible in these stills."""
    for seen, members in groupby(node.inner, lambda inner: inner.stills if inner.is_even() else None):
        elements = [element for member in members for element in _render(member, seen, classes)]
        if seen is None or seen == stills:
            yield from elements
        else:
            shared = ET.Element("g", {"class": classes[seen]})
            shared.extend(elements)
            yield shared


def _render(node: _Node, seen: int | None, classes: _Classes) -> Iterator[ET.Element]:
    """Yield the element with its content."""
    if node.inner:
        every = classes.every if seen is None else seen
        node.element.extend(list(_render_children(node, every, classes)))
    yield node.element


# ------------------------------------------------------------------------------------------------- moving


class _Classes(dict[int, str]):
    """A class for each set of stills."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count
        self.every = (1 << count) - 1

    def __missing__(self, stills: int) -> str:
        name = f"{LEFT if stills >> (self._count - 1) else GONE}{len(self)}"
        self[stills] = name
        return name

    def rules(self, pace: Pace) -> str:
        """Return the CSS rules of the classes."""
        lasts = pace.seconds * (self._count - 1) + pace.held
        at = [f"{100 * pace.seconds * still / lasts:.3f}".rstrip("0").rstrip(".") + "%" for still in range(self._count)]
        how = f"{lasts:g}s step-end {'infinite' if pace.loop else '1'}"
        moves = "".join(
            f".{name}{{animation-name:{name}}}@keyframes {name}{{{_keyframes(stills, at)}}}"
            for stills, name in self.items()
        )
        return (
            f"[class^={GONE}]{{visibility:hidden}}"
            "@media (prefers-reduced-motion:no-preference){"
            f"[class^={GONE}],[class^={LEFT}]{{animation:{how}}}"
            f".{PROGRESS}{{animation:{PROGRESS} {how.replace('step-end', f'steps({self._count - 1})')}}}"
            f"@keyframes {PROGRESS}{{0%{{transform:scaleX(0)}}{at[-1]}{{transform:scaleX(1)}}}}"
            f"{moves}}}"
        )


def _keyframes(stills: int, at: Sequence[str]) -> str:
    """Return the keyframes at which elements of these stills appear and disappear."""
    shown = [stills >> number & 1 for number in range(len(at))]
    changes = [number for number, now in enumerate(shown) if number == 0 or now != shown[number - 1]]
    places = {state: ",".join(at[number] for number in changes if shown[number] == state) for state in (1, 0)}
    words = {1: "visible", 0: "hidden"}
    return "".join(f"{where}{{visibility:{words[state]}}}" for state, where in places.items() if where)
