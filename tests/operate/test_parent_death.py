"""Both ways to tie a program to its parent: it never outlives the process that started it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from service.operate.parent_death import tied_to_this_process
from tests.operate.conftest import ROOT, Running, is_alive
from tests.patience import HANG_S, wait_until

BY_PRCTL = pytest.param(False, marks=pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux"))
each_way = pytest.mark.parametrize("watch", [BY_PRCTL, True])

PARENT = """
import signal, subprocess, sys
from service.operate.parent_death import tied_to_this_process
sleeper = ["/bin/sh", "-c", "echo pid $$; exec sleep infinity"]
child = subprocess.Popen(tied_to_this_process(sleeper, watch=sys.argv[1] == "True"), process_group=0)
signal.pause()
"""


@each_way
def test_a_program_dies_when_its_parent_is_killed(watch: bool, run: Callable[..., Running]) -> None:  # noqa: FBT001
    parent = run("-c", PARENT, str(watch))
    assert parent.prints("pid ")
    pid = int(parent.output.split()[-1])
    assert is_alive(pid)
    parent.process.kill()
    wait_until(lambda: not is_alive(pid))


@each_way
def test_status_and_output_are_passed_on(watch: bool) -> None:  # noqa: FBT001
    argv = tied_to_this_process(["/bin/sh", "-c", "echo hello; exit 7"], watch=watch)
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (7, "hello\n")


@each_way
def test_a_signal_is_passed_on_and_a_death_by_it_is_reported(watch: bool) -> None:  # noqa: FBT001
    argv = tied_to_this_process(["/bin/sh", "-c", "echo up; exec sleep infinity"], watch=watch)
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, process_group=0) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "up\n"
        child.terminate()
        assert child.wait(HANG_S) == -signal.SIGTERM


SIGNALLED_EARLY = """
import os, signal, subprocess, sys
from service.operate import parent_death
start = subprocess.Popen
def start_and_signal(*arguments, **more):
    child = start(*arguments, **more)
    os.kill(os.getpid(), signal.SIGTERM)
    return child
subprocess.Popen = start_and_signal
sys.exit(parent_death.main(["watch", str(os.getppid()), "sleep", "infinity"]))
"""


def test_a_signal_during_the_start_of_the_program_reaches_it() -> None:
    command = [sys.executable, "-c", SIGNALLED_EARLY]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=HANG_S, check=False)  # its output is closed
    assert -signal.SIGTERM == done.returncode


@each_way
def test_missing_program_is_reported(watch: bool) -> None:  # noqa: FBT001
    done = subprocess.run(
        tied_to_this_process(["/nowhere/at-all"], watch=watch), capture_output=True, text=True, check=False
    )
    assert done.returncode == 127
    assert "/nowhere/at-all could not be started" in done.stderr


def test_program_does_not_start_if_its_parent_is_already_dead() -> None:
    argv = tied_to_this_process(["/bin/echo", "ran"], watch=False)
    argv[argv.index("tie") + 1] = "999999999"
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.stdout == ""
