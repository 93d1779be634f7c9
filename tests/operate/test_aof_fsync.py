"""A separate process syncs the append-only file of the embedded Redis to disk."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
import redis

from service.operate.redis import aof_fsync
from service.operate.redis.launcher import EmbeddedRedis
from tests.disk import rewrite_aof


def open_files(pid: int | None) -> set[Path]:
    """Return the files that a process has open, except those that it closes during the call."""
    files = set[Path]()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            files.add(descriptor.readlink())
    return files


def test_current_append_only_file_is_synced_before_and_after_a_rewrite(
    valkey: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced, really = list[Path](), aof_fsync.force

    def record_file(descriptor: int) -> None:
        forced.append(Path(f"/proc/self/fd/{descriptor}").readlink())
        really(descriptor)

    monkeypatch.setattr(aof_fsync, "force", record_file)
    with redis.Redis.from_url(valkey.url) as client:
        for _ in range(2):
            client.set("key", "value")
            forced.clear()
            aof_fsync.force_all(valkey.append_only)
            assert set(forced) & open_files(valkey.pid)
            rewrite_aof(client)


def test_failing_disk_is_reported_once_until_it_recovers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter([OSError("it is full"), OSError("it is full"), None, OSError("it is full"), KeyboardInterrupt()])
    monkeypatch.setattr(aof_fsync, "force_all", Mock(side_effect=answers))
    monkeypatch.setattr(aof_fsync, "EVERY_S", 0.0)
    monkeypatch.setattr(sys, "argv", ["forcing", str(tmp_path)])
    with pytest.raises(KeyboardInterrupt):
        aof_fsync.main()
    assert ["cannot sync the append-only file to disk: it is full"] * 2 == capsys.readouterr().out.splitlines()
