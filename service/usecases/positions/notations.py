"""Read notation from requests, and report syntax errors."""

from __future__ import annotations

from service.games.errors import GameError
from service.games.game_text import POSITION, lines_of, read_record
from service.rulesets.notation import Codec, UnreadableTextError, read, token_at
from service.rulesets.wire import Json


def read_notation(codec: Codec, text: str, pointer: str) -> Json:
    """Return the value of a notation in a member of the body, without white space around it.

    Raises: notation/unreadable.
    """
    try:
        value: Json = read(codec, text.rstrip(), len(text) - len(text.lstrip()))
    except UnreadableTextError as fault:
        fault.line = text.count("\n", 0, fault.at)
        fault.at -= text.rfind("\n", 0, fault.at) + 1
        raise notation_error(fault, text, pointer) from None
    return value


def read_position(text: str) -> Json:
    """Return the position in `position_notation`, which is not validated yet."""
    return read_notation(POSITION, text, "/position_notation")


def read_game(text: str) -> Json:
    """Return the record of a game from its text. Raises: notation/unreadable."""
    try:
        return read_record(text)
    except UnreadableTextError as fault:
        raise notation_error(fault, text, "") from None


def notation_error(fault: UnreadableTextError, text: str, pointer: str) -> GameError:
    """Return the error with the position of the unreadable text. Lines and columns count from 1."""
    line, column = fault.line + 1, fault.at + 1
    expected = f"expected {fault.expected}"
    return GameError(
        "notation/unreadable",
        f"Line {line}, column {column}: {expected}.",
        errors={pointer: expected},
        line=line,
        column=column,
        token=token_at(lines_of(text)[fault.line], fault.at),
        field=fault.pointer,
    )
