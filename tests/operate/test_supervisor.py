"""The supervisor, with small programs: order of starting and ending, restarts, output, sudden death."""

from __future__ import annotations

import os
import re
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.operate.conftest import Running, alive
from tests.patience import HANG_S, until

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
def ended(number, frame):
    if end != "stubborn":
        note("ending")
        atexit.register(note, "end")
        sys.exit(0)
signal.signal(signal.SIGTERM, ended)
note("start")
print("hello from", name, flush=True)
if end.startswith("status"):
    sys.exit(int(end[6:]))
while True:
    signal.pause()
'''

def program(name, stage, end="orderly", **more):
    return Program(name, (sys.executable, "-c", CHILD, name, str(record), end), stage, **more)

def noted(text):
    return record.exists() and text in record.read_text()

sys.exit(supervisor.Supervisor({programs}, greeting=lambda: ["all is up"]).run())
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Where the programs write."""
    return tmp_path / "record"


@pytest.fixture
def supervise(run: Callable[..., Running], record: Path) -> Supervise:
    """Supervises programs, which are told as `SCRIPT` calls them."""
    return lambda programs: run("-c", SCRIPT.replace("{programs}", programs), str(record))


def events(record: Path, what: str) -> list[str]:
    """The names in the order in which `what` happened to them."""
    lines = [line.split() for line in record.read_text().splitlines()]
    return [name for event, name, _pid in lines if event == what]


def pids(record: Path, name: str) -> list[int]:
    lines = [line.split() for line in record.read_text().splitlines()]
    return [int(pid) for event, other, pid in lines if (event, other) == ("start", name)]


def all_up(supervisor: Running, record: Path) -> bool:
    """Whether the programs of `THREE` come up; keeper, which nobody waits for, may be last."""
    return supervisor.says("all is up") and until(
        lambda: (
            {"redis", "warm", "keeper", "web"} == set(events(record, "start"))
            and "hello from keeper" in supervisor.output
        )
    )


THREE = """[
    program("web", 3, ready=functools.partial(noted, "start web")),
    program("redis", 0, ready=functools.partial(noted, "start redis")),
    program("keeper", 2),
    program("warm", 4, end="status0", once=True),
]"""


def test_programs_start_in_order_are_started_again_and_end_in_reverse_order(record: Path, supervise: Supervise) -> None:
    supervisor = supervise(THREE)
    assert all_up(supervisor, record)
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
        until(lambda deaths=deaths: len(pids(record, "keeper")) > deaths)  # type: ignore[misc]
    until(lambda: supervisor.output.count("hello from keeper") == 3)  # it heeds signals
    assert {"redis": 1, "keeper": 3, "web": 1, "warm": 1} == Counter(events(record, "start"))
    assert supervisor.output.count("all is up") == 1
    actual = re.findall(r"keeper exited with signal 9 \(SIGKILL\) after .* in (.*) s", supervisor.output)
    assert actual == ["0.2", "0.4"]

    until(lambda: not alive(pids(record, "warm")[-1]))  # it ends by itself, and is not told to
    supervisor.process.send_signal(signal.SIGINT)
    assert supervisor.process.wait(HANG_S) == 0
    ends = [line.split()[:2] for line in record.read_text().splitlines() if line.startswith("end")]
    assert [[what, name] for name in ("web", "keeper", "redis") for what in ("ending", "end")] == ends


def test_nothing_outlives_a_supervisor_killed_with_9(record: Path, supervise: Supervise) -> None:
    supervisor = supervise(THREE)
    assert all_up(supervisor, record)
    children = [pids(record, name)[-1] for name in ("redis", "keeper", "web")]
    assert [alive(pid) for pid in children] == [True, True, True]
    supervisor.process.kill()
    until(lambda: not any(alive(pid) for pid in children))


def test_a_program_that_ignores_sigterm_is_killed_when_its_patience_is_over(record: Path, supervise: Supervise) -> None:
    supervisor = supervise('[program("redis", 0), program("web", 1, end="stubborn", patience_s=0.3)]')
    until(lambda: record.exists() and {"redis", "web"} == set(events(record, "start")))
    supervisor.process.terminate()
    assert supervisor.process.wait(HANG_S) == 0
    assert "web did not stop within 0.3 s and was killed" in supervisor.output
    assert events(record, "end") == ["redis"]
    assert not alive(pids(record, "web")[0])


def test_a_program_that_works_once_and_fails_is_tried_three_times_and_the_rest_goes_on(
    record: Path, supervise: Supervise
) -> None:
    table = (
        '[program("web", 1, ready=functools.partial(noted, "start web")), program("warm", 2, end="status3", once=True)]'
    )
    supervisor = supervise(table)
    until(lambda: "continuing without it" in supervisor.output, lambda: supervisor.output)
    assert ["web", "warm", "warm", "warm"] == events(record, "start")
    supervisor.process.terminate()
    assert 0 == supervisor.process.wait(HANG_S)


def test_a_program_that_never_gets_ready_is_given_up_after_three_deaths(record: Path, supervise: Supervise) -> None:
    supervisor = supervise('[program("web", 0, end="status5", ready=lambda: False)]')
    assert supervisor.process.wait(HANG_S) == 1
    assert len(pids(record, "web")) == 3
    assert "stopping: web exited with status 5" in supervisor.output
