"""Backups contain one moment and can be restored. A restore that fails or is killed loses nothing."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.operate.__main__ import main
from service.operate.data_dir import OperateError
from service.operate.redis import aof_repair, backups
from service.operate.redis.backups import backup, restore
from service.operate.redis.launcher import EmbeddedRedis
from tests.usecases.killing import KilledError, killed_before


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    with EmbeddedRedis(tmp_path / "data") as running:
        yield running


def client(server: EmbeddedRedis) -> Redis:
    return Redis.from_url(server.socket_url)


@pytest.fixture
def backed_up(server: EmbeddedRedis) -> Path:
    """Return a backup in which `kept` is 1, of a stopped server in which it is 2."""
    with client(server) as redis:
        redis.set("kept", "1")
        path = backup(server.data_dir)
        redis.set("kept", "2")
    server.stop()
    return path


def stored_keys(data_dir: Path) -> dict[bytes, bytes]:
    """Start the Redis of a directory and return its keys with their values."""
    with EmbeddedRedis(data_dir) as server, client(server) as redis:
        return {key: redis.get(key) or b"" for key in redis.keys()}  # noqa: SIM118 - of Redis


def test_backup_does_not_contain_later_writes(server: EmbeddedRedis, tmp_path: Path) -> None:
    with client(server) as redis:
        redis.set("kept", "1")
        redis.set("short", "1", ex=9_000)
        path = backup(server.data_dir)
        redis.set("kept", "2")
        redis.set("later", "1")
    assert stat.S_IRUSR | stat.S_IWUSR == stat.S_IMODE(path.stat().st_mode)
    server.stop()
    count, before = restore(server.data_dir, path)
    assert (2, {b"kept": b"1", b"short": b"1"}) == (count, stored_keys(server.data_dir))
    assert before is not None
    elsewhere = tmp_path / "elsewhere"
    assert (2, None) == restore(elsewhere, path)
    with EmbeddedRedis(elsewhere) as other, client(other) as redis:
        assert 0 < redis.ttl("short") <= 9_000
        redis.set("kept", "3")
    assert {b"kept": b"3", b"short": b"1"} == stored_keys(elsewhere)


def test_state_before_a_restore_is_kept_and_can_be_put_back(server: EmbeddedRedis, backed_up: Path) -> None:
    _, before = restore(server.data_dir, backed_up)
    assert before is not None
    present = before.with_name(aof_repair.APPEND_ONLY)
    present.rename(before.with_name("of-the-backup"))
    before.rename(present)
    assert {b"kept": b"2"} == stored_keys(server.data_dir)


def test_backup_works_without_a_running_server_and_deletes_older_backups(
    server: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    with client(server) as redis:
        redis.set("kept", "1")
    server.stop()
    stamps = iter(["20260101T000000Z", "20260102T000000Z", "20260103T000000Z"])
    monkeypatch.setattr(backups, "_stamp", lambda: next(stamps))
    made = [backup(server.data_dir, keep=2) for _ in range(3)]
    assert [False, True, True] == [path.exists() for path in made]
    assert {b"kept": b"1"} == stored_keys(server.data_dir)


def test_unreadable_backup_changes_nothing(server: EmbeddedRedis, backed_up: Path, tmp_path: Path) -> None:
    content = backed_up.read_bytes()
    for damaged in (content[: len(content) // 2], b"no backup at all", content[:-9] + b"12345678" + content[-1:]):
        bad = tmp_path / "bad.rdb"
        bad.write_bytes(damaged)
        with pytest.raises(OperateError, match="cannot be read"):
            restore(server.data_dir, bad)
        assert {b"kept": b"2"} == stored_keys(server.data_dir)
    with pytest.raises(OperateError, match="there is no file"):
        restore(server.data_dir, tmp_path / "none.rdb")
    with pytest.raises(OperateError, match="is not a file"):
        restore(server.data_dir, tmp_path)


@pytest.mark.parametrize(("step", "left"), [(0, b"2"), (1, b"2"), (2, b"1")])
def test_killed_restore_leaves_the_old_state_or_the_new_one(
    server: EmbeddedRedis, backed_up: Path, step: int, left: bytes
) -> None:
    """Kill it before the first, second and third rename."""
    with pytest.raises(KilledError), killed_before(Path, "rename", step + 1):
        restore(server.data_dir, backed_up)
    assert {b"kept": left} == stored_keys(server.data_dir)
    restore(server.data_dir, backed_up)
    assert {b"kept": b"1"} == stored_keys(server.data_dir)


@pytest.mark.parametrize("keep", [0, -1])
def test_at_least_one_backup_is_kept(server: EmbeddedRedis, keep: int) -> None:
    made = backup(server.data_dir)
    with pytest.raises(OperateError, match="at least 1"):
        backup(server.data_dir, keep)
    assert [made] == [*made.parent.iterdir()]


@pytest.mark.usefixtures("impatient")
def test_running_server_prevents_a_restore(server: EmbeddedRedis) -> None:
    path = backup(server.data_dir)
    with pytest.raises(OperateError, match="is in use by another instance"):
        restore(server.data_dir, path)


def test_failure_to_write_the_snapshot_is_reported(server: EmbeddedRedis) -> None:
    (server.data_dir / "redis" / "dump.rdb" / "in the way").mkdir(parents=True)
    with pytest.raises(OperateError, match="could not write its snapshot"):
        backup(server.data_dir)


@pytest.mark.usefixtures("impatient")
def test_commands_print_their_result_or_the_reason_of_a_failure(
    server: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("DATA_DIR", str(server.data_dir))
    assert 0 == main(["backup"])
    path, _, size = capsys.readouterr().out.partition("  ")
    assert f"{Path(path).stat().st_size:,} bytes\n" == size
    assert 2 == main(["restore", path])
    assert "cannot restore: DATA_DIR=" in capsys.readouterr().err
    assert 2 == main(["restore", ""])
    assert "cannot restore: set FILE to a backup" in capsys.readouterr().err
    server.stop()
    assert 0 == main(["restore", path])
    assert "Restored 0 keys" in capsys.readouterr().out
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "nothing"))
    assert 2 == main(["backup"])
    assert "contains no data yet" in capsys.readouterr().err
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:6379/0")
    for command in (["backup"], ["restore", path]):
        assert 2 == main(command)
        assert "REDIS_URL names an external Redis" in capsys.readouterr().err


def test_full_disk_is_reported_with_the_command_and_the_path(
    server: EmbeddedRedis, backed_up: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("DATA_DIR", str(server.data_dir))

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "dump.rdb")

    monkeypatch.setattr(shutil, "copyfile", fail)
    monkeypatch.setattr(Path, "replace", fail)
    for arguments in (["restore", str(backed_up)], ["backup"]):
        assert 2 == main(arguments)
        expected = f"cannot {arguments[0]}: DATA_DIR={server.data_dir}: No space left on device (dump.rdb)\n"
        assert expected == capsys.readouterr().err


def test_restore_ends_when_the_append_only_file_cannot_be_written(
    server: EmbeddedRedis, backed_up: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redis itself would retry for ever."""
    failed = {"aof_last_bgrewrite_status": "err", "aof_rewrite_in_progress": 1, "aof_rewrite_scheduled": 0}
    states = iter([failed])
    monkeypatch.setattr(backups, "_persistence", lambda _: next(states))
    with pytest.raises(OperateError, match="could not write its append-only file"):
        restore(server.data_dir, backed_up)
    assert {b"kept": b"2"} == stored_keys(server.data_dir)
