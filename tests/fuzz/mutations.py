"""Damage to good input.

Randomly damaged input is mostly rejected by its form, so most damage to JSON is plausible: a number changes a little, a
piece moves (one less here, one more there), a value comes from a field of the same name in this or another document.
The rest is rough: unexpected types, lengths and numbers; members that are missing, repeated, or from another game. Text
and bytes are damaged as disks, networks and programs do it: flipped, cut, repeated, inserted.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Place = tuple[Any, Any]  # an object or array, and the name or index of a value
By_name = dict[str, list[Any]]

LONG = "ö" * 70_000
NUMBERS = (
    *(-1, 0, 1, 2, 3, 4, 5, 7, 12, 20, 127, 128, 255, 256, 999, 1000, 32767, 32768, 65535, 65536),
    *(2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30, -(2**31), -(2**63), -(2**64)),
    *(0.0, -0.0, 0.5, 1.0, 1.5, 3.0, 1e300, -1e300, 5e-324, float("nan"), float("inf"), float("-inf")),
)
TEXTS = (
    "",
    " ",
    "0",
    "1",
    "null",
    "true",
    "\0",
    "\n",
    "a/b~c",
    "𝔸🎲",
    "\u202e",
    "İ",
    "²",
    "seat_9",
    "factory_99",
    LONG,
)
MOMENTS = (
    *("0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59.999Z", "2026-01-01", "20260101T000000"),
    *("2026-01-01T00:00:00", "2026-01-01T00:00:00+23:59", "2026-W01-1", "2026-13-01T00:00:00Z", "2026-01-01 00:00Z"),
)
ODD: tuple[tuple[Any, ...], ...] = (
    (None, True, False),
    NUMBERS,
    (*TEXTS, *MOMENTS),
    ([], {}, [[]], [{}], {"": {}}, [None] * 50, {"type": "no such"}),
)
DEEPEST = 60  # deeper than bodies may be and any good input is
MORE = 0.4  # probability of further damage


def places(value: Any) -> Iterator[Place]:
    """Yield every place of a JSON value, outer ones first."""
    waiting = [value]
    for outer in waiting:
        named = outer.items() if isinstance(outer, dict) else enumerate(outer)
        for name, inner in named:
            yield outer, name
            if isinstance(inner, (dict, list)) and inner:
                waiting.append(inner)


def by_name(values: Sequence[Any]) -> By_name:
    """Return the distinct values of each name in good inputs."""
    results: dict[str, dict[str, Any]] = {}
    for value in values:
        for outer, name in places(value):
            if isinstance(name, str):
                results.setdefault(name, {}).setdefault(repr(outer[name]), outer[name])
    return {name: list(values.values()) for name, values in results.items()}


class Damage:
    """Damage JSON. `known`: the values of each name in good inputs of any game."""

    def __init__(self, dice: random.Random, known: Mapping[str, Sequence[Any]]) -> None:
        self.dice = dice
        self.known = known
        self.names = sorted(known)

    def json(self, good: Any) -> Any:
        """Return the value with at least one damage. The good one is unchanged."""
        root = [copy.deepcopy(good)]
        self._damage_once(root)
        while self.dice.random() < MORE:
            self._damage_once(root)
        return root[0]

    def _damage_once(self, root: list[Any]) -> None:
        """Damage one place below the root, which is the only item of a list."""
        where = [*places(root[0])] if isinstance(root[0], (dict, list)) else []
        if not where or self.dice.random() < 0.005:
            root[0] = self._odd()
            return
        damage = self.dice.choices(KINDS, WEIGHTS)[0]
        damage(self, where)

    def _find_place(self, where: list[Place], kind: Callable[[Any], bool] = lambda _: True) -> Place | None:
        """Return a random place whose value is of a kind, or None."""
        for _ in range(20):  # nearly always one of the first fits
            outer, name = self.dice.choice(where)
            if _exists(outer, name) and kind(outer[name]):
                return outer, name
        return None

    def _odd(self) -> Any:
        return copy.deepcopy(self.dice.choice(self.dice.choice(ODD)))

    # ------------------------------------------------------------------------------------- plausible

    def nudge(self, where: list[Place]) -> None:
        """Change a number a little."""
        if results := self._find_place(where, _is_whole):
            results[0][results[1]] += self.dice.choice((-2, -1, -1, 1, 1, 2))

    def move(self, where: list[Place]) -> None:
        """Move a piece: of two numbers with the same name one loses what the other gains."""
        results = self._find_place(where, _is_whole)
        if results is None:
            return
        same = [
            place for place in where if place[1] == results[1] and _exists(*place) and _is_whole(place[0][place[1]])
        ]
        to = self.dice.choice(same)
        count = self.dice.randint(1, max(1, min(4, abs(results[0][results[1]]))))
        results[0][results[1]] -= count
        to[0][to[1]] += count
        if results[0][results[1]] == 0 and self.dice.random() < 0.8:  # as counts leave zeros out
            del results[0][results[1]]

    def misplace(self, where: list[Place]) -> None:
        """Take from a number in an object, and add it to another object."""
        results = self._find_place(where, _is_whole)
        other = self._find_place(where, lambda value: isinstance(value, dict))
        if results is None or other is None or not isinstance(results[1], str):
            return
        target = other[0][other[1]]
        count = self.dice.randint(1, max(1, min(4, abs(results[0][results[1]]))))
        results[0][results[1]] -= count
        if _is_whole(target.get(results[1], 0)):
            target[results[1]] = target.get(results[1], 0) + count
        if results[0][results[1]] == 0:
            del results[0][results[1]]

    def rename(self, where: list[Place]) -> None:
        """Replace a value by another of the same name in good inputs."""
        results = self._find_place(where)
        if results and isinstance(results[1], str) and results[1] in self.known:
            results[0][results[1]] = copy.deepcopy(self.dice.choice(self.known[results[1]]))

    def copy(self, where: list[Place]) -> None:
        """Replace a value by another of the same name in this input."""
        results = self._find_place(where)
        if results is None:
            return
        same = [place for place in where if place[1] == results[1] and _exists(*place)]
        outer, name = self.dice.choice(same)
        results[0][results[1]] = copy.deepcopy(outer[name])

    def swap(self, where: list[Place]) -> None:
        """Swap two values, mostly neighbours."""
        one = self._find_place(where)
        if one is None:
            return
        outer = one[0]
        names = [*outer] if isinstance(outer, dict) else [*range(len(outer))]
        other = (outer, self.dice.choice(names)) if self.dice.random() < 0.8 else self._find_place(where)
        if other is not None:
            held = copy.deepcopy(one[0][one[1]]), copy.deepcopy(other[0][other[1]])
            other[0][other[1]], one[0][one[1]] = held

    def turn(self, where: list[Place]) -> None:
        """Replace true by false, a value by null, or null by a value."""
        results = self._find_place(where, lambda value: value is None or isinstance(value, bool)) or self._find_place(
            where
        )
        if results is None:
            return
        value = results[0][results[1]]
        known = self.known.get(str(results[1]), (0,))
        turned = not value if isinstance(value, bool) else copy.deepcopy(self.dice.choice(known))
        results[0][results[1]] = turned if value is None or isinstance(value, bool) else None

    # ----------------------------------------------------------------------------------------- brute

    def replace(self, where: list[Place]) -> None:
        """Replace a value by something unexpected."""
        if results := self._find_place(where):
            results[0][results[1]] = self._odd()

    def exceed(self, where: list[Place]) -> None:
        """Replace a number by one that may be too large for its field."""
        if results := self._find_place(where, _is_whole):
            results[0][results[1]] = self.dice.choice(NUMBERS)

    def remove(self, where: list[Place]) -> None:
        """Remove a member or an item."""
        if results := self._find_place(where):
            del results[0][results[1]]

    def add(self, where: list[Place]) -> None:
        """Add a member or an item, perhaps from another game."""
        results = self._find_place(where, lambda value: isinstance(value, (dict, list)))
        if results is None:
            return
        name = self.dice.choice(self.names)
        value = copy.deepcopy(self.dice.choice(self.known[name])) if self.dice.random() < 0.7 else self._odd()
        outer = results[0][results[1]]
        if isinstance(outer, dict):
            outer[name if self.dice.random() < 0.9 else self.dice.choice(TEXTS)] = value
        else:
            outer.insert(self.dice.randint(0, len(outer)), value)

    def repeat(self, where: list[Place]) -> None:
        """Repeat an item or all items of an array, or shuffle it."""
        results = self._find_place(where, lambda value: isinstance(value, list) and bool(value))
        if results is None:
            return
        outer = results[0][results[1]]
        if self.dice.random() < 0.5:
            outer.insert(self.dice.randint(0, len(outer)), copy.deepcopy(self.dice.choice(outer)))
        elif self.dice.random() < 0.5:
            self.dice.shuffle(outer)
        else:
            outer.extend(copy.deepcopy(outer))

    def wrap(self, where: list[Place]) -> None:
        """Wrap a value in one or many arrays or objects."""
        if results := self._find_place(where):
            value = results[0][results[1]]
            for _ in range(self.dice.choice((1, 1, 2, 16, DEEPEST))):
                value = [value] if self.dice.random() < 0.5 else {str(results[1]): value}
            results[0][results[1]] = value


WEIGHTED: dict[Callable[[Damage, list[Place]], None], int] = {
    Damage.nudge: 20,
    Damage.move: 20,
    Damage.misplace: 8,
    Damage.rename: 20,
    Damage.copy: 8,
    Damage.swap: 8,
    Damage.turn: 6,
    Damage.replace: 16,
    Damage.exceed: 4,
    Damage.remove: 5,
    Damage.add: 5,
    Damage.repeat: 5,
    Damage.wrap: 3,
}
KINDS, WEIGHTS = [*WEIGHTED], [*WEIGHTED.values()]


def _exists(outer: Any, name: Any) -> bool:
    """Return whether the place still exists."""
    return name in outer if isinstance(outer, dict) else 0 <= name < len(outer)


def _is_whole(value: Any) -> bool:
    return type(value) is int


# ---------------------------------------------------------------------------------------- text and bytes


def text_of(dice: random.Random, value: Any) -> bytes:
    """Return JSON as a client may send it: mostly well-formed, otherwise damaged or in another encoding."""
    text = json.dumps(value, ensure_ascii=dice.random() < 0.5)
    way = dice.random()
    if way < 0.88:
        return text.encode("utf-8", "surrogatepass")
    if way < 0.92:
        return _twice(dice, text).encode()
    if way < 0.97:
        return damaged_bytes(dice, text.encode(), [text.encode()])
    encoding = dice.choice(("utf-8-sig", "utf-16", "utf-32", "utf-7"))
    nested = "[" * 100_000 if dice.random() < 0.3 else text
    return nested.encode(encoding, "surrogatepass") if encoding != "utf-7" else nested.encode(encoding, "replace")


def _twice(dice: random.Random, text: str) -> str:
    """Return an object that contains its first member twice, with different values."""
    name, colon, rest = text[1:].partition(":")
    if not text.startswith("{") or not colon:
        return text
    other = json.dumps(dice.choice([odd for kind in ODD for odd in kind if odd != LONG]))
    return "{" + f"{name}:{other},{name}:{rest}"


def damaged_bytes(dice: random.Random, good: bytes, others: Sequence[bytes]) -> bytes:
    """Return damaged bytes. `others`: sources of parts."""
    content = bytearray(good)
    dice.choice(BYTES)(dice, content, others)
    while dice.random() < MORE:
        dice.choice(BYTES)(dice, content, others)
    return bytes(content)


def _range(dice: random.Random, content: bytes | bytearray) -> slice:
    begin = dice.randint(0, len(content))
    return slice(begin, min(len(content), begin + dice.choice((1, 1, 2, 4, 8, 16, 64, 1024))))


def _flip(dice: random.Random, content: bytearray, _: Sequence[bytes]) -> None:
    if content:
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)


def _set(dice: random.Random, content: bytearray, _: Sequence[bytes]) -> None:
    if content:
        content[dice.randrange(len(content))] = dice.choice((0, 1, 2, 4, 5, 6, 7, 64, 127, 128, 254, 255))


def _blank(dice: random.Random, content: bytearray, _: Sequence[bytes]) -> None:
    part = _range(dice, content)
    content[part] = bytes([dice.choice((0, 255))]) * (part.stop - part.start)


def _truncate(dice: random.Random, content: bytearray, _: Sequence[bytes]) -> None:
    del content[dice.randint(0, len(content)) :]


def _lose(dice: random.Random, content: bytearray, _: Sequence[bytes]) -> None:
    del content[_range(dice, content)]


def _repeat(dice: random.Random, content: bytearray, _: Sequence[bytes]) -> None:
    part = _range(dice, content)
    content[part.stop : part.stop] = content[part]


def _insert(dice: random.Random, content: bytearray, _: Sequence[bytes]) -> None:
    at = dice.randint(0, len(content))
    content[at:at] = dice.randbytes(dice.randint(1, 16))


def _splice(dice: random.Random, content: bytearray, others: Sequence[bytes]) -> None:
    """Insert the same part of another input, or all of it."""
    other, part = dice.choice(others), _range(dice, content)
    content[part] = other[part] if dice.random() < 0.9 else other


BYTES = (_flip, _flip, _set, _set, _blank, _truncate, _lose, _repeat, _insert, _splice)
