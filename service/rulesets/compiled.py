"""Where compiled rules are kept between processes, so that running stale machine code is impossible.

Numba's own cache asks only whether the file of the function itself has changed. A rule calls helpers of other
files, and those are compiled *into* it: a change in a callee would go unseen. So the cache folder is named after
a hash of all the sources that are compiled into anything (plus the versions of Python, Numba and NumPy and
the processor): other sources, other folder. Folders of older sources are pruned.

`keep(*places)` must run before the first decorator of the modules there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path

import llvmlite
import numba
import numpy as np

KEPT = 4  # cache folders of other sources (other checkouts, branches) that survive a pruning
WEIGHTS = "weights.json"  # what an evaluation learned is compiled into it
RULESETS_FOLDER = Path(__file__).parent
SHARED_BY_RULES = tuple(
    RULESETS_FOLDER / f"{name}.py" for name in ("seats", "kernel", "bag", "factories", "masks", "steps", "turns")
)
"""Modules that are compiled into the rules of several rulesets."""
SHARED = (*SHARED_BY_RULES, RULESETS_FOLDER / "learned.py")
"""The same, and what is compiled into evaluations."""
_places: list[Path] = []


def compiled_sources() -> list[Path]:
    """All of service.rulesets that is compiled: the rules, and what an AI thinks of a position."""
    return [*SHARED, *RULESETS_FOLDER.glob("*/rules"), *RULESETS_FOLDER.glob("*/ai")]


def sources(folder: Path) -> list[Path]:
    """A file, or the Python sources and weights that lie under a folder."""
    return sorted([*folder.rglob("*.py"), *folder.rglob(WEIGHTS)]) if folder.is_dir() else [folder]


def sources_hash(*places: Path) -> str:
    """The SHA-256, in hex, of Python sources and weights, with their relative names: of files, and of whole folders."""
    digest = hashlib.sha256()
    for folder in sorted(places):
        for path in sources(folder):
            digest.update(str(path.relative_to(folder.parent)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def root() -> Path:
    """The folder that holds all cache folders: AZUL_CACHE_DIR, else the user's cache, else a temporary one."""
    named = os.environ.get("AZUL_CACHE_DIR")
    candidates = [Path(named)] if named else []
    with contextlib.suppress(RuntimeError):  # no home directory at all
        candidates.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "azul-games-api")
    candidates.append(Path(tempfile.gettempdir()) / f"azul-games-api-{os.getuid()}")
    for candidate in candidates:
        with contextlib.suppress(OSError):
            candidate.mkdir(parents=True, exist_ok=True, mode=0o700)
            if os.access(candidate, os.W_OK) and candidate.stat().st_uid == os.getuid():
                return candidate
    raise OSError("no folder can be written for compiled rules; name one by AZUL_CACHE_DIR")


def keep(*places: Path) -> Path:
    """Add sources, files or folders, to what the cache is keyed by, and point Numba at the cache folder of that key."""
    _places.extend(folder for folder in places if folder not in _places)
    machine = f"{platform.machine()} {sys.version} {numba.__version__} {llvmlite.__version__} {np.__version__}"
    key = hashlib.sha256(f"{sources_hash(*_places)} {machine}".encode()).hexdigest()[:24]
    folder = root() / key
    folder.mkdir(exist_ok=True)
    os.utime(folder)
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    _prune(folder)
    return folder


def _prune(current: Path) -> None:
    """Remove all but the most recently used cache folders; those of the last hour stay (a running test may use one)."""
    others = [path for path in current.parent.iterdir() if path.is_dir() and path != current]
    with contextlib.suppress(OSError):  # another process prunes too
        others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for path in others[KEPT:]:
            if time.time() - path.stat().st_mtime > 3600:
                shutil.rmtree(path, ignore_errors=True)


class Progress:
    """One line on stderr that grows while functions are compiled for the first time, and nothing at all later."""

    def __init__(self) -> None:
        self._group = ""
        self._began = 0.0

    def report(self, group: str, name: str, seconds: float) -> None:
        """Say that `name` of `group` has just been compiled."""
        if group != self._group:
            self.end()
            self._group, self._began = group, time.monotonic() - seconds
            sys.stderr.write(f"compiling {group}, once for these sources:")
        sys.stderr.write(f" {name}")
        sys.stderr.flush()

    def end(self) -> None:
        """Close the line."""
        if self._group:
            sys.stderr.write(f" ({time.monotonic() - self._began:.0f} s)\n")
            self._group = ""


PROGRESS = Progress()
