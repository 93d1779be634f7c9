"""Animations as a browser shows them: the visible elements at a moment.

The style rules are read without knowledge of how an animation is made: the keyframes of each class, and the latest of
them at a moment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from service.rulesets.pictures.animation import CAPTION, PROGRESS

SVG = "{http://www.w3.org/2000/svg}"
APART = ("title", "desc", "style", "defs")  # not painted themselves
MOVING = re.compile(r"az-(gone|left)-\d+")
STATES = {"visible": True, "hidden": False}
Seen = tuple[Any, ...]
"""The attributes around an element that change its appearance, and then the element itself."""


@dataclass
class Film:
    """An animation. `keyframes`: by class the percents of the time at which it becomes visible or hidden."""

    root: ET.Element
    keyframes: dict[str, list[tuple[float, bool]]]
    lasts_s: float
    times: str

    @property
    def moments(self) -> list[float]:
        """The percents at which something changes, where stills begin."""
        return sorted({0.0, *(at for changes in self.keyframes.values() for at, _ in changes)})

    def visible_elements(self, at: float | None) -> list[Seen]:
        """Return the visible elements at a percent of the time, in the order of painting. None: without motion."""

        def is_seen(name: str) -> bool:
            if at is None:
                return "gone" not in name
            return [seen for begins, seen in sorted(self.keyframes[name]) if begins <= at][-1]

        return list(_visible(self.root, is_seen))


def read(svg: str | bytes) -> Film:
    """Return the animation of a text."""
    root = ET.fromstring(svg)  # noqa: S314 - our own SVG
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
    """Return the visible elements of a still picture."""
    root = ET.fromstring(svg) if isinstance(svg, str) else svg  # noqa: S314 - our own
    return list(_visible(root, lambda _: True))


def _visible(root: ET.Element, is_seen: Callable[[str], bool]) -> Iterator[Seen]:
    shapes = _shapes(root)

    def walk(element: ET.Element, around: Seen) -> Iterator[Seen]:
        tag, attributes = _tag(element), _attributes(element)
        if MOVING.fullmatch(attributes.get("class", "")) and not is_seen(attributes.pop("class")):
            return
        if tag == "g":
            for child in element:
                yield from walk(child, (*around, *sorted(attributes.items())))
        else:
            stamped = shapes[attributes["href"].removeprefix("#")] if tag == "use" else ""
            inner = [_describe(child) for child in element]
            yield (*around, tag, *sorted(attributes.items()), element.text or "", *inner, stamped)

    for child in root:
        if not (_tag(child) in APART or child.attrib.get("id") == CAPTION or PROGRESS in child.attrib.get("class", "")):
            yield from walk(child, ())


def _tag(element: ET.Element) -> str:
    return element.tag.removeprefix(SVG)


def _attributes(element: ET.Element) -> dict[str, str]:
    unseen = ("id", "role", "aria-label")
    return {key: value for key, value in element.attrib.items() if key not in unseen and not key.startswith("data-")}


def _describe(element: ET.Element) -> str:
    inner = [_describe(child) for child in element]
    return f"{_tag(element)}{sorted(_attributes(element).items())}{element.text or ''}{inner}"


def _shapes(root: ET.Element) -> dict[str, str]:
    """Return a description of each shape in `defs`, by id."""
    return {shape.attrib["id"]: _describe(shape) for child in root if _tag(child) == "defs" for shape in child}
