"""The second thread of a keeper archives finished games, and a slow archive delays nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.storage.games.archive import Archive
from service.storage.work.queue import BACKGROUND
from service.storage.work.tasks import DONE
from service.usecases.base.context import Context, open_context
from service.usecases.keeping import archiving, duties
from service.usecases.work import analyses
from service.usecases.work.analyses import REVIEW, AnalysisRequest
from tests.patience import HANG_S, wait_until
from tests.usecases.games.test_archiving import finished_game, remove_from_redis
from tests.usecases.players import player
from workers import archiver, background, jobs


@pytest.fixture
def context(
    valkey: EmbeddedRedis, redis_client: redis.Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Context]:
    """Yield dependencies with an empty store and archive. Threads of the test end with it."""
    env = {"REDIS_URL": valkey.socket_url, "ARCHIVE_URL": "local", "DATA_DIR": str(tmp_path)}
    before = set(threading.enumerate())
    yield open_context(Settings.from_environment(env))

    def end(*_: Any) -> None:
        raise SystemExit

    monkeypatch.setattr(archiving, "run_due", end)
    for thread in set(threading.enumerate()) - before:
        if thread.name == "archiver":
            thread.join(HANG_S)
            assert not thread.is_alive()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # ends the thread
def test_slow_archive_does_not_delay_the_keeper(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    archive: Any = context.archive
    writing, may_go_on = threading.Event(), threading.Event()

    def slow(*args: Any) -> None:
        writing.set()
        assert may_go_on.wait(HANG_S)
        Archive.write(archive, *args)

    monkeypatch.setattr(archive, "write", slow)
    (_, ana), (_, ben) = player(context), player(context)
    game = finished_game(context, ana, ben)
    archiver.start(context)
    assert writing.wait(HANG_S)
    assert not duties.run_due(context, duties.BackOff())
    assert archive.read(game) is None
    may_go_on.set()
    wait_until(lambda: archive.read(game))


def test_archived_game_is_reviewed_to_its_end(
    context: Context, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "context", lambda: context)
    (_, ana), (_, ben) = player(context), player(context)
    game = finished_game(context, ana, ben, decisions=4)
    archiving.run_due(context, duties.BackOff())
    remove_from_redis(redis_client, game)
    task = analyses.create(context, ana, game, AnalysisRequest(REVIEW, 0.2, 1))["id"]
    remove_from_redis(redis_client, game)
    background.do_next(BACKGROUND)
    result = analyses.get(context, ana, task, None, 0)
    assert result is not None
    assert (DONE, 4) == (result["status"], len(result["review"]["decisions"]))


def test_archiver_has_no_thread_without_an_archive(valkey: EmbeddedRedis, redis_client: redis.Redis) -> None:
    before = threading.active_count()
    archiver.start(open_context(Settings.from_environment({"REDIS_URL": valkey.socket_url})))
    assert before == threading.active_count()
