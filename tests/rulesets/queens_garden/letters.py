"""Hexagons and pieces in letters, and as JSON.

A hexagon is two characters: its colour (``b`` blue, ``d`` dark green, ``l`` light green, ``y`` yellow, ``p`` light
purple, ``k`` dark purple) and its value: ``b1`` is the blue tree, ``k6`` the dark purple bellflower. The pieces of a
storage, payment or discard are one line: ``"b1 d2 ^y3 **"`` are two tiles, the expansion that shows the yellow
butterfly and two jokers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Json = dict[str, Any]

VARIANTS = ("standard", "reverse")
COLOURS = ("blue", "dark_green", "light_green", "yellow", "light_purple", "dark_purple")
PATTERNS = ("tree", "bird", "butterfly", "flower", "plant", "bellflower")
ORDER = "bdlypk"
HEXAGONS = tuple(f"{letter}{value}" for letter in ORDER for value in range(1, 7))
COPIES, ALL_EXPANSIONS, ROUNDS = 3, 36, 4
STACK_OF = {2: 5, 3: 7, 4: 8}
SUPPLY_OF = {2: 16, 3: 8, 4: 4}
SEED = bytes(range(32))


def hexagon(name: str) -> Json:
    """``"b1"`` -> on the wire."""
    return {"colour": COLOURS[ORDER.index(name[0])], "pattern": PATTERNS[int(name[1]) - 1]}


def name_of(json: Mapping[str, str]) -> str:
    """From the wire -> ``"b1"``."""
    return f"{ORDER[COLOURS.index(json['colour'])]}{PATTERNS.index(json['pattern']) + 1}"


def number_of(name: str) -> int:
    """Return the hexagon's number in draws."""
    return HEXAGONS.index(name)


def hexagon_numbers(names: str) -> tuple[int, ...]:
    """Hexagons -> their numbers in the order drawn, as `Position.deal` takes them."""
    return tuple(number_of(name) for name in names.split())


def in_order(names: Iterable[str]) -> list[str]:
    """Hexagons colour by colour, in each by value."""
    return sorted(names, key=number_of)


def hexagons(names: str) -> list[Json]:
    """Hexagons on the wire, in the order given."""
    return [hexagon(name) for name in names.split()]


def names_of(json: Iterable[Mapping[str, str]]) -> str:
    """Hexagons from the wire as one line, in the order given."""
    return " ".join(name_of(each) for each in json)


def counts(names: str | Iterable[str]) -> Json:
    """Tiles -> counts by colour and pattern, zeros left out."""
    result: Json = {}
    for name in in_order(names.split() if isinstance(names, str) else names):
        json = hexagon(name)
        row = result.setdefault(json["colour"], {})
        row[json["pattern"]] = row.get(json["pattern"], 0) + 1
    return result


def tiles_in(heap: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return every tile by name, from counts by colour and pattern."""
    return [
        name_of({"colour": colour, "pattern": pattern})
        for colour, row in heap.items()
        for pattern, number in row.items()
        for _ in range(number)
    ]


def tiles_of(heap: Mapping[str, Mapping[str, int]]) -> str:
    """Return the tiles of counts as one line, in order."""
    return " ".join(in_order(tiles_in(heap)))


def pieces(line: str) -> Json:
    """``"b1 ^b2"`` -> tiles and expansions on the wire."""
    words = line.replace("*", "").split()
    return {
        "tiles": [hexagon(name) for name in in_order(word for word in words if word[0] != "^")],
        "expansions": [hexagon(name) for name in in_order(word[1:] for word in words if word[0] == "^")],
    }


def payment(line: str) -> Json:
    """``"b1 ^b2 **"`` -> the further pieces of a payment."""
    return {**pieces(line), "jokers": line.count("*")}


def line_of(tiles: Iterable[str], expansions: Iterable[str], jokers: int) -> str:
    """Return pieces as one line, in order."""
    stars = ["*" * jokers] if jokers else []
    return " ".join([*in_order(tiles), *(f"^{name}" for name in in_order(expansions)), *stars])
