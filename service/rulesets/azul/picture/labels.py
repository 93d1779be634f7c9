"""Accessible names of the places of a board: pattern lines, rows of the wall, and the floor line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from service.rulesets.pictures.drawing import Words
from service.rulesets.wire import Json

START_TOKEN = "start_token"  # noqa: S105 - one of cardboard


def line_label(words: Words, number: int, line: Json) -> str:
    """Return a pattern line with its tiles in words."""
    return words.format("pattern-line", number=number + 1, **line)


def wall_row_label(
    words: Words, number: int, row: Sequence[str | None], printed: Sequence[str] | Sequence[None]
) -> str:
    """Return a row of the wall in words, space by space. `printed`: its colours, or None for each space."""
    spaces = [
        words.format("colour", colour=colour) if colour else words.format("free-space", colour=free)
        for colour, free in zip(row, printed, strict=True)
    ]
    return words.format("wall-row", number=number + 1, spaces=", ".join(spaces))


def floor_label(words: Words, pieces: Sequence[str], penalties: Sequence[int]) -> str:
    """Return the floor line in words. `penalties`: points by the number of pieces."""
    tokens = [words["start-token"]] if START_TOKEN in pieces else []
    tiles = Counter(piece for piece in pieces if piece != START_TOKEN)
    return words.format(
        "floor-line", pieces=words.list_tiles(tiles, *tokens), losses=-penalties[min(len(pieces), len(penalties) - 1)]
    )
