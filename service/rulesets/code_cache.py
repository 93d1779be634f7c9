"""Where machine code is kept between processes, so that running code of other sources is impossible.

A file is named after a hash of all the sources that are compiled into it, of what compiles them and of the processor:
other sources, other file. Whoever plays looks for its file, and plays without it until it is there.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
import tempfile
import time
from importlib import metadata
from pathlib import Path

from service.rulesets import machine_code

PLAIN = "AZUL_PLAIN"
"""The variable that keeps a process from machine code: for tests and measurements."""
SUFFIX = ".object"
LOOK_S = 0.5
KEPT = 4  # files of other sources (other checkouts, branches) that survive a pruning
WEIGHTS, PREFERENCES, VALUES = "weights.json", "preferences.npz", "values.npz"  # what was learned is compiled in
RULESETS_FOLDER = Path(__file__).parent
SHARED_BY_RULES = (RULESETS_FOLDER / "seats.py", RULESETS_FOLDER / "kernel.py", RULESETS_FOLDER / "parts")
"""Modules that are compiled into the rules of several rulesets."""
SHARED = (*SHARED_BY_RULES, RULESETS_FOLDER / "networks")
"""The same, and what is compiled into evaluations."""
COMPILING = (RULESETS_FOLDER / "compiler.py", RULESETS_FOLDER / "machine_code.py")


def sources(folder: Path) -> list[Path]:
    """A file, or the Python sources, and what was learned, that lie under a folder."""
    patterns = ("*.py", WEIGHTS, PREFERENCES, VALUES)
    return sorted(path for pattern in patterns for path in folder.rglob(pattern)) if folder.is_dir() else [folder]


def sources_hash(*places: Path) -> str:
    """The SHA-256, in hex, of Python sources and weights, with their relative names: of files, and of whole folders."""
    digest = hashlib.sha256()
    for folder in sorted(places):
        for path in sources(folder):
            digest.update(str(path.relative_to(folder.parent)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def root() -> Path:
    """The folder that holds all cache folders: AZUL_CACHE_DIR, else the user's cache, else a temporary one.

    A named folder that is ours, or root's, is used even where it cannot be written: an image brings its machine code.
    """
    named = os.environ.get("AZUL_CACHE_DIR")
    if named and Path(named).is_dir() and Path(named).stat().st_uid in (0, os.getuid()):
        return Path(named)
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


def object_path(name: str, *places: Path) -> Path:
    """Where the machine code of that name is kept: of these sources, files or folders, and for this processor."""
    machine = f"{platform.machine()} {metadata.version('numba')} {metadata.version('llvmlite')} {machine_code.cpu()}"
    key = hashlib.sha256(f"{sources_hash(*COMPILING, *places)} {machine}".encode()).hexdigest()[:24]
    return _root() / f"{name}-{key}{SUFFIX}"


_root = functools.cache(root)


def prune(current: Path) -> None:
    """Remove machine code of the same name but the most recently written; that of the last hour stays."""
    name = current.name.rpartition("-")[0]
    with contextlib.suppress(OSError):  # another process prunes too
        others = [path for path in current.parent.glob(f"{name}-*{SUFFIX}") if path != current]
        others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for path in others[KEPT:]:
            if time.time() - path.stat().st_mtime > 3600:
                path.unlink()


class Looks:
    """When to look for what may be there: at once, and every half second."""

    def __init__(self) -> None:
        self._due = 0.0

    def are_due(self) -> bool:
        """Whether to look now."""
        now = time.monotonic()
        if now < self._due or os.environ.get(PLAIN, "0") != "0":
            return False
        self._due = now + LOOK_S
        return True
