"""What the embedded Redis has written is forced to disk by another."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from service.operate import forcing
from service.operate.launcher import EmbeddedRedis
from tests.disk import rewritten
from tests.operate.conftest import Running
from tests.patience import until


def test_the_file_that_redis_writes_to_is_forced_before_and_after_a_rewrite(
    valkey: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced, really = list[Path](), forcing.force

    def noted(descriptor: int) -> None:
        forced.append(Path(f"/proc/self/fd/{descriptor}").readlink())
        really(descriptor)

    monkeypatch.setattr(forcing, "force", noted)
    with redis.Redis.from_url(valkey.url) as client:
        for _ in range(2):
            client.set("key", "value")
            forced.clear()
            forcing.force_all(valkey.append_only)
            written = [path.readlink() for path in Path(f"/proc/{valkey.pid}/fd").iterdir()]
            assert set(forced) & set(written)
            rewritten(client)


OFTEN = "from service.operate import forcing; forcing.EVERY_S = 0.02; forcing.main()"
TOLD = "cannot be forced to disk"


def test_a_disk_that_fails_is_told_once_until_it_works_again(tmp_path: Path, run: Callable[..., Running]) -> None:
    file = tmp_path / "a.incr.aof"
    file.symlink_to(file)  # it cannot be opened
    running = run("-c", OFTEN, str(tmp_path))
    assert running.says(TOLD)
    time.sleep(0.2)
    assert 1 == running.output.count(TOLD)
    file.unlink()
    time.sleep(0.2)
    file.symlink_to(file)
    until(lambda: 2 == running.output.count(TOLD))
    assert running.process.poll() is None
