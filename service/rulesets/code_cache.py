"""Cache of machine code on disk.

The name of a file contains a hash of the compiled sources, the compiler and the processor, so a process never runs code
of other sources. A process runs plain Python until its file exists.
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

PLAIN = "AZUL_PLAIN"  # variable that keeps a process from machine code, for tests and measurements
SUFFIX = ".object"
LOOK_S = 0.5
KEPT = 4  # files of other sources (other checkouts, branches) that survive a pruning
WEIGHTS, PREFERENCES, VALUES = "weights.json", "preferences.npz", "values.npz"  # compiled in
RULESETS_FOLDER = Path(__file__).parent
SHARED_BY_RULES = (RULESETS_FOLDER / "seats.py", RULESETS_FOLDER / "kernel.py", RULESETS_FOLDER / "parts")
"""Modules that are compiled into the rules of several rulesets."""
SHARED = (*SHARED_BY_RULES, RULESETS_FOLDER / "networks")
"""Modules that are compiled into rules and evaluations."""
COMPILING = (RULESETS_FOLDER / "compiler.py", RULESETS_FOLDER / "machine_code.py")


def sources_hash(*places: Path) -> str:
    """Return the SHA-256, in hex, of files, and of Python sources and weights in folders, with their relative names."""
    digest = hashlib.sha256()
    for place in sorted(places):
        found = (path for name in ("*.py", WEIGHTS, PREFERENCES, VALUES) for path in place.rglob(name))
        for path in sorted(found) if place.is_dir() else [place]:
            digest.update(str(path.relative_to(place.parent)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@functools.cache
def root() -> Path:
    """Return the folder of all machine code: AZUL_CACHE_DIR, else the user's cache, else a temporary folder.

    An existing AZUL_CACHE_DIR of this user or root may be read-only, as in an image that contains machine code. Raises
    OSError if no folder can be written.
    """
    named = os.environ.get("AZUL_CACHE_DIR")
    if named and Path(named).is_dir() and Path(named).stat().st_uid in (0, os.getuid()):
        return Path(named)
    candidates = [Path(named)] if named else []
    with contextlib.suppress(RuntimeError):  # the user has no home directory
        candidates.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "azul-games-api")
    candidates.append(Path(tempfile.gettempdir()) / f"azul-games-api-{os.getuid()}")
    for candidate in candidates:
        with contextlib.suppress(OSError):
            candidate.mkdir(parents=True, exist_ok=True, mode=0o700)
            if os.access(candidate, os.W_OK) and candidate.stat().st_uid == os.getuid():
                return candidate
    raise OSError(f"none of {', '.join(map(str, candidates))} can be written: set AZUL_CACHE_DIR")


class Library:
    """Functions that are compiled into one object: the path of its file, and its code once the file exists."""

    def __init__(self, name: str, *sources: Path) -> None:
        """Describe an object; `sources`: files and folders of everything that is compiled into it."""
        self._name, self._sources = name, sources
        self._code: machine_code.MachineCode | None = None
        self._due = 0.0

    @functools.cached_property
    def path(self) -> Path:
        """The object's file, for these sources and this processor."""
        machine = (platform.machine(), metadata.version("numba"), metadata.version("llvmlite"), machine_code.cpu())
        key = hashlib.sha256(f"{sources_hash(*COMPILING, *self._sources)} {machine}".encode()).hexdigest()[:24]
        return root() / f"{self._name}-{key}{SUFFIX}"

    def code(self) -> machine_code.MachineCode | None:
        """Return the machine code, or None. Looks for the file at most every half second."""
        now = time.monotonic()
        if self._code is None and now >= self._due and os.environ.get(PLAIN, "0") == "0":
            self._due = now + LOOK_S
            self._code = machine_code.load(self.path)
        return self._code

    def save(self, code: bytes) -> None:
        """Save the object. Delete objects of this name that are over an hour old, except the last KEPT."""
        machine_code.save(self.path, code)
        self._due = 0.0
        with contextlib.suppress(OSError):  # another process deletes, too
            others = [path for path in self.path.parent.glob(f"{self._name}-*{SUFFIX}") if path != self.path]
            for path in sorted(others, key=lambda path: path.stat().st_mtime)[:-KEPT]:
                if time.time() - path.stat().st_mtime > 3600:
                    path.unlink()
