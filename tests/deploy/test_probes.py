"""The heartbeat file and the counts of a pod."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import requests

from tests.deploy.conftest import Start, is_reachable
from tests.deploy.samples import compose
from tests.e2e.stack import free_port
from tests.patience import HANG_S, wait_until

MINUTE_S = 60
COUNT = """
from service.operate.observability import counting, metrics
from service.settings import Settings
counting.start(Settings.from_environment())
metrics.current.record_request("listLevels", 200, 0.1)
"""


def test_a_process_touches_its_file_while_it_lives_even_without_redis(run: Start, tmp_path: Path) -> None:
    file = tmp_path / "heartbeat"
    environment = {"REDIS_URL": f"redis://127.0.0.1:{free_port()}", "HEARTBEAT_FILE": str(file)}
    keeper = run("-m", "azul_games_server", "keeper", **environment)
    _, script = compose()["services"]["keeper"]["healthcheck"]["test"]
    script = script.replace("$$", "$").replace("/tmp/heartbeat", str(file))  # noqa: S108 - that of the sample

    def is_alive() -> bool:
        return subprocess.run(["sh", "-c", script], stderr=subprocess.DEVNULL, check=False).returncode == 0

    assert not is_alive() or keeper.process.poll() is None
    wait_until(is_alive, lambda: keeper.output)
    os.utime(file, (0, 0))
    wait_until(is_alive, lambda: keeper.output)
    keeper.end()
    os.utime(file, (time.time() - MINUTE_S,) * 2)
    assert not is_alive()


def test_a_process_whose_file_cannot_be_written_does_not_start(run: Start, tmp_path: Path) -> None:
    file = str(tmp_path / "missing" / "heartbeat")
    keeper = run("-m", "azul_games_server", "keeper", REDIS_URL="redis://127.0.0.1:1", HEARTBEAT_FILE=file)
    assert 2 == keeper.process.wait(HANG_S)
    assert f"HEARTBEAT_FILE={file!r} is invalid" in keeper.output


def test_counts_of_a_pod_are_served_without_redis(run: Start, tmp_path: Path) -> None:
    metrics = {"METRICS_PORT": str(free_port()), "DATA_DIR": str(tmp_path)}
    counts = run("-m", "azul_games_server", "counts", **metrics)
    scraped = f"http://127.0.0.1:{metrics['METRICS_PORT']}/metrics"
    wait_until(lambda: is_reachable(scraped), lambda: counts.output)
    assert 0 == run("-c", COUNT, **metrics).process.wait(HANG_S)
    assert 'azul_http_requests_total{route="listLevels",status="200"} 1.0' in requests.get(scraped, timeout=HANG_S).text
    counts.process.terminate()
    assert 0 == counts.process.wait(HANG_S)


def test_counts_need_a_port(run: Start) -> None:
    counts = run("-m", "azul_games_server", "counts")
    assert 2 == counts.process.wait(HANG_S)
    assert "METRICS_PORT" in counts.output
