"""Several workers out of one: a process that has everything in memory forks them, so that they share it.

A worker of its own takes some 60 MB, one of a pool 7 to 9 MB. A worker that ends is forked again, at once, or after a
pause where it had not lived long; a signal to the first process ends all, and none outlives it. Where forking is
unsafe, one worker works in the process itself.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable

from service.operate.parent_death import tie

FORKS = sys.platform.startswith("linux")
PAUSE_S = 1.0  # before a worker is forked again that had ended
LONG_S = 2.0  # after less than so long


def run(count: int, work: Callable[[int], None]) -> None:
    """Have `work(number)` done for all numbers below `count`, each in a process, until a signal raises SystemExit."""
    if count < 2 or not FORKS:
        work(0)
        return
    parent, children, since = os.getpid(), dict[int, int](), dict[int, float]()  # number by process id; by number
    try:
        while True:
            for number in sorted(set(range(count)) - set(children.values())):
                children[_forked(parent, number, work)] = number
                since[number] = time.monotonic()
            ended, _ = os.wait()
            number = children.pop(ended, 0)
            if time.monotonic() - since[number] < LONG_S:
                time.sleep(PAUSE_S)
    finally:
        for child in children:
            os.kill(child, signal.SIGTERM)
        for child in children:
            os.waitpid(child, 0)


def _forked(parent: int, number: int, work: Callable[[int], None]) -> int:
    """The id of a new process, which does the work and ends."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        tie(parent)
        work(number)
        status = 0
    except SystemExit:
        status = 0
    except Exception:  # noqa: BLE001 - logged; then it is the parent's business
        traceback.print_exc()
    finally:
        os._exit(status)
