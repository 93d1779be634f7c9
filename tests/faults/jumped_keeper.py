"""Run a keeper whose clock jumps: `python -m tests.faults.jumped_keeper`.

Each line of input is the number of seconds by which the clock is ahead from then on. The keeper ends with its input.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.patience import HANG_S

ROOT = Path(__file__).parents[2]


class JumpedKeeper:
    """A process of this program with these settings. It serves the same games as the service's own keepers."""

    def __init__(self, output: Path, **environment: str) -> None:
        with output.open("wb") as written:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.jumped_keeper"],
                cwd=ROOT,
                env={**os.environ, **environment},
                stdin=subprocess.PIPE,
                stdout=written,
                stderr=subprocess.STDOUT,
                text=True,
            )

    def jump(self, ahead_s: float) -> None:
        """Set by how many seconds the clock is ahead. Negative: behind."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{ahead_s}\n")
        self.process.stdin.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(HANG_S)
        except subprocess.TimeoutExpired:
            self.process.kill()


def main() -> int:
    """Run a keeper with a clock that changes."""
    from workers import keeper

    ahead_s, wall_ns = 0.0, time.time_ns

    def listen() -> None:
        nonlocal ahead_s
        for line in sys.stdin:
            ahead_s = float(line)
        os._exit(0)

    time.time_ns = lambda: wall_ns() + round(1e9 * ahead_s)
    time.time = lambda: time.time_ns() / 1e9
    threading.Thread(target=listen, daemon=True).start()
    return keeper.main()


if __name__ == "__main__":
    sys.exit(main())
