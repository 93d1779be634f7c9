"""Run a command and write the processor seconds of everything it started, detached processes included.

    python3 .ci/measure.py FILE COMMAND...

This process becomes the reaper of orphans (Linux), so a descendant that detaches itself is still waited for and
counted. What still runs two minutes after the command has ended is killed. The exit status is the command's. FILE
gets one line: user and system seconds, and the number of processes that were killed.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
GRACE_S = 120.0  # protection against hangs: descendants may end by themselves after the command


def children() -> list[int]:
    """Return the process ids of the direct children of this process."""
    return [int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()]


def reap() -> int | None:
    """Return the process id of a child that has ended, 0 if all still run, or None if there is none."""
    try:
        return os.waitpid(-1, os.WNOHANG)[0]
    except ChildProcessError:
        return None


def end_orphans() -> int:
    """Wait for whatever is left, then kill it; return how many processes were killed."""
    killed: set[int] = set()
    deadline = time.monotonic() + GRACE_S
    while (running := reap()) is not None:
        if running:
            continue
        if time.monotonic() > deadline:
            killed.update(children())
            for pid in killed.intersection(children()):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    return len(killed)


def main() -> int:
    """Run the command and return its exit status."""
    file, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    pid = os.posix_spawnp(command[0], command, os.environ)
    status = None
    while status is None:
        ended, waited = os.waitpid(-1, 0)
        if ended == pid:
            status = os.waitstatus_to_exitcode(waited)
    left = end_orphans() if sys.platform == "linux" else 0
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    Path(file).write_text(f"{used.ru_utime + used.ru_stime:.0f} {left}\n", "utf-8")
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
