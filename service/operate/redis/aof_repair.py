"""Repair of the append-only file (AOF) before the server starts.

If the disk is full in the middle of a write, the server truncates the partial command. But it opens a file that it
creates during a rewrite without O_APPEND, so the next write starts after the old end. A hole of zeros remains between
two complete commands (valkey 9.1, Redis 7 and 8; `ftruncate` in `flushAppendOnlyFile`, `open` in
`openNewIncrAofForAppend`). The running server is not affected, but the next one rejects the file: "Bad file format".
Its own repair tool would drop all later commands.

The file contains every command, so removing zeros between two commands repairs it.
"""

from __future__ import annotations

import mmap
import os
import re
from pathlib import Path

HOLE = re.compile(rb"(?:\A|\r\n)\0+(?=[*#])")
"""A possible hole. A value can contain the same bytes."""
NOTE = re.compile(rb"#[^\r\n]*\r\n")
COUNT = re.compile(rb"\*([0-9]{1,10})\r\n")
SIZE = re.compile(rb"\$([0-9]{1,10})\r\n")
ZEROS = re.compile(rb"\0+")
APPEND_ONLY, RESTORED = "appendonlydir", "appendonlydir.restored"
"""The folder that the server loads, and its replacement during a restore (see `backups`)."""


def finish_restore(directory: Path) -> None:
    """Finish a restore that was killed after it moved the old state away. No server may use the directory."""
    restored, active = directory / RESTORED, directory / APPEND_ONLY
    if restored.exists() and not active.exists():
        restored.rename(active)


def remove_holes(directory: Path) -> int:
    """Remove the holes from the append-only files of a directory that no server uses. Return the number of bytes."""
    return sum(_repair_file(path) for path in sorted((directory / APPEND_ONLY).glob("*.incr.aof")))


def _repair_file(path: Path) -> int:
    if path.stat().st_size == 0:
        return 0
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = holes(data) if HOLE.search(data) is not None else []
        if not found:
            return 0
        repaired = path.with_name(f"{path.name}.repaired")
        with repaired.open("wb") as output:
            position = 0
            for start, end in found:
                output.write(data[position:start])
                position = end
            output.write(data[position:])
            output.flush()
            os.fsync(output.fileno())
    repaired.replace(path)
    return sum(end - start for start, end in found)


def holes(data: bytes | mmap.mmap) -> list[tuple[int, int]]:
    """Return start and end of each run of zeros between two commands. Stops at any other damage."""
    found, at = list[tuple[int, int]](), 0
    while at < len(data):
        zeros = ZEROS.match(data, at)
        if zeros is not None:
            at = zeros.end()
            if at < len(data):  # the server itself truncates zeros at the end
                found.append(zeros.span())
            continue
        end = _end_of_command(data, at)
        if end is None:
            break
        at = end
    return found


def _end_of_command(data: bytes | mmap.mmap, at: int) -> int | None:
    """Return the end of the command or annotation at this offset, or None if there is none."""
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
