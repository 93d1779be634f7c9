"""What the embedded Redis has written is forced to disk by another."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
import redis

from service.operate.redis import aof_fsync
from service.operate.redis.launcher import EmbeddedRedis
from tests.disk import rewritten


def open_files(pid: int | None) -> set[Path]:
    """Return what a process has open. It may close files meanwhile."""
    files = set[Path]()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            files.add(descriptor.readlink())
    return files


def test_the_file_that_redis_writes_to_is_forced_before_and_after_a_rewrite(
    valkey: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced, really = list[Path](), aof_fsync.force

    def noted(descriptor: int) -> None:
        forced.append(Path(f"/proc/self/fd/{descriptor}").readlink())
        really(descriptor)

    monkeypatch.setattr(aof_fsync, "force", noted)
    with redis.Redis.from_url(valkey.url) as client:
        for _ in range(2):
            client.set("key", "value")
            forced.clear()
            aof_fsync.force_all(valkey.append_only)
            assert set(forced) & open_files(valkey.pid)
            rewritten(client)


def test_a_disk_that_fails_is_told_once_until_it_works_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter([OSError("it is full"), OSError("it is full"), None, OSError("it is full"), KeyboardInterrupt()])
    monkeypatch.setattr(aof_fsync, "force_all", Mock(side_effect=answers))
    monkeypatch.setattr(aof_fsync, "EVERY_S", 0.0)
    monkeypatch.setattr(sys, "argv", ["forcing", str(tmp_path)])
    with pytest.raises(KeyboardInterrupt):
        aof_fsync.main()
    assert ["cannot sync the append-only file to disk: it is full"] * 2 == capsys.readouterr().out.splitlines()
