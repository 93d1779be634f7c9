"""Notation: actions, draws and positions as short texts that people can read, send and paste.

What JSON tells in an object is a word here (an action, `3b4`) or a line (a position). A ruleset puts its notation
together from the codecs of this module. Each writes a JSON value as text and reads it back: `read(write(value))` is the
value again. They know the shape only: whether what was read can be is judged by its ruleset, as if it had been JSON.

The grammars stand in `service/guide/notation.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from service.rulesets.seats import MOST_SEATS
from service.rulesets.wire import Json

NOTHING = "-"  # an empty list or heap, and null
LONGEST_TOKEN = 40  # characters of a token that are told
LONGEST_LINE = 4_096  # characters; the longest position that can be has less than a thousand


class Unreadable(ValueError):  # noqa: N818 - it is a fact about the text
    """Text that is no notation. `expected`: what should stand at character `at`; `pointer`: what that is of, in JSON.

    `line` counts from 0, and so does `at` within it.
    """

    def __init__(self, expected: str, at: int, pointer: str = "", line: int = 0) -> None:
        super().__init__(expected)
        self.expected = expected
        self.at = at
        self.pointer = pointer
        self.line = line

    def within(self, name: str | int) -> Unreadable:
        """The same, of a member or an item of something larger."""
        return Unreadable(self.expected, self.at, f"/{name}{self.pointer}", self.line)


class Codec(Protocol):
    """A kind of value, and how it is written."""

    def write(self, value: Any) -> str:
        """The value as text."""

    def read(self, text: str, at: int) -> tuple[Any, int]:
        """The value that is written at this character, and the character after it. Unreadable."""


def read(codec: Codec, text: str, at: int = 0) -> Any:
    """The value that the text is, from a character to its end. Unreadable."""
    if len(text) > LONGEST_LINE:
        raise Unreadable(f"the end, after {LONGEST_LINE} characters at most", LONGEST_LINE)
    value, end = codec.read(text, at)
    if end < len(text):
        raise Unreadable("the end", end)
    return value


def token_at(text: str, at: int) -> str:
    """What stands in a line from there to the next blank: the token at fault."""
    return text[at:].partition(" ")[0][:LONGEST_TOKEN]


def matched(pattern: re.Pattern[str], text: str, at: int, expected: str) -> re.Match[str]:
    """What the pattern matches there. Unreadable."""
    match = pattern.match(text, at)
    if match is None:
        raise Unreadable(expected, at)
    return match


# ------------------------------------------------------------------------------------------- single values


class Number:
    """A whole number."""

    pattern = re.compile("-?(?:0|[1-9][0-9]{0,8})")

    def write(self, value: int) -> str:
        """In decimal."""
        return str(value)

    def read(self, text: str, at: int) -> tuple[int, int]:
        """Of nine digits at most."""
        match = matched(self.pattern, text, at, "a whole number")
        return int(match[0]), match.end()


class Word:
    """One of some values, each with a word of its own."""

    def __init__(self, words: Mapping[Any, str]) -> None:
        """`words` by value; where several fit, the longest is read."""
        self.words = dict(words)
        self.values = {word: value for value, word in self.words.items()}
        longest_first = sorted(self.values, key=len, reverse=True)
        self.pattern = re.compile("|".join(map(re.escape, longest_first)))
        self.expected = f"one of: {' '.join(self.values)}"

    def write(self, value: Any) -> str:
        """Its word."""
        return self.words[value]

    def read(self, text: str, at: int) -> tuple[Any, int]:
        """The value of a word."""
        match = matched(self.pattern, text, at, self.expected)
        return self.values[match[0]], match.end()


def words(names: Sequence[str]) -> Word:
    """Names that are written as they are."""
    return Word({name: name for name in names})


def numbers(count: int) -> Word:
    """Numbers from 0, of which there are so many."""
    return Word({number: str(number) for number in range(count)})


class Rest:
    """Any text, to the end."""

    def write(self, value: str) -> str:
        """As it is."""
        return value

    def read(self, text: str, at: int) -> tuple[str, int]:
        """One character at least."""
        if at == len(text):
            raise Unreadable("a text", at)
        return text[at:], len(text)


def or_nothing(word: Word) -> Word:
    """The same, or null, which is written `-`."""
    return Word({**word.words, None: NOTHING})


PASSED = Word({True: "passed", False: NOTHING})
SEAT_OR_NOBODY = or_nothing(numbers(MOST_SEATS))


# ------------------------------------------------------------------------------------------- tiles


class Heap:
    """Counts by kind: a letter, and how many there are of it unless it is one: `b2yk12`."""

    def __init__(self, letters: Mapping[str, str]) -> None:
        """`letters` by kind."""
        self.letters = dict(letters)
        self.kinds = {letter: kind for kind, letter in letters.items()}
        self.pattern = re.compile(f"([{''.join(self.kinds)}])([1-9][0-9]{{0,2}})?")
        self.expected = f"tiles ({''.join(self.kinds)}) with their numbers, or {NOTHING}"

    def write(self, value: Mapping[str, int]) -> str:
        """In the order of the kinds."""
        counts = ((letter, value.get(kind, 0)) for kind, letter in self.letters.items())
        return "".join(letter + ("" if count == 1 else str(count)) for letter, count in counts if count) or NOTHING

    def read(self, text: str, at: int) -> tuple[Json, int]:
        """In any order; a kind that is told twice is added up."""
        if text.startswith(NOTHING, at):
            return {}, at + len(NOTHING)
        counts: Json = {}
        end = at
        while match := self.pattern.match(text, end):
            kind, end = self.kinds[match[1]], match.end()
            counts[kind] = counts.get(kind, 0) + int(match[2] or 1)
        if not counts:
            raise Unreadable(self.expected, at)
        return counts, end


class Tiles:
    """Tiles in their order, a letter each: `bby`; `groups_of` so many may be parted by `/`."""

    def __init__(self, letters: Mapping[str, str], groups_of: int = 0) -> None:
        """`letters` by kind."""
        self.letters = dict(letters)
        self.kinds = {letter: kind for kind, letter in letters.items()}
        self.groups_of = groups_of
        among = "".join(self.kinds)
        self.pattern = re.compile(f"[{among}]+(?:/[{among}]+)*")
        self.expected = f"tiles ({among}), or {NOTHING}"

    def write(self, value: Sequence[str]) -> str:
        """In groups, if there are any."""
        letters, size = "".join(self.letters[kind] for kind in value), self.groups_of or len(value) or 1
        return "/".join(letters[k : k + size] for k in range(0, len(letters), size)) or NOTHING

    def read(self, text: str, at: int) -> tuple[list[str], int]:
        """Parted anywhere."""
        if text.startswith(NOTHING, at):
            return [], at + len(NOTHING)
        match = matched(self.pattern, text, at, self.expected)
        return [self.kinds[letter] for letter in match[0] if letter != "/"], match.end()


class Row:
    """Spaces with a tile or none (null): a letter each, and a number for as many free ones: `b3k`."""

    def __init__(self, letters: Mapping[str, str]) -> None:
        """`letters` by kind."""
        self.letters = dict(letters)
        self.kinds = {letter: kind for kind, letter in letters.items()}
        self.pattern = re.compile(f"[1-9{''.join(self.kinds)}]+")
        self.expected = f"spaces: tiles ({''.join(self.kinds)}) and numbers of free ones"

    def write(self, value: Sequence[str | None]) -> str:
        """Free ones are counted together."""
        signs = ("." if tile is None else self.letters[tile] for tile in value)
        return re.sub(r"\.+", lambda free: str(len(free[0])), "".join(signs))

    def read(self, text: str, at: int) -> tuple[list[str | None], int]:
        """A space each, tiles and free ones alike."""
        match = matched(self.pattern, text, at, self.expected)
        spaces: list[str | None] = []
        for each in match[0]:
            spaces += [self.kinds[each]] if each in self.kinds else [None] * int(each)
        return spaces, match.end()


# ------------------------------------------------------------------------------------------- of several parts


class ListOf:
    """Several of one kind, parted by a character: `a/b/c`; `-` for none."""

    def __init__(self, item: Codec, separator: str) -> None:
        """`item` writes no `-` alone where the list can be empty."""
        self.item, self.separator = item, separator

    def write(self, value: Sequence[Any]) -> str:
        """One after the other."""
        return self.separator.join(map(self.item.write, value)) or NOTHING

    def read(self, text: str, at: int) -> tuple[list[Any], int]:
        """As many as there are."""
        items: list[Any] = []
        while not items or text.startswith(self.separator, at):
            at += len(self.separator) if items else 0
            try:
                item, at = self.item.read(text, at)
            except Unreadable as fault:
                if not items and text.startswith(NOTHING, at):
                    return [], at + len(NOTHING)
                raise fault.within(len(items)) from None
            items.append(item)
        return items, at


class Members:
    """An object: its members in a fixed order, parted by a string, maybe an empty one."""

    def __init__(self, members: Mapping[str, Codec], separator: str = "", before: str = "") -> None:
        """`before` stands before them all."""
        self.separator, self.before, self.members = separator, before, members

    def write(self, value: Mapping[str, Any]) -> str:
        """The members, whatever their order there."""
        return self.before + self.separator.join(codec.write(value[name]) for name, codec in self.members.items())

    def read(self, text: str, at: int) -> tuple[Json, int]:
        """All of them."""
        at = _past(self.before, text, at)
        value: Json = {}
        for name, codec in self.members.items():
            try:
                at = _past(self.separator, text, at) if value else at
                value[name], at = codec.read(text, at)
            except Unreadable as fault:
                raise fault.within(name) from None
        return value, at


def _past(literal: str, text: str, at: int) -> int:
    """The character after the literal."""
    if not text.startswith(literal, at):
        raise Unreadable("a blank" if literal == " " else literal, at)
    return at + len(literal)


REQUIRED = object()


class Prefixed:
    """A value behind a sign that says what it is; or nothing at all, if it is the usual one."""

    def __init__(self, sign: str, codec: Codec, usual: Any = REQUIRED) -> None:
        self.sign, self.codec, self.usual = sign, codec, usual

    def write(self, value: Any) -> str:
        """The usual one is left out."""
        return "" if value == self.usual else self.sign + self.codec.write(value)

    def read(self, text: str, at: int) -> tuple[Any, int]:
        """The usual one where the sign is not."""
        if self.usual is not REQUIRED and not text.startswith(self.sign, at):
            return self.usual, at
        return self.codec.read(text, _past(self.sign, text, at))


class Suffixed:
    """A value before a sign that closes it."""

    def __init__(self, codec: Codec, sign: str) -> None:
        self.codec, self.sign = codec, sign

    def write(self, value: Any) -> str:
        """With the sign."""
        return self.codec.write(value) + self.sign

    def read(self, text: str, at: int) -> tuple[Any, int]:
        """With the sign."""
        value, end = self.codec.read(text, at)
        return value, _past(self.sign, text, end)


@dataclass(frozen=True)
class Mapped:
    """A value that is written as another one: `out` makes it, `back` the value again (ValueError: what is expected)."""

    codec: Codec
    out: Callable[[Any], Any]
    back: Callable[[Any], Any]

    def write(self, value: Any) -> str:
        """As what `out` makes of it."""
        return self.codec.write(self.out(value))

    def read(self, text: str, at: int) -> tuple[Any, int]:
        """What `back` makes of it."""
        inner, end = self.codec.read(text, at)
        try:
            return self.back(inner), end
        except ValueError as error:
            raise Unreadable(str(error), at) from None


class Tagged:
    """One of several kinds of objects, known by their `type`. Each can be told from the others by its text."""

    def __init__(self, codecs: Mapping[str, Codec]) -> None:
        """By type."""
        self.codecs = dict(codecs)

    def write(self, value: Mapping[str, Any]) -> str:
        """By its type."""
        return self.codecs[value["type"]].write(value)

    def read(self, text: str, at: int) -> tuple[Json, int]:
        """The kind that reads the whole of the rest; where none does, that which comes farthest tells the fault."""
        faults: list[Unreadable] = []
        for type_, codec in self.codecs.items():
            try:
                value = read(codec, text, at)
            except Unreadable as fault:
                faults.append(fault)
            else:
                return {"type": type_, **value}, len(text)
        raise max(faults, key=lambda fault: fault.at)


@dataclass(frozen=True)
class Notation:
    """How a ruleset is written. A position begins with the ruleset's id and a blank."""

    action: Tagged
    draw: Tagged
    position: Codec


FIRST_SEAT = Members({"seat": numbers(MOST_SEATS)}, before="first:")
"""The draw that all rulesets have."""
