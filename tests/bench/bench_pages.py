"""Measure how soon a page can be read: `python -m tests.bench.bench_pages`; needs a browser.

Prints the median seconds of 5 loads until a text of the page is present, with an empty cache, the width of a phone and
a quarter of this machine's speed, the ratio to a bare page (`/healthz`), and the bytes sent.
docs/decisions/0007-own-reference-pages.md compares them with libraries.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import HEADLESS, SWITCHES
from tests.e2e.stack import Stack

LOADS, SLOWER = 5, 4
OURS = {
    "/healthz": "ok",
    "/docs": "Create a game",
    "/docs/api/submitAction": "Try it",
    "/docs/tutorials/first-game": "Create a game",
}


def measure(browser: Browser, url: str, text: str) -> tuple[float, float]:
    """Return the seconds until the text is present, and the KB sent."""
    seconds, sent = [], list[float]()

    def record_size(finished: dict[str, Any]) -> None:
        sent.append(finished["encodedDataLength"])

    for _ in range(LOADS):
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        session.send("Network.enable")
        session.on("Network.loadingFinished", record_size)
        began = time.perf_counter()
        page.goto(url, wait_until="commit")
        page.get_by_text(text).first.wait_for(state="attached")
        seconds.append(time.perf_counter() - began)
        context.close()
    return median(seconds), sum(sent) / LOADS / 1000


def main() -> None:
    """Print the table."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Stack(Path(folder)) as stack,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=HEADLESS, args=SWITCHES) as browser,
    ):
        measure(browser, f"{stack.url}/docs", "Create a game")  # so that the service has rendered it once
        bare, _ = measure(browser, f"{stack.url}/healthz", "ok")
        print(f"{'':32} {'seconds':>8} {'ratio':>6} {'KB sent':>8}")
        for path, text in OURS.items():
            seconds, sent = measure(browser, stack.url + path, text)
            print(f"{path:32} {seconds:8.2f} {seconds / bare:6.1f} {sent:8.0f}", flush=True)


if __name__ == "__main__":
    main()
