"""Workers and keepers as processes of their own, as the supervisor starts them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


class Processes:
    """Starts them at one Redis and ends what is left of them."""

    def __init__(self, redis_url: str, folder: Path) -> None:
        self.environment = {**os.environ, "REDIS_URL": redis_url, "DATA_DIR": str(folder), "LOG_FORMAT": "text"}
        self.environment.pop("QUEUE_URL", None)
        self.folder = folder
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        """`python -m module …`, its output in a file of the folder."""
        with (self.folder / f"{module}-{len(self.started)}.log").open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self.started.append(process)
        return process

    def output(self) -> str:
        """What all of them have said."""
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("*.log")))

    def end(self) -> None:
        """By force, where a test has not done so."""
        for process in self.started:
            process.kill()
            process.wait()


def until(condition: Callable[[], Any], seconds: float) -> Any:
    """What the condition gives as soon as it is true; its last answer after so long."""
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return found
