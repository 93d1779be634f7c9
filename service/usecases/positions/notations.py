"""What callers give as notation, read; and how it is refused where it cannot be."""

from __future__ import annotations

from service.games.errors import GameError
from service.games.game_text import POSITION, read_record
from service.rulesets.notation import Codec, UnreadableTextError, read, token_at
from service.rulesets.wire import Json


def read_notation(codec: Codec, text: str, pointer: str) -> Json:
    """What stands in a line that a member of the body is, as JSON. notation/unreadable."""
    try:
        value: Json = read(codec, text)
    except UnreadableTextError as fault:
        raise refused(fault, text, pointer) from None
    return value


def read_position(text: str) -> Json:
    """The position in a body's `position_notation`; whether there is such a position is still to be judged."""
    return read_notation(POSITION, text, "/position_notation")


def read_game(text: str) -> Json:
    """The record of a game, of a body that is its text. notation/unreadable."""
    try:
        return read_record(text)
    except UnreadableTextError as fault:
        raise refused(fault, text, "") from None


def refused(fault: UnreadableTextError, text: str, pointer: str) -> GameError:
    """The refusal, with the place and what stands there. Lines and columns count from 1."""
    line, column = fault.line + 1, fault.at + 1
    expected = f"expected {fault.expected}"
    return GameError(
        "notation/unreadable",
        f"Line {line}, column {column}: {expected}.",
        errors={pointer: expected},
        line=line,
        column=column,
        token=token_at(text.split("\n")[fault.line], fault.at),
        field=fault.pointer,
    )
