"""`python -m service.operate.redis.aof_fsync FOLDER`: sync the append-only file to disk every second.

With `appendfsync everysec`, Redis syncs the file itself. But while a slow disk is busy, it keeps acknowledged writes in
its own memory for up to two seconds, and loses them if it is killed. So the configuration says `appendfsync no`. Redis
then passes each write to the kernel before it answers, so the write survives Redis, and this program makes it survive
the machine.

Redis appends to one file of the folder. During a rewrite it syncs the other files itself.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

EVERY_S = 1.0

force = getattr(os, "fdatasync", os.fsync)  # macOS has no fdatasync


def force_all(folder: Path) -> None:
    """Sync the append-only files in the folder. Raises OSError if the disk fails."""
    for path in folder.glob("*.incr.aof"):
        with contextlib.suppress(FileNotFoundError):  # a rewrite has replaced the file
            descriptor = os.open(path, os.O_RDONLY)
            try:
                force(descriptor)
            finally:
                os.close(descriptor)


def main() -> None:
    """Sync every second until a signal. A failure is printed once, until syncing works again."""
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
