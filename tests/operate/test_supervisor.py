"""The supervisor with small programs: start and stop order, restarts, output, sudden death."""

from __future__ import annotations

import os
import pty
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.operate.conftest import ROOT, Running, is_alive
from tests.patience import HANG_S, wait_until

Supervise = Callable[[str], Running]

# Each program appends what happens to it to one file, so that the order can be read there.
SCRIPT = """
import functools, pathlib, sys
from service.operate import supervisor
from service.operate.programs import Program

supervisor.HEALTHY_AFTER_S = 1e9  # a program never starts over at the first delay

record = pathlib.Path(sys.argv[1])
CHILD = '''
import atexit, os, signal, sys
name, record, end = sys.argv[1:4]
def note(what):
    with open(record, "a") as file:
        file.write(f"{what} {name} {os.getpid()}\\\\n")
def handle_end(number, frame):
    if end != "stubborn":
        note("ending")
        atexit.register(note, "end")
        sys.exit(0)
signal.signal(signal.SIGTERM, handle_end)
if not end.startswith("broken") or not open(end.split()[1]).read():
    note("start")
print("hello from", name, flush=True)
if end.startswith("status"):
    sys.exit(int(end[6:]))
if end.startswith("broken") and open(end.split()[1]).read():
    sys.exit(7)
while True:
    signal.pause()
'''

def program(name, stage, end="orderly", **more):
    return Program(name, (sys.executable, "-c", CHILD, name, str(record), end), stage, **more)

def is_noted(text):
    return record.exists() and text in record.read_text()

known = {}
def has_started(name):
    count = record.exists() and record.read_text().count(f"start {name}")
    before, known[name] = known.get(name, 0), count
    return count > before

sys.exit(supervisor.Supervisor({programs}, greeting=lambda: ["all is up"]).run())
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return the file in which the programs record their events."""
    return tmp_path / "record"


@pytest.fixture
def supervise(run: Callable[..., Running], record: Path) -> Supervise:
    """Return a function that supervises programs, given as source code for `SCRIPT`."""
    return lambda programs: run("-c", SCRIPT.replace("{programs}", programs), str(record))


def events(record: Path, what: str) -> list[str]:
    """Return the names of the programs with this event, in order."""
    lines = [line.split() for line in record.read_text().splitlines()]
    return [name for event, name, _pid in lines if event == what]


def pids(record: Path, name: str) -> list[int]:
    lines = [line.split() for line in record.read_text().splitlines()]
    return [int(pid) for event, other, pid in lines if (event, other) == ("start", name)]


def all_are_up(supervisor: Running, record: Path) -> bool:
    """Wait until the programs of `PROGRAMS` run. The keeper may be last, because nothing waits for it."""
    return supervisor.prints("all is up") and wait_until(
        lambda: (
            {"redis", "warm", "keeper", "web"} == set(events(record, "start"))
            and "hello from keeper" in supervisor.output
        )
    )


PROGRAMS = """[
    program("web", 3, ready=functools.partial(is_noted, "start web")),
    program("redis", 0, ready=functools.partial(is_noted, "start redis")),
    program("keeper", 2),
    program("warm", 4, end="status0", once=True),
]"""


def test_programs_have_a_group_each_in_one_session(record: Path, supervise: Supervise) -> None:
    supervisor = supervise(PROGRAMS)
    assert all_are_up(supervisor, record)
    running = [pid for name in ("redis", "keeper", "web") for pid in pids(record, name)]
    assert running == [os.getpgid(pid) for pid in running]
    assert {os.getsid(supervisor.process.pid)} == {os.getsid(pid) for pid in running}


def test_programs_start_in_order_restart_and_end_in_reverse_order(record: Path, supervise: Supervise) -> None:
    supervisor = supervise(PROGRAMS)
    assert all_are_up(supervisor, record)
    started = events(record, "start")
    assert ("redis", {"keeper", "web", "warm"}) == (started[0], set(started[1:]))
    assert started.index("web") < started.index("warm")

    lines = supervisor.output.splitlines()
    assert "redis   | hello from redis" in lines
    assert "keeper  | hello from keeper" in lines
    assert [line for line in lines if " | " not in line] == []
    assert "\x1b" not in supervisor.output  # a file is no terminal

    for deaths in (1, 2):
        os.kill(pids(record, "keeper")[-1], signal.SIGKILL)
        wait_until(  # it handles signals then
            lambda deaths=deaths: supervisor.output.count("hello from keeper") > deaths  # type: ignore[misc]
        )
    assert {"redis": 1, "keeper": 3, "web": 1, "warm": 1} == Counter(events(record, "start"))
    assert supervisor.output.count("all is up") == 1
    actual = re.findall(r"keeper exited with signal 9 \(SIGKILL\) after .* in (.*) s", supervisor.output)
    assert actual == ["0.2", "0.4"]

    wait_until(lambda: not is_alive(pids(record, "warm")[-1]))  # it ends by itself
    supervisor.process.send_signal(signal.SIGINT)
    assert supervisor.process.wait(HANG_S) == 0
    ends = [line.split()[:2] for line in record.read_text().splitlines() if line.startswith("end")]
    assert [[what, name] for name in ("web", "keeper", "redis") for what in ("ending", "end")] == ends


def test_nothing_outlives_a_supervisor_killed_with_9(record: Path, supervise: Supervise) -> None:
    supervisor = supervise(PROGRAMS)
    assert all_are_up(supervisor, record)
    children = [pids(record, name)[-1] for name in ("redis", "keeper", "web")]
    assert [is_alive(pid) for pid in children] == [True, True, True]
    supervisor.process.kill()
    wait_until(lambda: not any(is_alive(pid) for pid in children))


def test_a_program_that_ignores_sigterm_is_killed_after_its_patience(record: Path, supervise: Supervise) -> None:
    supervisor = supervise('[program("redis", 0), program("web", 1, end="stubborn", patience_s=0.3)]')
    wait_until(lambda: record.exists() and {"redis", "web"} == set(events(record, "start")))
    supervisor.process.terminate()
    assert supervisor.process.wait(HANG_S) == 0
    assert "web did not stop within 0.3 s and was killed" in supervisor.output
    assert events(record, "end") == ["redis"]
    assert not is_alive(pids(record, "web")[0])


def test_failing_one_time_program_is_tried_three_times_and_the_others_continue(
    record: Path, supervise: Supervise
) -> None:
    web = 'program("web", 1, ready=functools.partial(is_noted, "start web"))'
    table = f'[{web}, program("warm", 2, end="status3", once=True)]'
    supervisor = supervise(table)
    wait_until(lambda: "continuing without it" in supervisor.output, lambda: supervisor.output)
    assert ["web", "warm", "warm", "warm"] == events(record, "start")
    supervisor.process.terminate()
    assert 0 == supervisor.process.wait(HANG_S)


def test_an_optional_program_that_cannot_start_is_tried_once(record: Path, supervise: Supervise) -> None:
    missing, killed = 'program("mcp", 1, end="status2", optional=True)', 'program("other", 1, optional=True)'
    supervisor = supervise(f'[program("web", 0), {missing}, {killed}]')
    wait_until(lambda: "continuing without it" in supervisor.output, lambda: supervisor.output)
    wait_until(lambda: "hello from other" in supervisor.output)
    os.kill(pids(record, "other")[0], signal.SIGKILL)
    wait_until(lambda: supervisor.output.count("hello from other") == 2)
    supervisor.process.terminate()
    assert 0 == supervisor.process.wait(HANG_S)
    assert {"web": 1, "mcp": 1, "other": 2} == Counter(events(record, "start"))
    assert "mcp exited with status 2" in supervisor.output


RELOADED = """[
    program("redis", 0),
    program("web-1", 1, reloads=True, ready=functools.partial(has_started, "web-1")),
    program("web-2", 1, reloads=True, ready=functools.partial(has_started, "web-2")),
]"""


def test_sighup_restarts_the_web_servers_one_after_another(record: Path, supervise: Supervise) -> None:
    supervisor = supervise(RELOADED)
    assert supervisor.prints("all is up")
    for times in (1, 2):
        supervisor.process.send_signal(signal.SIGHUP)
        wait_until(
            lambda times=times: supervisor.output.count("web-2 has reloaded") == times,  # type: ignore[misc]
            lambda: supervisor.output,
        )
        happened = [line.split()[:2] for line in record.read_text().splitlines() if "redis" not in line]
        expected = [[what, name] for name in ("web-1", "web-2") for what in ("ending", "end", "start")]
        assert expected == happened[-6:]
    assert {"redis": 1, "web-1": 3, "web-2": 3} == Counter(events(record, "start"))
    assert "exited" not in supervisor.output
    supervisor.process.terminate()
    assert 0 == supervisor.process.wait(HANG_S)


def test_a_reload_that_fails_stops_no_further_server(record: Path, supervise: Supervise, tmp_path: Path) -> None:
    """The first server cannot start again, as with broken new code."""
    (broken := tmp_path / "broken").touch()
    first = f'program("web-1", 1, "broken {broken}", reloads=True, ready=functools.partial(has_started, "web-1"))'
    supervisor = supervise(f'[{first}, program("web-2", 1, reloads=True)]')
    assert supervisor.prints("all is up")
    broken.write_text("yes")
    supervisor.process.send_signal(signal.SIGHUP)
    wait_until(lambda: supervisor.output.count("web-1 exited with status 7") > 3, lambda: supervisor.output)
    assert 1 == len(pids(record, "web-2"))
    broken.write_text("")
    wait_until(lambda: "web-2 has reloaded" in supervisor.output, lambda: supervisor.output)
    assert supervisor.process.poll() is None


def test_a_closed_terminal_ends_the_service(tmp_path: Path) -> None:
    """The shell of the terminal sends SIGHUP, and so does the kernel."""
    record = tmp_path / "record"
    script = SCRIPT.replace("{programs}", '[program("web", 0, reloads=True)]')
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.execve(  # noqa: S606 - a child of the terminal
            sys.executable, [sys.executable, "-c", script, str(record)], {**os.environ, "PYTHONPATH": str(ROOT)}
        )
    wait_until(lambda: record.exists() and "start web" in record.read_text())
    os.kill(pid, signal.SIGHUP)
    wait_until(lambda: record.read_text().count("start web") == 2)
    os.close(terminal)
    wait_until(lambda: record.read_text().count("end web") == 2)
    os.waitpid(pid, 0)


def test_supervisor_gives_up_after_three_deaths_of_a_program_that_never_was_ready(
    record: Path, supervise: Supervise
) -> None:
    supervisor = supervise('[program("web", 0, end="status5", ready=lambda: False)]')
    assert supervisor.process.wait(HANG_S) == 1
    assert len(pids(record, "web")) == 3
    assert "stopping: web exited with status 5" in supervisor.output
