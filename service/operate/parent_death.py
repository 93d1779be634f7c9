"""Run a program that ends with the process that started it.

A supervisor that is killed with SIGKILL cannot stop its children. An orphaned Redis would keep port, socket and data
directory. So the supervisor starts each child through this file.

On Linux, PR_SET_PDEATHSIG survives exec. This process requests SIGKILL for its parent's death and then becomes the
program, with the same process id. The kernel watches the parent's thread, so start children from the main thread. Redis
loses no acknowledged write, because it writes the append-only file before it answers.

On other systems, such as macOS, this process stays. It checks ten times a second whether its parent has changed, passes
signals on and kills the program's group.

`preexec_fn` would need three lines but can deadlock in a process with threads. The file runs by its path with `-I -S`,
without importing the package, which takes 15 ms.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType

PR_SET_PDEATHSIG = 1
PR_SET_NAME = 15
ORPHANED = 1  # exit status if the parent ended too early
POLL_S = 0.1


def tied_to_this_process(argv: Sequence[str], *, watch: bool | None = None) -> list[str]:
    """Return the command line that runs `argv` and ends with this process. `watch`: do not use prctl."""
    watch = not sys.platform.startswith("linux") if watch is None else watch
    how = "watch" if watch else "tie"
    return [sys.executable, "-I", "-S", os.path.abspath(__file__), how, str(os.getpid()), *argv]  # noqa: PTH100


def tie(parent: int) -> None:
    """Have the kernel kill this process when `parent` dies. Only on Linux.

    A forked child calls it itself. Exits if `parent` has already ended.
    """
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) was refused")
    if os.getppid() != parent:
        os._exit(ORPHANED)


def name_process(name: str) -> None:
    """Set the name that `ps` and `top` show for this process (15 characters). Only on Linux.

    A forked process otherwise has the command line of its parent.
    """
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode()[:15], 0, 0, 0)


def _watch(parent: int, argv: Sequence[str]) -> int:
    child: subprocess.Popen[bytes] | None = None
    early = list[int]()  # signals that arrive while the program starts

    def pass_on(number: int, _frame: FrameType | None) -> None:
        if child is None:
            early.append(number)
        else:
            child.send_signal(number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, pass_on)
    # close_fds=False passes on descriptors for the program, such as the lock of DATA_DIR. The program stays in this
    # process group, so killing the group kills both.
    child = subprocess.Popen(argv, close_fds=False)
    for missed in early:
        child.send_signal(missed)
    while child.poll() is None:
        if os.getppid() != parent:
            child.kill()
            if os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)
            return ORPHANED
        time.sleep(POLL_S)
    if child.returncode < 0:
        _end_like(-child.returncode)
    return child.returncode


def _end_like(number: int) -> None:
    """End by the signal, so that the supervisor can distinguish it from an exit status."""
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def main(arguments: Sequence[str]) -> int:
    """Run `parent_death.py tie|watch PARENT PROGRAM [ARGUMENT …]`. Return only if the program cannot be started."""
    how, parent, argv = arguments[0], int(arguments[1]), arguments[2:]
    try:
        if how == "watch":
            return _watch(parent, argv)
        tie(parent)
        os.execvp(argv[0], list(argv))  # noqa: S606
    except OSError as failed:
        print(f"{argv[0]} could not be started: {failed.strerror or failed}", file=sys.stderr, flush=True)
    return 127


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
