"""Helpers that run programs and observe their processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.operate import data_dir
from tests.patience import wait_until

ROOT = Path(__file__).resolve().parents[2]


def is_alive(pid: int) -> bool:
    """Return whether a process runs. A zombie does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    try:
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Running:
    """A Python program in a process of its own, its output in a file."""

    def __init__(
        self, directory: Path, arguments: list[str], pass_fds: tuple[int, ...] = (), **environment: str
    ) -> None:
        self._log = directory / f"output-{time.monotonic_ns()}.txt"
        clean = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "QUEUE_URL")}
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, *arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                pass_fds=pass_fds,
                env={**clean, "PYTHONPATH": str(ROOT), **environment},
            )

    @property
    def output(self) -> str:
        """The output so far."""
        return self._log.read_text(encoding="utf-8")

    def prints(self, text: str) -> bool:
        """Wait until the program prints `text` or ends. Return whether it has printed it."""
        wait_until(lambda: text in self.output or self.process.poll() is not None, lambda: self.output)
        return text in self.output

    def end(self) -> None:
        """Kill the program if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Return a function that starts Python programs. They end with the test."""
    started: list[Running] = []

    def start(*arguments: str, pass_fds: tuple[int, ...] = (), **environment: str) -> Running:
        started.append(Running(tmp_path, list(arguments), pass_fds, **environment))
        return started[-1]

    yield start
    for running in started:
        running.end()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the lock of a data directory fail at once if it is held, instead of waiting."""
    monkeypatch.setattr(data_dir.lock, "__defaults__", (0.0,))
