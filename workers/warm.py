"""`python -m workers.warm`: compile what this machine has not compiled yet, rules and search, so that later starts
are quick and several processes do not compile the same at once.

A ruleset is compiled by a process of its own, the one with the most source first, as many at once as there are
cores; then the search, whose cache folder is named only once all rules are loaded (see workers/search/__init__.py).
A mark in the cache remembers that this was done, so that a start need not ask three processes. It is no more than
a hint: whatever is missing all the same is compiled where it is imported.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import llvmlite.binding
import numba

from service.rulesets import compiled
from service.settings import cores

PROJECT_ROOT = Path(__file__).parents[1]
SEARCH = Path(__file__).parent / "search"


def mark() -> Path:
    """The file that is there when all has been compiled: for these sources, at this place, on this processor."""
    digest = hashlib.sha256(f"{llvmlite.binding.get_host_cpu_name()} {compiled.sources_hash(SEARCH)}".encode())
    modules = (path for source in (*compiled.compiled_sources(), SEARCH) for path in compiled.sources(source))
    for path in sorted(modules):
        status = path.stat()  # by path, time and size Numba knows a source again
        digest.update(f"{path} {status.st_mtime_ns} {status.st_size}\n".encode())
    return compiled.keep(*compiled.compiled_sources()) / f"warm-{digest.hexdigest()[:24]}"


def is_warm() -> bool:
    """Whether there is nothing to compile; to be asked before the search is imported, which names another folder."""
    return bool(numba.config.DISABLE_JIT) or mark().exists()  # type: ignore[attr-defined]


def warm() -> bool:
    """Compile everything, as many processes at once as there are cores, telling on stderr what takes the time.

    False where something could not be compiled.
    """
    if is_warm():
        return True
    done = mark()
    rulesets = sorted(
        (package.parent for package in compiled.RULESETS_FOLDER.glob("*/__init__.py")), key=_size, reverse=True
    )
    names = ", ".join(folder.name for folder in rulesets)
    sys.stderr.write(f"compiling for the first time, a minute or two: {names}, then the search\n")
    with ThreadPoolExecutor(cores()) as pool:
        fine = all([*pool.map(_imported, (f"service.rulesets.{folder.name}" for folder in rulesets))])
    fine = fine and _imported("workers.search.search")
    if fine:
        done.touch()
    return fine


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.py"))


def _imported(module: str) -> bool:
    """Import a module in a new process, which compiles it; pass on its output at the end. False if it failed."""
    program = f"import {module}; from service.rulesets.compiled import PROGRESS; PROGRESS.end()"
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PROJECT_ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    sys.stderr.write(ended.stderr)
    return ended.returncode == 0


if __name__ == "__main__":
    sys.exit(0 if warm() else 1)
