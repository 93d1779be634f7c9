"""The output of all programs in one stream.

Each program writes into its own pipe. This module splits the bytes into lines, so that lines of different programs are
not mixed, and puts the program's name in front. Names are coloured on a terminal, unless NO_COLOR is set
(no-color.org).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TextIO

COLOURS = (36, 33, 35, 32, 34, 96, 93, 95, 92, 94)
MAX_LINE_BYTES = 16_384  # longer lines are split, to limit memory


def has_colours(stream: TextIO) -> bool:
    """Return whether the stream shows colours."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


class Output:
    """Writes lines with names. `names`: all possible names, in the order of their colours."""

    def __init__(self, stream: TextIO, names: Iterable[str]) -> None:
        names = tuple(names)
        self._stream: TextIO | None = stream
        self._colour = has_colours(stream)
        self._width = max((len(name) for name in names), default=0)
        self._colours = {name: COLOURS[at % len(COLOURS)] for at, name in enumerate(names)}

    def line(self, name: str, text: str) -> None:
        """Write a line. Errors are ignored, because a closed terminal must not stop the service."""
        if self._stream is None:
            return
        label = name.ljust(self._width)
        if self._colour:
            label = f"\x1b[{self._colours.get(name, 37)}m{label}\x1b[0m"
        try:
            self._stream.write(f"{label} | {text}\n")
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = None


class Lines:
    """Splits the bytes of one program into lines."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        """Return the completed lines without empty ones. Empty `data` means the end and completes the last line."""
        parts = (self._rest + data).split(b"\n")
        self._rest = parts.pop() if data else b""
        if len(self._rest) > MAX_LINE_BYTES:
            parts.append(self._rest)
            self._rest = b""
        texts = (part.decode("utf-8", "replace").rstrip() for part in parts)
        return [text for text in texts if text]
