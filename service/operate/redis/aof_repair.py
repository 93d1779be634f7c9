"""The append-only file, mended before a server reads it.

When its disk is full in the middle of a write, the server cuts the half that it wrote off again. But a file that it has
begun while it ran, which it does with every rewrite, it does not open for appending: its next write goes to where the
half had ended, and a hole of zeros stays between two whole commands (valkey 9.1, Redis 7 and 8; `ftruncate` in
`flushAppendOnlyFile`, `open` without O_APPEND in `openNewIncrAofForAppend`). The running server does not mind; the next
one refuses to read the file: "Bad file format". The tool that comes with it would drop all that was written since.

All commands are there. So the zeros are taken out, where a command has ended and another begins, and nowhere else.
"""

from __future__ import annotations

import mmap
import os
import re
from pathlib import Path

HOLE = re.compile(rb"(?:\A|\r\n)\0+(?=[*#])")
"""What may be one; the same bytes may stand inside a value."""
NOTE = re.compile(rb"#[^\r\n]*\r\n")
COUNT = re.compile(rb"\*([0-9]{1,10})\r\n")
SIZE = re.compile(rb"\$([0-9]{1,10})\r\n")
ZEROS = re.compile(rb"\0+")
APPEND_ONLY, RESTORED = "appendonlydir", "appendonlydir.restored"
"""The folder that the server loads; and what takes its place in a restore (see `backups`)."""


def finish_restore(directory: Path) -> None:
    """End a restore that was killed after the old state was moved away. No server uses the directory."""
    new, place = directory / RESTORED, directory / APPEND_ONLY
    if new.exists() and not place.exists():
        new.rename(place)


def mend(directory: Path) -> int:
    """Take the holes out of the append-only files below this directory, which no server uses; how many bytes."""
    return sum(_mend_file(path) for path in sorted((directory / APPEND_ONLY).glob("*.incr.aof")))


def _mend_file(path: Path) -> int:
    if path.stat().st_size == 0:
        return 0
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if HOLE.search(data) is None:
            return 0
        damaged = holes(data)
        if not damaged:
            return 0
        mended = path.with_name(f"{path.name}.mended")
        with mended.open("wb") as writing:
            kept = 0
            for begin, end in damaged:
                writing.write(data[kept:begin])
                kept = end
            writing.write(data[kept:])
            writing.flush()
            os.fsync(writing.fileno())
    mended.replace(path)
    return sum(end - begin for begin, end in damaged)


def holes(data: bytes | mmap.mmap) -> list[tuple[int, int]]:
    """Where zeros stand between two commands: from, to. What comes after something else that is wrong is not read."""
    damaged, at = list[tuple[int, int]](), 0
    while at < len(data):
        zeros = ZEROS.match(data, at)
        if zeros is not None:
            at = zeros.end()
            if at < len(data):  # zeros at the very end are cut off by the server, as it should
                damaged.append(zeros.span())
            continue
        after = _after_command(data, at)
        if after is None:
            break
        at = after
    return damaged


def _after_command(data: bytes | mmap.mmap, at: int) -> int | None:
    """Where the command that begins here, or the note, has ended; None if none does."""
    note = NOTE.match(data, at)
    if note is not None:
        return note.end()
    count = COUNT.match(data, at)
    if count is None:
        return None
    at = count.end()
    for _ in range(int(count[1])):
        size = SIZE.match(data, at)
        if size is None:
            return None
        at = size.end() + int(size[1]) + 2
    return at if at <= len(data) else None
