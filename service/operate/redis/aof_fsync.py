"""`python -m service.operate.redis.aof_fsync FOLDER`: forces the append-only file there to disk, once a second.

Redis would do so itself (`appendfsync everysec`). But while a slow disk is still busy with the second before, it then
keeps what is written in its own memory, for two seconds at most, and answers all the same: killed in that moment, it
has lost what it has acknowledged. So Redis leaves it alone (`appendfsync no`) and gives each write to the kernel
before the answer, which keeps it whatever becomes of Redis, and this makes it outlast the machine.

Of the folder's files Redis appends to one; at a rewrite it forces the one before and whatever else it makes.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

EVERY_S = 1.0

force = getattr(os, "fdatasync", os.fsync)  # macOS has the latter alone


def force_all(folder: Path) -> None:
    """All that has been appended is on disk when this returns. OSError: the disk has failed."""
    for path in folder.glob("*.incr.aof"):
        with contextlib.suppress(FileNotFoundError):  # a rewrite has put another in its place
            descriptor = os.open(path, os.O_RDONLY)
            try:
                force(descriptor)
            finally:
                os.close(descriptor)


def main() -> None:
    """Go on until a signal; a disk that fails is told once, until it works again."""
    folder, failed = Path(sys.argv[1]), ""
    while True:
        began = time.monotonic()
        try:
            force_all(folder)
            failed = ""
        except OSError as error:
            if str(error) != failed:
                failed = str(error)
                print(f"cannot sync the append-only file to disk: {failed}", flush=True)
        time.sleep(max(0.0, began + EVERY_S - time.monotonic()))


if __name__ == "__main__":
    main()
