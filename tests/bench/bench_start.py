"""Measure the start of the service: `python -m tests.bench.bench_start`.

Copies the project's sources without compiled code and starts the service as an operator does: without compiled code,
with it, after a kill of all processes but the supervisor, and after a kill of all processes. Each time waits until the
table and the API respond, and until an AI that searches has answered a person's action in a new game of each ruleset.
Then adds up the memory of all processes. Each figure is printed with its limit; exits with 1 if one is above it.
"""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import requests

from service.rulesets.registry import RULESETS
from service.settings import Settings
from tests.e2e.stack import ROOT, Stack, send_signal
from tests.patience import wait_until

LEVEL = "planner"  # searches
PAGES = ("/play", "/docs", "/v1/rulesets", "/v1/levels")
MAX_MB = 650
MAX_S = {  # seconds until: the pages, an AI's first decision in the first ruleset, and in all rulesets
    "from nothing": (5, 30, 90),
    "warm": (5, 5, 5),
    "after a kill of everything": (10, 10, 10),
    "after a kill of all but the supervisor": (10, 10, 10),
}


def copy_of_the_sources(folder: Path) -> Path:
    """Copy the files that git knows to a folder."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def are_pages_ready(stack: Stack) -> bool:
    """Return whether the table, the reference and the API respond."""
    with contextlib.suppress(requests.RequestException):
        return all(requests.get(f"{stack.url}{path}", timeout=5).status_code == 200 for path in PAGES)
    return False


def play_until_ai_decides(stack: Stack, ruleset: str) -> bool:
    """Begin a game of this ruleset, act until it is the AI's turn, and wait until the AI has decided."""
    body = {
        "ruleset": ruleset,
        "variant": next(iter(RULESETS[ruleset].variants)),
        "seats": [{"kind": "player"}, {"kind": "ai", "level": LEVEL}],
        "first_seat": 0,
    }
    answer = requests.post(f"{stack.api}/games", json=body, timeout=60)
    answer.raise_for_status()
    game, bearer = answer.json()["game"], {"Authorization": f"Bearer {answer.json()['tokens']['seats']['0']}"}
    path = f"{stack.api}/games/{game['id']}"
    while game["to_decide"] == 0:
        action = requests.get(f"{path}/actions?limit=1", timeout=60).json()["actions"][0]["id"]
        sent = {"id": action, "revision": game["revision"]}
        acted = requests.post(f"{path}/actions", json=sent, headers=bearer, timeout=60)
        acted.raise_for_status()
        game = acted.json()["game"]
    revision = game["revision"]
    while game["revision"] == revision:
        game = requests.get(f"{path}?wait=20", headers={"If-None-Match": f'"{revision}"'}, timeout=60).json()
    return True


def measure(stack: Stack, began: float) -> tuple[float, float, float]:
    """Return the seconds since `began` until the pages responded, until an AI decided, and until all AIs did."""

    def since_it_began(condition: Callable[[], bool]) -> float:
        def attempt() -> bool:
            with contextlib.suppress(requests.RequestException, KeyError, ValueError):
                return condition()
            return False

        wait_until(attempt, "an answer")
        return time.monotonic() - began

    def all_is_compiled() -> bool:
        return bool(requests.get(f"{stack.url}/readyz", timeout=5).json()["compiled"] == len(RULESETS))

    pages = since_it_began(lambda: are_pages_ready(stack))
    with ThreadPoolExecutor(len(RULESETS)) as pool:
        games = [*pool.map(lambda ruleset: since_it_began(lambda: play_until_ai_decides(stack, ruleset)), RULESETS)]
    return pages, games[0], max(*games, since_it_began(all_is_compiled))


def memory_mb(stack: Stack) -> float:
    """Return the memory of all processes in MB. Shared memory counts in equal parts."""
    wait_until(lambda: not stack.is_compiling(), "the compiler's end")
    held_kb = 0
    for pid in (stack.process.pid, *stack.family()):
        with contextlib.suppress(OSError):  # it has ended
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            held_kb += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return held_kb / 1000


@contextlib.contextmanager
def start_service(folder: str, root: Path, environment: dict[str, str]) -> Iterator[tuple[Stack, float]]:
    """Yield the service and the time of its start. It is stopped at the end."""
    began = time.monotonic()
    stack = Stack(Path(folder), root=root, **environment)
    try:
        yield stack, began
    finally:
        stack.stop()


def row(name: str, figures: tuple[float, float, float]) -> bool:
    """Print a row. Return whether all figures are within their limits."""
    most = MAX_S[name]
    cells = (f"{took:6.1f} s (of {limit})" for took, limit in zip(figures, most, strict=True))
    print(f"{name:40}{''.join(f'{cell:>20}' for cell in cells)}", flush=True)
    return all(took <= limit for took, limit in zip(figures, most, strict=True))


def main() -> int:
    """Print the table. Return 1 if a figure is too high."""
    fine = []
    with tempfile.TemporaryDirectory() as folder:
        root = copy_of_the_sources(Path(folder, "sources"))
        defaults = Settings.from_environment({})
        environment = {
            "AZUL_CACHE_DIR": str(Path(folder, "cache")),
            "PYTHONPATH": str(root),
            "PYTHONDONTWRITEBYTECODE": "",
            "WORKERS": str(defaults.workers),
            "BACKGROUND_WORKERS": str(defaults.background_workers),
        }

        print(f"{'':40}{'pages':>20}{'an AI: the first':>20}{'in all games':>20}", flush=True)

        def report(name: str, stack: Stack, began: float) -> None:
            fine.append(row(name, measure(stack, began)))

        with start_service(folder, root, environment) as (stack, began):
            report("from nothing", stack, began)
        with start_service(folder, root, environment) as (stack, began):
            report("warm", stack, began)
            held = memory_mb(stack)
            killed = time.monotonic()
            send_signal(signal.SIGKILL, stack.family())
            report("after a kill of all but the supervisor", stack, killed)
            send_signal(signal.SIGKILL, [stack.process.pid, *stack.family()])
        with start_service(folder, root, environment) as (stack, began):
            report("after a kill of everything", stack, began)
        print(f"memory of the default set, warm: {held:.0f} MB (of {MAX_MB})")
        fine.append(held <= MAX_MB)
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
