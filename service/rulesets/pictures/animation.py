"""Pictures of one table, one after another, as one SVG that moves: without script, by CSS alone.

The pictures are merged into one tree. A group that stands in several of them stands there once, and so does whatever
is drawn alike in the same place and order; each element keeps the set of stills in which it is to be seen. Elements
beside each other that are seen in the same stills share a group with a class, and the class an animation of
`visibility`, whose keyframes lie where it changes. So a move costs what it changes, and no more.

CSS rather than SMIL, since all browsers run it in an `<img>`, and since it can be asked for by a media query: who
prefers less motion sees the last picture, still; so does whatever knows no animations, such as a preview in a chat.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from service.rulesets.pictures.drawing import MARGIN, Sheet
from service.rulesets.pictures.materials import CLASS

CAPTION = "caption"
MAX_ROWS = 3
WORDS_SIZE = 20.0
PROGRESS = f"{CLASS}progress"
GONE, LEFT = f"{CLASS}gone-", f"{CLASS}left-"
"""How the classes begin of what the last picture does not show, and of what it does."""
LETTER = 0.58
"""How wide a letter is, of its size: an average, and a little more."""


class Pace(NamedTuple):
    """How long each picture is shown, how long the last, and whether all begins anew then."""

    seconds: float
    held: float
    loop: bool


def rows(words: str, width: float) -> list[str]:
    """The lines of a caption below a table so wide; what is too long is cut."""
    letters = int((width - 2 * MARGIN) / (LETTER * WORDS_SIZE))
    return textwrap.wrap(words, letters, max_lines=MAX_ROWS, placeholder=" …")


def caption(sheet: Sheet, words: str, standing: str, height: int = 1) -> None:
    """Below all else: how the seats stand, and what was done, with room for so many lines."""
    top = sheet.top + sheet.height
    room = 46 + 26 * height
    with sheet.group(0, top, CAPTION):
        sheet.rect(0, 0, sheet.width, room, "panel")
        sheet.text(MARGIN, 22, standing, "faint", 17)
        for number, row in enumerate(rows(words, sheet.width)[:height]):
            sheet.text(MARGIN, 50 + 26 * number, row, "ink", WORDS_SIZE)
    sheet.cut(sheet.top, top + room)


def animated(sheets: Iterable[Sheet], pace: Pace) -> Sheet:
    """All of them as the last, one at least; they are of one size, and a shape of a name is the same in each.

    A sheet is merged before the next is asked for, so they need not be kept.
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
    film.root.extend(_written(root, root.stills, classes))
    film.here = film.root
    if count > 1:
        film.rect(0, film.top + film.height - 4, film.width, 4, "accent")
        film.root[-1].attrib["class"] += f" {PROGRESS}"
        style = ET.Element("style")
        style.text = classes.rules(pace)
        film.root.insert(0, style)
    return film


# ------------------------------------------------------------------------------------------------ merging


class _Part(NamedTuple):
    """An element of one picture. `key`: how it looks, of a group without what is in it; `whole`: with that."""

    key: tuple[Any, ...]
    whole: tuple[Any, ...]
    element: ET.Element
    parts: Sequence[_Part]


def _parts(element: ET.Element) -> list[_Part]:
    """The element; what stands in it, where it is a group that changes nothing of how that looks."""
    if element.tag != "g":
        told = _told(element)
        return [_Part(told, told, element, ())]
    inner = [part for child in element for part in _parts(child)]
    looks = _looks(element)
    if not looks or not inner:
        return inner
    return [_Part(looks, (looks, *[part.whole for part in inner]), element, inner)]


def _looks(element: ET.Element) -> tuple[tuple[str, str], ...]:
    """Its attributes, without those by which front ends find things: they are no use here."""
    return tuple(
        [(key, value) for key, value in element.items() if key[:5] != "data-" and (key != "id" or value == CAPTION)]
    )


def _told(element: ET.Element) -> tuple[Any, ...]:
    return (element.tag, _looks(element), element.text, *[_told(inner) for inner in element])


def _clean(element: ET.Element) -> None:
    looks = _looks(element)
    element.attrib.clear()
    element.attrib.update(looks)
    for inner in element:
        _clean(inner)


class _Node:
    """An element of the animation, with a bit for each still that it is seen in."""

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
        """As it looks in the still of this number, and from there on."""
        if not self._whole:
            self._since = number
        elif part.whole == self._whole:
            return
        self._whole = part.whole
        keys = [each.key for each in part.parts]
        if keys != [node.key for node in self._now]:
            before, self._now = self._now, self._aligned(part.parts, keys)
            still_there = {id(node) for node in self._now}
            for node in before:
                if id(node) not in still_there:
                    node.end(number)
        for node, each in zip(self._now, part.parts, strict=True):
            node.show(each, number)

    def end(self, number: int) -> None:
        """It is not seen in the still of this number."""
        self.stills |= (1 << number) - (1 << self._since)
        for node in self._now:
            node.end(number)
        self._now, self._whole = [], ()

    def _aligned(self, parts: Sequence[_Part], keys: Sequence[tuple[Any, ...]]) -> list[_Node]:
        """The nodes of the parts; those that are new stand among the others so that each still keeps its order."""
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
        """Whether all that is in it is seen whenever it is."""
        return all(node.stills == self.stills and node.is_even() for node in self.inner)


def _written(node: _Node, stills: int, classes: _Classes) -> Iterator[ET.Element]:
    """What is in a node that is seen in these stills, or whose parts say when they are."""
    for seen, members in groupby(node.inner, lambda inner: inner.stills if inner.is_even() else None):
        elements = [element for member in members for element in _element(member, seen, classes)]
        if seen is None or seen == stills:
            yield from elements
        else:
            shared = ET.Element("g", {"class": classes[seen]})
            shared.extend(elements)
            yield shared


def _element(node: _Node, seen: int | None, classes: _Classes) -> Iterator[ET.Element]:
    """The element with what is in it."""
    if node.inner:
        every = classes.every if seen is None else seen
        node.element.extend(list(_written(node, every, classes)))
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
        """Their animations."""
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
    """Where what is seen in these stills appears, and where it disappears."""
    shown = [stills >> number & 1 for number in range(len(at))]
    changes = [number for number, now in enumerate(shown) if number == 0 or now != shown[number - 1]]
    places = {state: ",".join(at[number] for number in changes if shown[number] == state) for state in (1, 0)}
    words = {1: "visible", 0: "hidden"}
    return "".join(f"{where}{{visibility:{words[state]}}}" for state, where in places.items() if where)
