"""Private files: replaced atomically, and read with their digest."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from service.files import read_with_digest, write_file, write_with_digest


def test_only_the_owner_may_read_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o644)
    write_file(path, b"new")
    assert (b"new", 0o600, [path]) == (path.read_bytes(), path.stat().st_mode & 0o777, [*tmp_path.iterdir()])


def test_a_failed_write_keeps_the_old_file_and_leaves_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    path = tmp_path / "file"
    write_file(path, b"old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no space"):
        write_file(path, b"new")
    assert (b"old", [path]) == (path.read_bytes(), [*tmp_path.iterdir()])


@pytest.mark.parametrize("size", [0, 31, 32, 35])
def test_a_truncated_file_is_damaged(size: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_with_digest(path, b"content")
    assert b"content" == read_with_digest(path)
    path.write_bytes(path.read_bytes()[:size])
    assert read_with_digest(path) is None
