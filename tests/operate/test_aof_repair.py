"""A full disk leaves a hole in the append-only file. It is repaired before the next server reads the file."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import redis

from service.operate.redis.aof_repair import holes, remove_holes
from service.operate.redis.launcher import EmbeddedRedis
from tests.disk import full_disk, rewrite_aof

NOTE = b"#TS:1795425820\r\n"


def command(*words: bytes) -> bytes:
    return b"".join([b"*%d\r\n" % len(words), *(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)])


SET = command(b"SET", b"key", b"a value of two lines\r\n\0\0*1\r\nand zeros\0\0")


def test_data_written_after_a_full_disk_survives_the_next_kill(tmp_path: Path) -> None:
    """The server began this file while it ran, so it would refuse to load it with a hole."""
    with EmbeddedRedis(tmp_path) as server:
        with redis.Redis.from_url(server.url) as client:
            rewrite_aof(client)
            client.set("before", 1)
            with full_disk(server):
                pass
            for number in range(100):
                client.set(f"k{number}", number)
        server.kill9()
        server.restart()
        with redis.Redis.from_url(server.url) as client:
            assert [b"1", b"99"] == client.mget("before", "k99")


@pytest.mark.parametrize("before", [b"", NOTE + SET], ids=["at the beginning", "between commands"])
@pytest.mark.parametrize("size", [1, 146, 5000])
def test_only_holes_outside_of_commands_are_removed(tmp_path: Path, before: bytes, size: int) -> None:
    path = tmp_path / "appendonlydir" / "appendonly.aof.3.incr.aof"
    path.parent.mkdir()
    path.write_bytes(before + bytes(size) + SET + bytes(1) + NOTE + SET)
    assert size + 1 == remove_holes(tmp_path)
    assert before + SET + NOTE + SET == path.read_bytes()
    assert 0 == remove_holes(tmp_path)


@pytest.mark.parametrize("content", [b"", SET * 3, SET + bytes(9), SET[:-9], SET + b"no command" + bytes(9) + SET])
def test_file_without_a_hole_between_commands_is_unchanged(content: bytes) -> None:
    assert [] == holes(content)


def test_holes_found_in_damaged_files_contain_only_zeros() -> None:
    rng = random.Random(1)
    for _ in range(2_000):
        content = bytearray(SET * 3)
        for _ in range(3):
            content[rng.randrange(len(content))] = rng.choice(b"\0*$\r\n9-x")
        for begin, end in holes(bytes(content)):
            assert {0} == set(content[begin:end])
