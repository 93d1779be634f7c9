"""The supervisor: starts programs in order, restarts them when they die and stops them in reverse order.

Existing tools such as honcho stop all programs at once, so Redis would be gone before the last moves are stored. This
supervisor is one loop in one thread: wait for output, a signal or a timeout, check each child, do what is due. A child
is tied to the thread that started it (see `parent_death`), and a single thread needs no locks.

A dead child restarts after 0.2 s, then 0.4 s, up to 5 s. The delay is reset once a child has lived for 30 s. If a child
dies three times before it was ready, the supervisor stops with an error, unless the service works without it (`once`,
`optional`). Every child leads its own process group. The supervisor kills the rest of a group with its leader, because
an orphaned web process would keep the port.

SIGHUP restarts the web servers one after another: the next one stops when the new process of the previous one accepts
connections. If SIGHUP comes because the supervisor's terminal was closed, it ends the service.
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
from typing import IO

from service.operate.observability.output import Lines, Output
from service.operate.parent_death import tied_to_this_process
from service.operate.programs import CANNOT_START, Program

FIRST_DELAY_S = 0.2
MAX_DELAY_S = 5.0
HEALTHY_AFTER_S = 30.0
TRIES_BEFORE_READY = 3
CHECK_INTERVAL_S = 0.2
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGINT)
OWN_NAME = "operate"


class Child:
    """A program and its current process."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None
        self.was_ready = program.once or program.optional  # later stages do not wait for it
        self.finished = False  # the program has ended or failed for good
        self.started_at = 0.0
        self.due_at = 0.0  # time of the next start
        self.delay_s = FIRST_DELAY_S
        self.deaths = 0
        self.reloaded: subprocess.Popen[bytes] | None = None  # the process that a reload replaces
        self.reloaded_at = 0.0

    @property
    def name(self) -> str:
        """The program's name."""
        return self.program.name

    def signal(self, number: int) -> None:
        """Send a signal to the process. SIGKILL goes to its group, even after the leader has ended."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if number == signal.SIGKILL:
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)


def has_terminal() -> bool:
    """Return whether this process has a terminal that has not been closed."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


def describe_exit(status: int) -> str:
    """Return an exit status in words."""
    if status >= 0:
        return f"status {status}"
    try:
        return f"signal {-status} ({signal.Signals(-status).name})"
    except ValueError:
        return f"signal {-status}"


class Supervisor:
    """Runs programs until a signal stops it. Use it in the main thread.

    `greeting` returns the lines to print when all programs are ready.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        greeting: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._children = [Child(program) for program in sorted(programs, key=lambda program: program.stage)]
        self._output = Output(sys.stdout, [OWN_NAME, *(child.name for child in self._children)])
        self._greeting = greeting
        self._greeted = False
        self._ending: str | None = None
        self._status = 0
        self._is_reload_due = False
        self._to_reload: list[Child] = []
        self._had_terminal = has_terminal() and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN  # as nohup does
        self._selector = selectors.DefaultSelector()

    def run(self) -> int:
        """Run until a signal (return 0), or until a program cannot be started (return 1)."""
        reading, writing = os.pipe()
        for end in (reading, writing):
            os.set_blocking(end, False)
        self._selector.register(reading, selectors.EVENT_READ)
        before_fd = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        # With a handler, SIGCHLD wakes the loop at once.
        signals = (*ENDING_SIGNALS, signal.SIGHUP, signal.SIGCHLD)
        handlers = {number: signal.signal(number, self._on_signal) for number in signals}
        try:
            while self._ending is None:
                self._check_all()
                self._reload_next()
                if self._ending is None:
                    self._listen(CHECK_INTERVAL_S)
            self._say(f"stopping: {self._ending}")
        finally:
            self._stop_all()
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
        if number == signal.SIGHUP and not (self._had_terminal and not has_terminal()):
            self._is_reload_due = True
        elif number != signal.SIGCHLD and self._ending is None:
            self._ending = signal.Signals(number).name

    # Starting and watching

    def _check_all(self) -> None:
        """Restart, start and check all children. Later stages wait for earlier ones."""
        waiting_in: int | None = None
        for child in self._children:
            if waiting_in is not None and child.program.stage > waiting_in and child.process is None:
                continue
            self._check(child)
            if self._ending is not None:
                return
            if not child.was_ready:
                waiting_in = child.program.stage
        if waiting_in is None and not self._greeted:
            self._greeted = True
            for text in self._greeting():
                self._say(text)

    def _check(self, child: Child) -> None:
        if child.process is not None and child.process.poll() is not None:
            self._handle_exit(child, child.process.returncode)
        if self._ending is not None or child.finished:
            return
        if child.process is None:
            if time.monotonic() >= child.due_at:
                self._start(child)
            return
        if not child.was_ready:
            child.was_ready = child.program.ready is None or child.program.ready()

    def _reload_next(self) -> None:
        """Continue the reload, or start one that is due. The next program waits until the previous one is ready."""
        if self._is_reload_due and not self._to_reload and self._greeted:
            self._is_reload_due = False
            self._to_reload = [child for child in self._children if child.program.reloads]
            self._say(f"reloading {', '.join(child.name for child in self._to_reload) or 'nothing'}")
            self._begin_reload()
        if not self._to_reload or self._ending is not None:
            return
        child = self._to_reload[0]
        if child.process is child.reloaded:
            if time.monotonic() - child.reloaded_at > child.program.patience_s:
                child.signal(signal.SIGKILL)
        elif child.process is not None and (child.program.ready is None or child.program.ready()):
            self._say(f"{child.name} has reloaded")
            child.reloaded = None
            del self._to_reload[0]
            self._begin_reload()

    def _begin_reload(self) -> None:
        """Stop the next program to reload. `_check` starts it again."""
        if self._to_reload:
            child = self._to_reload[0]
            child.reloaded, child.reloaded_at = child.process, time.monotonic()
            child.signal(signal.SIGTERM)

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
            process_group=0,  # in this session: Linux may divide processor time by session before niceness counts
        )
        child.process = process
        child.started_at = time.monotonic()
        assert process.stdout is not None  # noqa: S101  # stdout=PIPE
        os.set_blocking(process.stdout.fileno(), False)
        self._selector.register(process.stdout, selectors.EVENT_READ, (child.name, Lines(), process.stdout))

    def _handle_exit(self, child: Child, status: int) -> None:
        """Handle a dead process: restart later, finish, or stop the service."""
        lived_s = time.monotonic() - child.started_at
        child.signal(signal.SIGKILL)
        is_reload = child.process is child.reloaded
        child.process = None
        if is_reload:
            child.due_at = 0.0
            return
        if child.program.once and status == 0:
            child.finished = True
            return
        self._listen(0.0)  # print its last output first
        ended = f"{child.name} exited with {describe_exit(status)} after {lived_s:.1f} s"
        child.deaths += 1
        is_hopeless = child.program.optional and status == CANNOT_START
        if is_hopeless or (child.program.once and child.deaths >= TRIES_BEFORE_READY):
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
        child.delay_s = min(child.delay_s * 2, MAX_DELAY_S)

    # Output

    def _listen(self, timeout_s: float) -> None:
        """Wait for output or a signal, and print the output."""
        for key, _events in self._selector.select(timeout_s):
            if key.data is None:
                with contextlib.suppress(BlockingIOError):
                    os.read(key.fd, 4096)
                continue
            self._print_output(*key.data)

    def _print_output(self, name: str, lines: Lines, pipe: IO[bytes]) -> None:
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

    def _stop_all(self) -> None:
        """Stop the stages from last to first, and kill children that exceed their patience."""
        for stage in sorted({child.program.stage for child in self._children}, reverse=True):
            running = [child for child in self._children if child.program.stage == stage and child.process is not None]
            for child in running:
                child.signal(signal.SIGTERM)
            self._wait_for(running)
            for child in running:
                child.signal(signal.SIGKILL)
                child.process = None
        for _ in range(100):  # remaining output
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
