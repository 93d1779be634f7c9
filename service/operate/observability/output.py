"""The one stream a person reads: every line of every child, with its name in front.

Children write when they like and not always whole lines; a terminal that mixes them is unreadable. So each
child has a pipe, its bytes are cut into lines here, and a line appears whole, behind an aligned name,
coloured on a terminal (never with NO_COLOR, see no-color.org).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TextIO

COLOURS = (36, 33, 35, 32, 34, 96, 93, 95, 92, 94)
LONGEST_LINE = 16_384  # bytes; what is longer is cut into several lines, so that memory stays bounded


def coloured(stream: TextIO) -> bool:
    """Whether `stream` wants colours."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


class Output:
    """Writes lines behind names. `names` are all that will occur, in the order of their colours."""

    def __init__(self, stream: TextIO, names: Iterable[str]) -> None:
        names = tuple(names)
        self._stream: TextIO | None = stream
        self._colour = coloured(stream)
        self._width = max((len(name) for name in names), default=0)
        self._colours = {name: COLOURS[at % len(COLOURS)] for at, name in enumerate(names)}

    def line(self, name: str, text: str) -> None:
        """One line of `name`. A reader that has gone away is no reason to end."""
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
    """Cuts the bytes of one child into lines."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes; empty `data` (the end) completes the last one. Empty
        lines are left out.
        """
        parts = (self._rest + data).split(b"\n")
        self._rest = b"" if not data else parts.pop()
        if len(self._rest) > LONGEST_LINE:
            parts.append(self._rest)
            self._rest = b""
        texts = (part.decode("utf-8", "replace").rstrip() for part in parts)
        return [text for text in texts if text]
