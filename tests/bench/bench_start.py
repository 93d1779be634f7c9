"""How soon the service is there: `python -m tests.bench.bench_start`.

A copy of the project's sources, without anything that was ever compiled, is served as an operator serves it, with what
is installed: from nothing; warm; after a kill of all processes at once but the supervisor, which starts them again;
and after a kill of the supervisor, too. Each time the bench waits until the table and the API answer, and until an AI
that searches has answered a person's action in a new game of each ruleset. At last it adds up what the processes of a
warm service hold in memory. Each figure stands beside the most that it may be; where one is above, the exit status
is 1.
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
from tests.patience import until

LEVEL = "planner"  # searches
PAGES = ("/play", "/docs", "/v1/rulesets", "/v1/levels")
MAX_MB = 500
MAX_S = {  # seconds: the pages, an AI's first answer in the first ruleset and in all of them
    "from nothing": (5, 30, 90),
    "warm": (5, 5, 5),
    "after a kill of everything": (10, 10, 10),
    "after a kill of all but the supervisor": (10, 10, 10),
}


def copy_of_the_sources(folder: Path) -> Path:
    """What git knows of the project, in a new folder."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def pages_are_there(stack: Stack) -> bool:
    """Whether the table, the reference and the API answer."""
    with contextlib.suppress(requests.RequestException):
        return all(requests.get(f"{stack.url}{path}", timeout=5).status_code == 200 for path in PAGES)
    return False


def answered(stack: Stack, ruleset: str) -> bool:
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
    asked = game["revision"]
    while game["revision"] == asked:
        game = requests.get(f"{path}?wait=20", headers={"If-None-Match": f'"{asked}"'}, timeout=60).json()
    return True


def measure(stack: Stack, began: float) -> tuple[float, float, float]:
    """Seconds since `began` until the pages answered, until an AI did in the first ruleset, and in all, compiled."""

    def since_it_began(condition: Callable[[], bool]) -> float:
        def attempt() -> bool:
            with contextlib.suppress(requests.RequestException, KeyError, ValueError):
                return condition()
            return False

        until(attempt, "an answer")
        return time.monotonic() - began

    def all_is_compiled() -> bool:
        return bool(requests.get(f"{stack.url}/readyz", timeout=5).json()["compiled"] == len(RULESETS))

    pages = since_it_began(lambda: pages_are_there(stack))
    with ThreadPoolExecutor(len(RULESETS)) as pool:
        games = [*pool.map(lambda ruleset: since_it_began(lambda: answered(stack, ruleset)), RULESETS)]
    return pages, games[0], max(*games, since_it_began(all_is_compiled))


def memory_mb(stack: Stack) -> float:
    """What all processes hold, with each one's share of what several hold."""
    until(lambda: not stack.compiles(), "the compiler's end")
    held_kb = 0
    for pid in (stack.process.pid, *stack.family()):
        with contextlib.suppress(OSError):  # it has ended
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            held_kb += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return held_kb / 1000


@contextlib.contextmanager
def started(folder: str, root: Path, environment: dict[str, str]) -> Iterator[tuple[Stack, float]]:
    """The service, and when it was started; it is stopped at the end."""
    began = time.monotonic()
    stack = Stack(Path(folder), root=root, **environment)
    try:
        yield stack, began
    finally:
        stack.stop()


def row(name: str, figures: tuple[float, float, float]) -> bool:
    """Print one; whether none is above what it may be."""
    most = MAX_S[name]
    cells = (f"{took:6.1f} s (of {limit})" for took, limit in zip(figures, most, strict=True))
    print(f"{name:40}{''.join(f'{cell:>20}' for cell in cells)}", flush=True)
    return all(took <= limit for took, limit in zip(figures, most, strict=True))


def main() -> int:
    """Print the table; 1 where a figure is too high."""
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

        def tell(name: str, stack: Stack, began: float) -> None:
            fine.append(row(name, measure(stack, began)))

        with started(folder, root, environment) as (stack, began):
            tell("from nothing", stack, began)
        with started(folder, root, environment) as (stack, began):
            tell("warm", stack, began)
            held = memory_mb(stack)
            killed = time.monotonic()
            send_signal(signal.SIGKILL, stack.family())
            tell("after a kill of all but the supervisor", stack, killed)
            send_signal(signal.SIGKILL, [stack.process.pid, *stack.family()])
        with started(folder, root, environment) as (stack, began):
            tell("after a kill of everything", stack, began)
        print(f"memory of the default set, warm: {held:.0f} MB (of {MAX_MB})")
        fine.append(held <= MAX_MB)
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
