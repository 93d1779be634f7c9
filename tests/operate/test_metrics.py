"""Metrics: off without a port; correct after kills, with a bounded number of files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from service.operate.observability import counting, metrics
from service.settings import Settings
from tests.operate.conftest import ROOT
from tests.patience import HANG_S

COUNT = """
import os, signal, sys
from pathlib import Path
from service.operate.observability.instruments import Instruments
instruments = Instruments(Path(sys.argv[1]))
for _ in range(3):
    instruments.record_request("getGame", 200, 0.004)
instruments.record_request("getGame", 200, None)
instruments.stream_opened()
if (child := os.fork()) == 0:
    instruments.record_request("getGame", 200, 0.3)
    instruments.stream_opened()
    os.kill(os.getpid(), signal.SIGKILL)
os.waitpid(child, 0)
print("counted", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
READ = """
import json, sys
from pathlib import Path
from service.operate.observability.instruments import Instruments
read = Instruments(Path(sys.argv[1])).collector().collect()
print(json.dumps({f"{sample.name} {sample.labels}": sample.value for family in read for sample in family.samples}))
"""
LOADED = """
import sys
from service.app import create_app
from service.settings import Settings
from workers import crew
create_app(Settings.from_environment({"REDIS_URL": "redis://localhost"}))
names = ("prometheus_client", "opentelemetry.sdk.trace", "opentelemetry.exporter")  # redis-py imports other parts
print([name for name in names if name in sys.modules])
"""


def program(source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the source of a Python program and return the ended process."""
    command = [sys.executable, "-c", source, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG_S, check=False)


def read(folder: Path) -> dict[str, float]:
    """Return all samples counted in a folder, by name and labels."""
    ended = program(READ, str(folder))
    assert 0 == ended.returncode, ended.stderr
    return dict(json.loads(ended.stdout))


def test_metrics_and_traces_are_not_imported_while_they_are_off() -> None:
    ended = program(LOADED)
    assert "[]\n" == ended.stdout, ended.stderr


def test_nothing_is_counted_without_a_port() -> None:
    before = metrics.current
    counting.start(Settings.from_environment({}))
    assert before is metrics.current


def test_counts_outlive_kills_and_files_do_not_grow(tmp_path: Path) -> None:
    """One process lives all the time, so the counters are not reset."""
    keep = subprocess.Popen(
        [sys.executable, "-c", f"{COUNT.rpartition('os.kill')[0]}sys.stdin.read()", str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert keep.stdin is not None
    assert keep.stdout is not None
    with keep:
        assert b"counted\n" == keep.stdout.readline()
        sizes = set[int]()
        for _ in range(3):
            assert -9 == program(COUNT, str(tmp_path)).returncode
            sizes.add(len([*tmp_path.iterdir()]))
        (tmp_path / "counter_99.db").touch()  # as if a process were creating it
        samples = read(tmp_path)
        keep.stdin.close()
    assert 1 == len(sizes)
    labels = "{'route': 'getGame'}"
    assert 4 * 5 == samples["azul_http_requests_total {'route': 'getGame', 'status': '200'}"]
    assert 4 * 4 == samples[f"azul_http_request_duration_seconds_count {labels}"]
    assert 4 * 3 == samples["azul_http_request_duration_seconds_bucket {'route': 'getGame', 'le': '0.005'}"]
    assert 1 == samples["azul_streams_open {}"]  # of the living process


def test_counts_restart_at_0_after_the_service_was_stopped(tmp_path: Path) -> None:
    program(COUNT, str(tmp_path))
    assert "azul_http_requests_total {'route': 'getGame', 'status': '200'}" not in read(tmp_path)
