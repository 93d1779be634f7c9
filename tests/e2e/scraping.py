"""A Prometheus that scrapes one address with the sample configuration."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests
import yaml

from tests.e2e.stack import ROOT, free_port
from tests.patience import HANG_S, wait_until
from tests.tools import program

SAMPLE = ROOT / "deploy" / "prometheus" / "prometheus.yaml"
Results = Callable[[str], list[dict[str, Any]]]
"""Returns the current results of a query."""


@contextmanager
def scraping(metrics_url: str, folder: Path) -> Iterator[Results]:
    """Run Prometheus in the block, with a scrape each half second."""
    configuration = yaml.safe_load(SAMPLE.read_text("utf-8"))
    configuration["global"]["scrape_interval"] = "500ms"
    configuration["rule_files"] = [str(SAMPLE.parent / name) for name in configuration["rule_files"]]
    (job,) = configuration["scrape_configs"]
    job["static_configs"] = [{"targets": [metrics_url.split("/")[2]]}]
    (folder / "prometheus.yaml").write_text(yaml.safe_dump(configuration), "utf-8")
    address, output = f"127.0.0.1:{free_port()}", folder / "prometheus.log"
    options = {"config.file": folder / "prometheus.yaml", "storage.tsdb.path": folder, "web.listen-address": address}
    command = [program("prometheus"), *(f"--{name}={value}" for name, value in options.items())]
    with output.open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)

    def is_ready() -> bool:
        assert process.poll() is None, output.read_text()
        try:
            return requests.get(f"http://{address}/-/ready", timeout=HANG_S).ok
        except requests.RequestException:
            return False

    def results(query: str) -> list[dict[str, Any]]:
        answer = requests.get(f"http://{address}/api/v1/query", params={"query": query}, timeout=HANG_S)
        assert answer.ok, answer.text
        return list(answer.json()["data"]["result"])

    try:
        wait_until(is_ready, output.read_text)
        yield results
    finally:
        process.terminate()
        process.wait(HANG_S)
