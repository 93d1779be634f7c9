"""Cache of machine code on disk.

The name of a file contains a hash of the compiled sources, the compiler and the processor, so a process never runs code
of other sources. A process runs plain Python until its file exists. A wheel may contain shared libraries of its sources
instead, which need neither the cache nor a compiler.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
import time
from importlib import metadata
from pathlib import Path

from service.files import CODE_SUFFIX, code_folder
from service.rulesets import machine_code

PLAIN = "AZUL_PLAIN"  # variable that keeps a process from machine code, for tests and measurements
CHECK_S = 0.5
KEPT = 4  # files of other sources (other checkouts, branches) that survive a pruning
WEIGHTS, PREFERENCES, VALUES = "weights.json", "preferences.npz", "values.npz"  # compiled in
RULESETS_FOLDER = Path(__file__).parent
SHARED_LIBRARIES = RULESETS_FOLDER / "compiled"  # only in wheels for one kind of machine
PREFIX = __name__.removesuffix("service.rulesets.code_cache").encode()
"""What precedes the names of our modules in imports: nothing, or the package of a wheel that contains them."""
SHARED_BY_RULES = (RULESETS_FOLDER / "seats.py", RULESETS_FOLDER / "kernel.py", RULESETS_FOLDER / "parts")
"""Modules that are compiled into the rules of several rulesets."""
SHARED = (*SHARED_BY_RULES, RULESETS_FOLDER / "networks")
"""Modules that are compiled into rules and evaluations."""
COMPILING = (RULESETS_FOLDER / "compiler.py", RULESETS_FOLDER / "machine_code.py")


def sources_hash(*places: Path) -> str:
    """Return the SHA-256, in hex, of files, and of Python sources and weights in folders, with their relative names.

    It is the same in a checkout and in wheels.
    """
    digest = hashlib.sha256()
    for place in sorted(places):
        found = (path for name in ("*.py", WEIGHTS, PREFERENCES, VALUES) for path in place.rglob(name))
        for path in sorted(found) if place.is_dir() else [place]:
            content = path.read_bytes().replace(PREFIX, b"")
            digest.update(str(path.relative_to(place.parent)).encode() + b"\0" + content + b"\0")
    return digest.hexdigest()


class Library:
    """Functions that are compiled into one object: the path of its file, and its code once the file exists."""

    def __init__(self, name: str, *sources: Path) -> None:
        """Describe an object; `sources`: files and folders of everything that is compiled into it."""
        self._name, self._sources = name, sources
        self._code: machine_code.MachineCode | None = None
        self._due = 0.0

    @functools.cached_property
    def _sources_hash(self) -> str:
        return sources_hash(*COMPILING, *self._sources)

    @functools.cached_property
    def path(self) -> Path:
        """The object's file, for these sources and this processor. Raises PackageNotFoundError without Numba."""
        machine = (platform.machine(), metadata.version("numba"), metadata.version("llvmlite"), machine_code.target())
        key = hashlib.sha256(f"{self._sources_hash} {machine}".encode()).hexdigest()[:24]
        return code_folder() / f"{self._name}-{key}{CODE_SUFFIX}"

    @property
    def shared_path(self) -> Path:
        """The file of the object as a shared library, for these sources."""
        return SHARED_LIBRARIES / f"{self._name}-{self._sources_hash[:24]}.so"

    def load(self) -> machine_code.MachineCode | None:
        """Return the machine code, or None if there is none, or neither a shared library nor Numba."""
        if self.shared_path.exists():
            return machine_code.load_shared(self.shared_path)
        with contextlib.suppress(metadata.PackageNotFoundError):
            return machine_code.load(self.path)
        return None

    def code(self) -> machine_code.MachineCode | None:
        """Return the machine code unless PLAIN is set, or None. Looks for the file at most every half second."""
        now = time.monotonic()
        if self._code is None and now >= self._due and os.environ.get(PLAIN, "0") == "0":
            self._due = now + CHECK_S
            self._code = self.load()
        return self._code

    def save(self, code: bytes) -> None:
        """Save the object. Delete objects of this name that are over an hour old, except the last KEPT."""
        machine_code.save(self.path, code)
        self._due = 0.0
        with contextlib.suppress(OSError):  # another process deletes, too
            others = [path for path in self.path.parent.glob(f"{self._name}-*{CODE_SUFFIX}") if path != self.path]
            for path in sorted(others, key=lambda path: path.stat().st_mtime)[:-KEPT]:
                if time.time() - path.stat().st_mtime > 3600:
                    path.unlink()
