"""`python -m workers.warm [NAME]`: compile missing machine code, for the rules of every ruleset and for the search.

A separate process compiles each library, as many at a time as there are cores, the most important first. Other
processes run the rules as plain Python until their machine code is available. With a name, only that library is
compiled.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from service.rulesets import machine_code
from service.rulesets.registry import RULESETS
from service.settings import cores
from workers.search import record_abi

PROJECT_ROOT = Path(__file__).parents[1]
SEARCH = "search"


def paths() -> Mapping[str, Path]:
    """Return the path of each library by name, the most important first: a game, and the search for its opponents."""
    first, *others = RULESETS.values()
    return {
        first.id: first.rules.library.path,
        SEARCH: record_abi.LIBRARY.path,
        **{ruleset.id: ruleset.rules.library.path for ruleset in others},
    }


def warm() -> bool:
    """Compile what is missing or damaged, and print progress on stderr. Return whether everything is compiled."""
    missing = [name for name, path in paths().items() if machine_code.read(path) is None]
    if not missing:
        return True
    began = time.monotonic()
    _say(f"compiling, once for these sources: {', '.join(missing)}")
    done: list[str] = []

    def compile_one(name: str) -> bool:
        succeeded = _compile_in_process(name)
        done.append(name)
        result = "is compiled" if succeeded else "could not be compiled"
        _say(f"{name} {result}: {len(done)} of {len(missing)}, {time.monotonic() - began:.0f} s")
        return succeeded

    with ThreadPoolExecutor(cores()) as pool:
        return all([*pool.map(compile_one, missing)])


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _compile_in_process(name: str) -> bool:
    """Compile one library in a new process, and print its messages. Return whether it succeeded."""
    process = subprocess.run(
        [sys.executable, "-m", "workers.warm", name],
        cwd=PROJECT_ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    sys.stderr.write(process.stderr)
    return process.returncode == 0


def compile_here(name: str) -> None:
    """Compile one library in this process. Raises KeyError for an unknown name."""
    if name == SEARCH:
        from workers.search.numba_search import compile_search

        compile_search()
        return
    from service.rulesets.compiler import compile_ruleset

    compile_ruleset(RULESETS[name].rules)


def compile_once(name: str) -> None:
    """Compile one library, or wait if another process is compiling it."""
    path = paths()[name]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if machine_code.read(path) is None:
            compile_here(name)


def main() -> int:
    """Return the exit status: 0 if everything is compiled."""
    if len(sys.argv) > 1:
        compile_once(sys.argv[1])
        return 0
    return 0 if warm() else 1


if __name__ == "__main__":
    sys.exit(main())
