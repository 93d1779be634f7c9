"""Private files, replaced atomically, and the folder of compiled code."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import tempfile
from pathlib import Path

CODE_SUFFIX = ".object"
DIGEST_BYTES = 32  # before the content of a file with a digest


def write_file(path: Path, content: bytes) -> None:
    """Replace a file that only its owner may read, and sync it to disk.

    After a crash or a power cut the file has the old or the new content. A killed process may leave a temporary file.
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        temporary = Path(file.name)
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write_with_digest(path: Path, content: bytes) -> None:
    """Replace a file whose damage `read_with_digest` detects."""
    write_file(path, hashlib.sha256(content).digest() + content)


def read_with_digest(path: Path) -> bytes | None:
    """Return the content that `write_with_digest` wrote, or None if it is damaged. Raises OSError."""
    content = path.read_bytes()
    digest, content = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    return content if hashlib.sha256(content).digest() == digest else None


@functools.cache
def code_folder() -> Path:
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
