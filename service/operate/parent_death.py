"""Runs a program that cannot outlive the process that started it.

Why: a supervisor that is killed with −9 gets no chance to end its children. A Redis left behind would keep
port, socket and data directory; workers left behind would work for nobody. So each child is started through
this file.

On Linux the kernel does it: PR_SET_PDEATHSIG survives exec, so this process asks for SIGKILL at its parent's
death and *becomes* the program (same process id). The kernel looks at the parent's *thread*: start children
from the main thread. Redis loses nothing by SIGKILL: its answers leave after the append-only file was
written.

Elsewhere (macOS) nothing of the kind exists: this process stays, looks ten times a second whether its parent
changed, passes signals on and kills the program's group.

`preexec_fn` would do the same in three lines and may deadlock in a process with threads. The file is run by
its path with `-I -S`, without importing the package: that costs 15 ms.
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
ORPHANED = 1  # exit status when the parent was gone before the tie was made
POLL_S = 0.1


def tied_to_this_process(argv: Sequence[str], *, watch: bool | None = None) -> list[str]:
    """The command line that runs `argv` and ends it with this process. `watch` forces the variant without prctl."""
    watch = not sys.platform.startswith("linux") if watch is None else watch
    how = "watch" if watch else "tie"
    return [sys.executable, "-I", "-S", os.path.abspath(__file__), how, str(os.getpid()), *argv]  # noqa: PTH100


def tie(parent: int, deadly: int = signal.SIGKILL) -> None:
    """Asks the kernel to send `deadly` to this process when `parent` dies; Linux only, elsewhere it does
    nothing.

    For processes that fork by themselves: call it in the child. Exits at once when `parent` is already
    gone.
    """
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(PR_SET_PDEATHSIG, int(deadly), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) was refused")
    if os.getppid() != parent:
        os._exit(ORPHANED)


def name_process(name: str) -> None:
    """Names this process, as `ps` and `top` show it (15 characters); Linux only, elsewhere it does nothing.

    For processes that are forked: their command line is that of the process they were forked from.
    """
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode()[:15], 0, 0, 0)


def _watch(parent: int, argv: Sequence[str]) -> int:
    child: subprocess.Popen[bytes] | None = None
    early = list[int]()  # signals that arrive while the program is started

    def pass_on(number: int, _frame: FrameType | None) -> None:
        if child is None:
            early.append(number)
        else:
            child.send_signal(number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, pass_on)
    # close_fds=False: descriptors meant for the program (the lock of DATA_DIR) came through us. The program
    # stays in our process group, so that killing the group kills both.
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
    """Ends by signal `number`, so that the supervisor can tell a signal from an exit status."""
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def main(arguments: Sequence[str]) -> int:
    """`parent_death.py tie|watch PARENT PROGRAM [ARGUMENT …]`; returns only when the program could not be run."""
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
