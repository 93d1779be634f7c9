"""`python -m workers.warm`: compile what this machine has not compiled yet: the rules of every ruleset, and the search.

Each is compiled by a process of its own, as many at once as there are cores, what is wanted most first. Nobody waits
for it: whoever plays runs the rules as plain Python until their machine code is there, and as that from then on. With
the name of one, it compiles that alone.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from service.rulesets.registry import RULESETS
from service.settings import cores
from workers.search import record_abi

PROJECT_ROOT = Path(__file__).parents[1]
SEARCH = "search"


def paths() -> Mapping[str, Path]:
    """Where machine code is to be, by name; what is wanted most comes first: a game, and an opponent for it."""
    first, *others = RULESETS.values()
    return {
        first.id: first.rules.library.path,
        SEARCH: record_abi.LIBRARY.path,
        **{ruleset.id: ruleset.rules.library.path for ruleset in others},
    }


def warm() -> bool:
    """Compile what is missing, telling on stderr; False where something could not be compiled."""
    missing = [name for name, path in paths().items() if not path.exists()]
    if not missing:
        return True
    began = time.monotonic()
    _say(f"compiling, once for these sources: {', '.join(missing)}")
    done: list[str] = []

    def compile_one(name: str) -> bool:
        fine = _compiled(name)
        done.append(name)
        took = time.monotonic() - began
        _say(
            f"{name} {'is compiled' if fine else 'could not be compiled'}: {len(done)} of {len(missing)}, {took:.0f} s"
        )
        return fine

    with ThreadPoolExecutor(cores()) as pool:
        return all([*pool.map(compile_one, missing)])


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _compiled(name: str) -> bool:
    """Compile one in a new process; pass on what it says."""
    ended = subprocess.run(
        [sys.executable, "-m", "workers.warm", name],
        cwd=PROJECT_ROOT,
        env={**os.environ, "NUMBA_OPT": "0"},  # the compiler optimises all at once
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    sys.stderr.write(ended.stderr)
    return ended.returncode == 0


def compile_here(name: str) -> None:
    """Compile one in this process (KeyError: nothing is called that)."""
    if name == SEARCH:
        from workers.search.numba_search import compile_search

        compile_search()
        return
    from service.rulesets.compiler import compile_ruleset

    compile_ruleset(RULESETS[name].rules)


def compile_once(name: str) -> None:
    """Compile one unless another process does so at the same time; then wait for it."""
    path = paths()[name]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            compile_here(name)


def main() -> int:
    """Return the exit status: 0 if everything is compiled."""
    if len(sys.argv) > 1:
        compile_once(sys.argv[1])
        return 0
    return 0 if warm() else 1


if __name__ == "__main__":
    sys.exit(main())
