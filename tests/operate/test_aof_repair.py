"""A full disk leaves a hole in the append-only file; it is mended before the next server reads it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import redis

from service.operate.redis.aof_repair import holes, mend
from service.operate.redis.launcher import EmbeddedRedis
from tests.disk import full, rewritten

NOTE = b"#TS:1795425820\r\n"


def command(*words: bytes) -> bytes:
    return b"".join([b"*%d\r\n" % len(words), *(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)])


SET = command(b"SET", b"key", b"a value of two lines\r\n\0\0*1\r\nand zeros\0\0")


def test_what_is_written_after_a_full_disk_survives_the_next_kill(tmp_path: Path) -> None:
    """In a file that the server has begun while it ran, it leaves a hole, and would not read it again."""
    with EmbeddedRedis(tmp_path) as server:
        with redis.Redis.from_url(server.url) as client:
            rewritten(client)
            client.set("before", 1)
            with full(server):
                pass
            for number in range(100):
                client.set(f"k{number}", number)
        server.kill9()
        server.restart()
        with redis.Redis.from_url(server.url) as client:
            assert [b"1", b"99"] == client.mget("before", "k99")


@pytest.mark.parametrize("size", [1, 146, 5000])
def test_a_hole_between_two_commands_is_taken_out_and_nothing_else(tmp_path: Path, size: int) -> None:
    path = tmp_path / "appendonlydir" / "appendonly.aof.3.incr.aof"
    path.parent.mkdir()
    path.write_bytes(NOTE + SET + bytes(size) + SET + bytes(1) + NOTE + SET)
    assert size + 1 == mend(tmp_path)
    assert NOTE + SET + SET + NOTE + SET == path.read_bytes()
    assert 0 == mend(tmp_path)


def test_a_hole_may_be_the_first_that_is_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "appendonlydir" / "appendonly.aof.3.incr.aof"
    path.parent.mkdir()
    path.write_bytes(bytes(1024) + SET)
    assert 1024 == mend(tmp_path)
    assert SET == path.read_bytes()


@pytest.mark.parametrize("content", [b"", SET * 3, SET + bytes(9), SET[:-9], SET + b"no command" + bytes(9) + SET])
def test_a_file_without_a_hole_stays_as_it_is(content: bytes) -> None:
    assert [] == holes(content)


def test_damaged_files_are_read_without_fault() -> None:
    rng = random.Random(1)
    for _ in range(2_000):
        content = bytearray(SET * 3)
        for _ in range(3):
            content[rng.randrange(len(content))] = rng.choice(b"\0*$\r\n9-x")
        for begin, end in holes(bytes(content)):
            assert {0} == set(content[begin:end])
