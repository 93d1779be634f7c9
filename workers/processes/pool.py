"""A pool of processes, forked from one that has loaded everything, so that they share memory.

A separate worker takes about 60 MB, one of a pool 7 to 9 MB. A process that ends is replaced, after a pause if it had
just started. A signal to the first process ends all of them, and none outlives it. On systems where forking is unsafe,
a single worker runs in the process itself.
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
PAUSE_S = 1.0  # before replacing a process that had lived for less than LONG_S
LONG_S = 2.0


def run(count: int, work: Callable[[int], None]) -> None:
    """Run `work(number)` for each number below `count` in its own process, until a signal raises SystemExit."""
    if count < 2 or not FORKS:
        work(0)
        return
    parent, children, since = os.getpid(), dict[int, int](), dict[int, float]()  # number by process id; by number
    try:
        while True:
            for number in sorted(set(range(count)) - set(children.values())):
                children[_fork(parent, number, work)] = number
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


def _fork(parent: int, number: int, work: Callable[[int], None]) -> int:
    """Fork a process that does the work and ends. Return its process id."""
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
    except Exception:  # noqa: BLE001 - printed; the parent replaces the process
        traceback.print_exc()
    finally:
        os._exit(status)
