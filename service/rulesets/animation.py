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
from typing import NamedTuple
from xml.etree import ElementTree as ET

from service.rulesets.drawing import CLASS, MARGIN, Sheet

CAPTION = "caption"
MOST_ROWS = 3
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
    return textwrap.wrap(words, letters, max_lines=MOST_ROWS, placeholder=" …")


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
    root = _Node(_Part("", ET.Element("svg"), ()))
    for count, film in enumerate(sheets, 1):
        for shape in film.defs:
            shapes.setdefault(shape.attrib["id"], shape)
        others = [part for child in film.root if child is not film.defs for part in _parts(child)]
        root.show(others, 1 << count - 1)
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
    """An element of one picture: a group by what it looks like, anything else with all that is in it."""

    key: str
    element: ET.Element
    parts: tuple[_Part, ...]


def _parts(element: ET.Element) -> Iterator[_Part]:
    """The element; what stands in it, where it is a group that changes nothing of how that looks."""
    if element.tag != "g":
        yield _Part(_told(element), element, ())
        return
    inner = tuple(part for child in element for part in _parts(child))
    looks = {key: value for key, value in element.attrib.items() if _is_seen(key, value)}
    if not looks:
        yield from inner
    elif inner:
        yield _Part(str(looks), ET.Element("g", looks), inner)


def _is_seen(key: str, value: str) -> bool:
    """What front ends find things by is no use in a film."""
    return value == CAPTION if key == "id" else not key.startswith("data-")


def _told(element: ET.Element) -> str:
    for key in [key for key, value in element.attrib.items() if not _is_seen(key, value)]:
        del element.attrib[key]
    inner = "".join(map(_told, element))
    return f"{element.tag}{element.attrib}{element.text or ''}{inner}"


class _Node:
    """An element of the film: a bit for each still in which it is seen, what is in it, and what of that is seen now."""

    __slots__ = ("_now", "element", "inner", "key", "stills")

    def __init__(self, part: _Part) -> None:
        self.key, self.element, self.stills = part.key, part.element, 0
        self.inner: list[_Node] = []
        self._now: list[_Node] = []

    def show(self, parts: Sequence[_Part], still: int) -> None:
        """In this still, too, with these parts."""
        self.stills |= still
        keys = [part.key for part in parts]
        if keys != [node.key for node in self._now]:
            self._now = self._aligned(parts, keys)
        for node, part in zip(self._now, parts, strict=True):
            node.show(part.parts, still)

    def _aligned(self, parts: Sequence[_Part], keys: list[str]) -> list[_Node]:
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
