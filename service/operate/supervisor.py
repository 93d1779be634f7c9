"""The supervisor: starts programs in order, restarts what dies, ends them in reverse order.

Ready-made ones (honcho and its kin) end everything at once, Redis first, so the last moves have nowhere to
go. This one is a single loop in a single thread: wait for output, a signal or a moment; look at every child;
do what is due. One thread, because a child is tied to the thread that started it (see `parent_death`), and
because a loop with no locks can be read from top to bottom.

A child that dies is started again after 0.2 s, then 0.4 s, … up to 5 s; a child that lived 30 s starts over
at 0.2 s. One that dies three times before it was ready for the first time will not get better: the supervisor
says so and ends, unless the rest can do without it. Every child leads its own process group, and what is left of the
group when its leader dies is killed with it: an orphaned web process would hold the port.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import IO, TextIO

from service.operate.observability.output import Lines, Output
from service.operate.parent_death import tied_to_this_process
from service.operate.programs import Program

FIRST_DELAY_S = 0.2
LONGEST_DELAY_S = 5.0
HEALTHY_AFTER_S = 30.0
TRIES_BEFORE_READY = 3
LOOK_S = 0.2
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
OWN_NAME = "operate"


class Child:
    """One program and the process it is at the moment."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None
        self.was_ready = program.once  # nobody waits for it
        self.finished = False  # a `once` that has done its work, or will not get it done
        self.started_at = 0.0
        self.due_at = 0.0  # when it is to be started (again)
        self.delay_s = FIRST_DELAY_S
        self.deaths = 0

    @property
    def name(self) -> str:
        """The program's name."""
        return self.program.name

    def signal(self, number: int) -> None:
        """Sends `number` to the process; SIGKILL to its whole group, also after the leader's death."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if number == signal.SIGKILL:
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)


def describe_exit(status: int) -> str:
    """An exit status in words."""
    if status >= 0:
        return f"status {status}"
    try:
        return f"signal {-status} ({signal.Signals(-status).name})"
    except ValueError:
        return f"signal {-status}"


class Supervisor:
    """Runs a table of programs until a signal ends it.

    `greeting` gives the lines to print once, when everything has become ready. `run` returns the exit
    status: 0 after SIGTERM, SIGINT or SIGHUP, 1 when a program cannot be brought up. Use it in the main
    thread.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        stream: TextIO | None = None,
        greeting: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._children = [Child(program) for program in sorted(programs, key=lambda program: program.stage)]
        self._output = Output(stream or sys.stdout, [OWN_NAME, *(child.name for child in self._children)])
        self._greeting = greeting
        self._greeted = False
        self._ending: str | None = None
        self._status = 0
        self._selector = selectors.DefaultSelector()

    def run(self) -> int:
        """Starts, watches, ends; see the class."""
        reading, writing = os.pipe()
        for end in (reading, writing):
            os.set_blocking(end, False)
        self._selector.register(reading, selectors.EVENT_READ)
        before_fd = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        # SIGCHLD needs a handler, or the loop would hear of a death only at its next look.
        handlers = {number: signal.signal(number, self._on_signal) for number in (*ENDING_SIGNALS, signal.SIGCHLD)}
        try:
            while self._ending is None:
                self._look_after_all()
                if self._ending is None:
                    self._listen(LOOK_S)
            self._say(f"stopping: {self._ending}")
        finally:
            self._end_all()
            signal.set_wakeup_fd(before_fd)
            for number, handler in handlers.items():
                signal.signal(number, handler)
            self._selector.close()
            os.close(reading)
            os.close(writing)
        return self._status

    def _say(self, text: str) -> None:
        self._output.line(OWN_NAME, text)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if number in ENDING_SIGNALS and self._ending is None:
            self._ending = signal.Signals(number).name

    # Starting and watching

    def _look_after_all(self) -> None:
        """One look at every child: bury, start, ask whether it is ready. Later stages wait for
        earlier ones.
        """
        waiting_in: int | None = None
        for child in self._children:
            if waiting_in is not None and child.program.stage > waiting_in and child.process is None:
                continue
            self._look_after(child)
            if self._ending is not None:
                return
            if not child.was_ready:
                waiting_in = child.program.stage
        if waiting_in is None and not self._greeted:
            self._greeted = True
            for text in self._greeting():
                self._say(text)

    def _look_after(self, child: Child) -> None:
        if child.process is not None and child.process.poll() is not None:
            self._bury(child, child.process.returncode)
        if self._ending is not None or child.finished:
            return
        if child.process is None:
            if time.monotonic() >= child.due_at:
                self._start(child)
            return
        if not child.was_ready:
            child.was_ready = child.program.ready is None or child.program.ready()

    def _start(self, child: Child) -> None:
        if child.program.prepare is not None and (done := child.program.prepare()):
            self._say(done)
        process = subprocess.Popen(
            tied_to_this_process(child.program.argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **child.program.environment},
            pass_fds=child.program.descriptors,
            start_new_session=True,
        )
        child.process = process
        child.started_at = time.monotonic()
        assert process.stdout is not None  # stdout=PIPE  # noqa: S101  # stdout=PIPE
        os.set_blocking(process.stdout.fileno(), False)
        self._selector.register(process.stdout, selectors.EVENT_READ, (child.name, Lines(), process.stdout))

    def _bury(self, child: Child, status: int) -> None:
        """A process has ended: what now?"""
        lived_s = time.monotonic() - child.started_at
        child.signal(signal.SIGKILL)
        child.process = None
        if child.program.once and status == 0:
            child.finished = True
            return
        self._listen(0.0)  # its last words come before ours
        ended = f"{child.name} exited with {describe_exit(status)} after {lived_s:.1f} s"
        child.deaths += 1
        if child.program.once and child.deaths >= TRIES_BEFORE_READY:
            child.finished = True
            self._say(f"{ended}; continuing without it")
            return
        if not child.was_ready and child.deaths >= TRIES_BEFORE_READY:
            self._ending = f"{ended} before it was ready"
            self._status = 1
            return
        if lived_s >= HEALTHY_AFTER_S:
            child.delay_s = FIRST_DELAY_S
        child.due_at = time.monotonic() + child.delay_s
        self._say(f"{ended}; restarting in {child.delay_s:g} s")
        child.delay_s = min(child.delay_s * 2, LONGEST_DELAY_S)

    # Output

    def _listen(self, timeout_s: float) -> None:
        """Waits for output or a signal and passes on what has come."""
        for key, _events in self._selector.select(timeout_s):
            if key.data is None:
                with contextlib.suppress(BlockingIOError):
                    os.read(key.fd, 4096)
                continue
            self._pass_on(*key.data)

    def _pass_on(self, name: str, lines: Lines, pipe: IO[bytes]) -> None:
        try:
            data = os.read(pipe.fileno(), 65_536)
        except BlockingIOError:
            return
        for text in lines.feed(data):
            self._output.line(name, text)
        if not data:
            self._selector.unregister(pipe)
            pipe.close()

    # Ending

    def _end_all(self) -> None:
        """Ends the stages from the last to the first, each within its patience."""
        for stage in sorted({child.program.stage for child in self._children}, reverse=True):
            running = [child for child in self._children if child.program.stage == stage and child.process is not None]
            for child in running:
                child.signal(signal.SIGTERM)
            self._wait_for(running)
            for child in running:
                child.signal(signal.SIGKILL)
                child.process = None
        for _look in range(100):  # the last words
            self._listen(0.0)
        for key in list(self._selector.get_map().values()):
            if key.data is not None:
                key.data[2].close()

    def _wait_for(self, children: Sequence[Child]) -> None:
        since = time.monotonic()
        late: set[str] = set()
        for child in children:
            process = child.process
            while process is not None and process.poll() is None:
                if child.name not in late and time.monotonic() - since > child.program.patience_s:
                    self._say(f"{child.name} did not stop within {child.program.patience_s:g} s and was killed")
                    child.signal(signal.SIGKILL)
                    late.add(child.name)
                self._listen(0.05)
            self._say(f"{child.name} has stopped")
