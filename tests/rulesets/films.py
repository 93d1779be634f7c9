"""Animations as a browser reads them: which elements are seen at a moment.

The rules of style are read for themselves: of each class the keyframes, and at a moment the latest of them. So nothing
here knows how an animation is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from service.rulesets.pictures.animation import CAPTION, PROGRESS

SVG = "{http://www.w3.org/2000/svg}"
APART = ("title", "desc", "style", "defs")  # told, or shown by others
MOVING = re.compile(r"az-(gone|left)-\d+")
STATES = {"visible": True, "hidden": False}
Seen = tuple[Any, ...]
"""Whatever is around an element and changes how it looks, and then the element itself."""


@dataclass
class Film:
    """An animation. `keyframes`: by class the percent of the time from which on it is seen, or is not."""

    root: ET.Element
    keyframes: dict[str, list[tuple[float, bool]]]
    lasts_s: float
    times: str

    @property
    def moments(self) -> list[float]:
        """Percent at which something changes: where stills begin."""
        return sorted({0.0, *(at for changes in self.keyframes.values() for at, _ in changes)})

    def seen(self, at: float | None) -> list[Seen]:
        """What is seen at a percent of the time, in the order in which it is painted; None: where nothing moves."""

        def is_seen(name: str) -> bool:
            if at is None:
                return "gone" not in name
            return [seen for begins, seen in sorted(self.keyframes[name]) if begins <= at][-1]

        return list(_seen(self.root, is_seen))


def read(svg: str | bytes) -> Film:
    """An animation, from its text."""
    root = ET.fromstring(svg)  # noqa: S314 - our own
    rules = "".join(style.text or "" for style in root.iter(f"{SVG}style"))
    keyframes = {
        name: [
            (float(at.rstrip("%")), STATES[state])
            for places, state in re.findall(r"([\d.%,]+)\{visibility:(\w+)\}", inner)
            for at in places.split(",")
        ]
        for name, inner in re.findall(r"@keyframes (az-(?:gone|left)-\d+)\{((?:[^{}]+\{[^{}]+\})+)\}", rules)
    }
    animation = re.search(r"animation:([\d.]+)s step-end (\w+)", rules)
    assert animation is not None
    return Film(root, keyframes, float(animation[1]), animation[2])


def seen_of(svg: str | ET.Element) -> list[Seen]:
    """What is seen of a picture that does not move."""
    root = ET.fromstring(svg) if isinstance(svg, str) else svg  # noqa: S314 - our own
    return list(_seen(root, lambda _: True))


def _seen(root: ET.Element, is_seen: Callable[[str], bool]) -> Iterator[Seen]:
    shapes = _shapes(root)

    def walk(element: ET.Element, around: Seen) -> Iterator[Seen]:
        tag, looks = _tag(element), _looks(element)
        if MOVING.fullmatch(looks.get("class", "")) and not is_seen(looks.pop("class")):
            return
        if tag == "g":
            for child in element:
                yield from walk(child, (*around, *sorted(looks.items())))
        else:
            stamped = shapes[looks["href"].removeprefix("#")] if tag == "use" else ""
            inner = [_told(child) for child in element]
            yield (*around, tag, *sorted(looks.items()), element.text or "", *inner, stamped)

    for child in root:
        if not (_tag(child) in APART or child.attrib.get("id") == CAPTION or PROGRESS in child.attrib.get("class", "")):
            yield from walk(child, ())


def _tag(element: ET.Element) -> str:
    return element.tag.removeprefix(SVG)


def _looks(element: ET.Element) -> dict[str, str]:
    return {key: value for key, value in element.attrib.items() if key != "id" and not key.startswith("data-")}


def _told(element: ET.Element) -> str:
    return f"{_tag(element)}{sorted(_looks(element).items())}{element.text or ''}{[_told(inner) for inner in element]}"


def _shapes(root: ET.Element) -> dict[str, str]:
    """What each name stands for, in words that can be compared."""
    return {shape.attrib["id"]: _told(shape) for child in root if _tag(child) == "defs" for shape in child}
