"""Notation: actions, draws and positions as short texts that people can read, send and paste.

An action is a word (`3b4`), a position is a line. Rulesets combine the codecs of this module. Each codec writes a JSON
value as text and reads it back: `read(write(value)) == value`. Codecs check only the shape; the ruleset validates the
result like JSON.

Grammars: `docs/reference/notation.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from service.rulesets.seats import MAX_SEATS
from service.rulesets.wire import Json

NOTHING = "-"  # an empty list or heap, or null
MAX_TOKEN = 40  # characters of a token in error messages
LONGEST_LINE = 4_096  # characters; possible positions have less than a thousand


class UnreadableTextError(ValueError):
    """Text that is not valid notation.

    `expected` says what is expected at character `at` of line `line`, both counted from 0: one of the `literals`, or
    the text of the `description`. `pointer` is the JSON pointer of the value.
    """

    def __init__(
        self, description: str, at: int, pointer: str = "", line: int = 0, literals: Sequence[str] = ()
    ) -> None:
        choice = f"one of: {' '.join(literals)}" if len(literals) > 1 else "".join(literals)
        self.expected = ", or ".join(filter(None, (choice, description)))
        super().__init__(self.expected)
        self.description = description
        self.literals = tuple(literals)
        self.at = at
        self.pointer = pointer
        self.line = line

    def with_parent(self, name: str | int) -> UnreadableTextError:
        """Return the same error with the name of a parent's member or item in the pointer."""
        return UnreadableTextError(self.description, self.at, f"/{name}{self.pointer}", self.line, self.literals)


def last_fault(faults: Sequence[UnreadableTextError]) -> UnreadableTextError:
    """Return one error for the faults that occur last in the text, with everything that is expected there.

    If their pointers differ, the error refers to the whole value.
    """
    at = max(fault.at for fault in faults)
    last = [fault for fault in faults if fault.at == at]
    literals = dict.fromkeys(literal for fault in last for literal in fault.literals)
    descriptions = dict.fromkeys(fault.description for fault in last if fault.description)
    pointers = {fault.pointer for fault in last}
    pointer = pointers.pop() if len(pointers) == 1 else ""
    return UnreadableTextError(", or ".join(descriptions), at, pointer, literals=[*literals])


class Codec(Protocol):
    """Reader and writer for a kind of value."""

    def write(self, value: Any) -> str:
        """Return the value as text."""

    def read(self, text: str, at: int) -> tuple[Any, int]:
        """Return the value at this character and the index after it. Raises UnreadableTextError."""


def read(codec: Codec, text: str, at: int = 0) -> Any:
    """Read a value from a character to the end of the text. Raises UnreadableTextError."""
    if len(text) > LONGEST_LINE:
        raise UnreadableTextError(f"the end after at most {LONGEST_LINE} characters", LONGEST_LINE)
    value, end = codec.read(text, at)
    if end < len(text):
        raise UnreadableTextError("the end", end)
    return value


def token_at(text: str, at: int) -> str:
    """Return the word at a character, or the word after it if the character is a space, for error messages."""
    return text[at:].lstrip(" ").partition(" ")[0][:MAX_TOKEN]


def match_at(pattern: re.Pattern[str], text: str, at: int, expected: str) -> re.Match[str]:
    """Match a pattern at a character. Raises UnreadableTextError."""
    match = pattern.match(text, at)
    if match is None:
        raise UnreadableTextError(expected, at)
    return match


# ------------------------------------------------------------------------------------------- single values


class Number:
    """An integer."""

    pattern = re.compile("-?(?:0|[1-9][0-9]{0,8})")

    def write(self, value: int) -> str:
        """Write in decimal."""
        return str(value)

    def read(self, text: str, at: int) -> tuple[int, int]:
        """Read at most nine digits."""
        match = match_at(self.pattern, text, at, "a whole number")
        return int(match[0]), match.end()


class Word:
    """One of several values, each with its own word."""

    def __init__(self, words: Mapping[Any, str]) -> None:
        """`words` by value. If several match, the longest is read."""
        self.words = dict(words)
        self.values = {word: value for value, word in self.words.items()}
        longest_first = sorted(self.values, key=len, reverse=True)
        self.pattern = re.compile("|".join(map(re.escape, longest_first)))

    def write(self, value: Any) -> str:
        """Return its word."""
        return self.words[value]

    def read(self, text: str, at: int) -> tuple[Any, int]:
        """Return the value of a word."""
        match = self.pattern.match(text, at)
        if match is None:
            raise UnreadableTextError("", at, literals=[*self.values])
        return self.values[match[0]], match.end()


def words(names: Sequence[str]) -> Word:
    """Return a codec for names that are written unchanged."""
    return Word({name: name for name in names})


def numbers(count: int) -> Word:
    """Return a codec for the numbers 0 to `count` - 1."""
    return Word({number: str(number) for number in range(count)})


class Rest:
    """Any text up to the end."""

    def write(self, value: str) -> str:
        """Return it unchanged."""
        return value

    def read(self, text: str, at: int) -> tuple[str, int]:
        """Read at least one character."""
        if at == len(text):
            raise UnreadableTextError("text", at)
        return text[at:], len(text)


def or_nothing(word: Word) -> Word:
    """Return a codec for the same words or null, which is `-`."""
    return Word({**word.words, None: NOTHING})


PASSED_WORD = Word({True: "passed", False: NOTHING})
SEAT_OR_NOBODY = or_nothing(numbers(MAX_SEATS))


# ------------------------------------------------------------------------------------------- tiles


class Heap:
    """Counts by kind: a letter, followed by the count unless it is 1, such as `b2yk12`."""

    def __init__(self, letters: Mapping[str, str]) -> None:
        """`letters` by kind."""
        self.letters = dict(letters)
        self.kinds = {letter: kind for kind, letter in letters.items()}
        self.pattern = re.compile(f"([{''.join(self.kinds)}])([1-9][0-9]{{0,2}})?")
        self.expected = f"tiles ({''.join(self.kinds)}) with counts, or {NOTHING}"

    def write(self, value: Mapping[str, int]) -> str:
        """Write in the order of the kinds."""
        counts = ((letter, value.get(kind, 0)) for kind, letter in self.letters.items())
        return "".join(letter + ("" if count == 1 else str(count)) for letter, count in counts if count) or NOTHING

    def read(self, text: str, at: int) -> tuple[Json, int]:
        """Read in any order. Repeated kinds are added up."""
        if text.startswith(NOTHING, at):
            return {}, at + len(NOTHING)
        counts: Json = {}
        end = at
        while match := self.pattern.match(text, end):
            kind, end = self.kinds[match[1]], match.end()
            counts[kind] = counts.get(kind, 0) + int(match[2] or 1)
        if not counts:
            raise UnreadableTextError(self.expected, at)
        return counts, end


class Tiles:
    """Tiles in order, one letter each, such as `bby`. Groups of `groups_of` tiles are separated by `/`."""

    def __init__(self, letters: Mapping[str, str], groups_of: int = 0, none: str | None = NOTHING) -> None:
        """`letters` by kind. `none`: the text of an empty list; None if the list cannot be empty."""
        self.letters = dict(letters)
        self.kinds = {letter: kind for kind, letter in letters.items()}
        self.groups_of, self.none = groups_of, none
        among = "".join(self.kinds)
        self.pattern = re.compile(f"[{among}]+(?:/[{among}]+)*" if groups_of else f"[{among}]+")
        self.expected = f"tiles ({among})" if none is None else f"tiles ({among}), or {none}"

    def write(self, value: Sequence[str]) -> str:
        """Write in groups, if the codec has them."""
        letters, size = "".join(self.letters[kind] for kind in value), self.groups_of or len(value) or 1
        return "/".join(letters[k : k + size] for k in range(0, len(letters), size)) or self.none or ""

    def read(self, text: str, at: int) -> tuple[list[str], int]:
        """Read separators at any place, if the codec has groups."""
        if self.none is not None and text.startswith(self.none, at):
            return [], at + len(self.none)
        match = match_at(self.pattern, text, at, self.expected)
        return [self.kinds[letter] for letter in match[0] if letter != "/"], match.end()


class Row:
    """Spaces: a letter for each tile, and the number of consecutive free spaces (null), such as `b3k`."""

    def __init__(self, letters: Mapping[str, str]) -> None:
        """`letters` by kind."""
        self.letters = dict(letters)
        self.kinds = {letter: kind for kind, letter in letters.items()}
        self.pattern = re.compile(f"[1-9{''.join(self.kinds)}]+")
        self.expected = f"spaces: tiles ({''.join(self.kinds)}) and counts of free spaces"

    def write(self, value: Sequence[str | None]) -> str:
        """Count consecutive free spaces together."""
        signs = ("." if tile is None else self.letters[tile] for tile in value)
        return re.sub(r"\.+", lambda free: str(len(free[0])), "".join(signs))

    def read(self, text: str, at: int) -> tuple[list[str | None], int]:
        """Return one item per space."""
        match = match_at(self.pattern, text, at, self.expected)
        spaces: list[str | None] = []
        for each in match[0]:
            spaces += [self.kinds[each]] if each in self.kinds else [None] * int(each)
        return spaces, match.end()


# ------------------------------------------------------------------------------------------- of several parts


class ListOf:
    """Several values with a separator, such as `a/b/c`."""

    def __init__(self, item: Codec, separator: str, none: str | None = None) -> None:
        """`none`: the text of an empty list, which no item has; None if the list cannot be empty."""
        self.item, self.separator, self.none = item, separator, none

    def write(self, value: Sequence[Any]) -> str:
        """Write the items in order."""
        return self.separator.join(map(self.item.write, value)) or self.none or ""

    def read(self, text: str, at: int) -> tuple[list[Any], int]:
        """Read all items."""
        items: list[Any] = []
        while not items or text.startswith(self.separator, at):
            at += len(self.separator) if items else 0
            try:
                item, at = self.item.read(text, at)
            except UnreadableTextError as fault:
                if not items and self.none is not None and text.startswith(self.none, at):
                    return [], at + len(self.none)
                raise fault.with_parent(len(items)) from None
            items.append(item)
        return items, at


class Members:
    """An object: its members in a fixed order with a separator, which may be empty."""

    def __init__(self, members: Mapping[str, Codec], separator: str = "", before: str = "") -> None:
        """`before`: the text before the first member."""
        self.separator, self.before, self.members = separator, before, members

    def write(self, value: Mapping[str, Any]) -> str:
        """Write the members in the order of the codec."""
        return self.before + self.separator.join(codec.write(value[name]) for name, codec in self.members.items())

    def read(self, text: str, at: int) -> tuple[Json, int]:
        """Read all members."""
        at = _past(self.before, text, at)
        value: Json = {}
        for name, codec in self.members.items():
            try:
                at = _past(self.separator, text, at) if value else at
                value[name], at = codec.read(text, at)
            except UnreadableTextError as fault:
                raise fault.with_parent(name) from None
        return value, at


def _past(literal: str, text: str, at: int) -> int:
    """Return the index after the literal. Raises UnreadableTextError."""
    if text.startswith(literal, at):
        return at + len(literal)
    raise UnreadableTextError("a space", at) if literal == " " else UnreadableTextError("", at, literals=[literal])


REQUIRED = object()


class Prefixed:
    """A value after a sign, and before another (`after`) if any. The default value is omitted together with them."""

    def __init__(self, sign: str, codec: Codec, usual: Any = REQUIRED, after: str = "") -> None:
        self.sign, self.codec, self.usual, self.after = sign, codec, usual, after

    def write(self, value: Any) -> str:
        """Omit the default value."""
        return "" if value == self.usual else self.sign + self.codec.write(value) + self.after

    def read(self, text: str, at: int) -> tuple[Any, int]:
        """Return the default value if the sign is missing."""
        if self.usual is not REQUIRED and not text.startswith(self.sign, at):
            return self.usual, at
        value, end = self.codec.read(text, _past(self.sign, text, at))
        return value, _past(self.after, text, end)


@dataclass(frozen=True)
class Mapped:
    """A value written as another: `out` converts it, `back` converts back. Its ValueErrors say what is expected."""

    codec: Codec
    out: Callable[[Any], Any]
    back: Callable[[Any], Any]

    def write(self, value: Any) -> str:
        """Write the result of `out`."""
        return self.codec.write(self.out(value))

    def read(self, text: str, at: int) -> tuple[Any, int]:
        """Return the result of `back`."""
        inner, end = self.codec.read(text, at)
        try:
            return self.back(inner), end
        except ValueError as error:
            raise UnreadableTextError(str(error), at) from None


class Tagged:
    """One of several kinds of objects by `type`. Their texts must be distinguishable."""

    def __init__(self, codecs: Mapping[str, Codec]) -> None:
        """`codecs` by type."""
        self.codecs = dict(codecs)

    def write(self, value: Mapping[str, Any]) -> str:
        """Write with the codec of its type."""
        return self.codecs[value["type"]].write(value)

    def read(self, text: str, at: int) -> tuple[Json, int]:
        """Return the kind that reads the rest completely. Otherwise raise the `last_fault` of the kinds."""
        faults: list[UnreadableTextError] = []
        for type_, codec in self.codecs.items():
            try:
                value = read(codec, text, at)
            except UnreadableTextError as fault:
                faults.append(fault)
            else:
                return {"type": type_, **value}, len(text)
        raise last_fault(faults)


@dataclass(frozen=True)
class Notation:
    """The notation of a ruleset. A position starts with the ruleset's id and a space."""

    action: Tagged
    draw: Tagged
    position: Codec


FIRST_SEAT = Members({"seat": numbers(MAX_SEATS)}, before="first:")
"""The draw that all rulesets share."""
