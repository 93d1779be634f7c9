"""Measure how soon a player can move: `python -m tests.bench.bench_first_move`; needs a browser.

Opens the link of a running game on a phone whose seat must decide: 150 ms for each response, 1.6 Mbit/s, a quarter of
this machine's speed (`--slower 2`: half of it, for a slow or busy machine). Time ends when the first legal action can
be clicked. Prints the median seconds of 5 runs with an empty cache, and of 5 with the service worker, and the ratios to
an empty page (`/healthz`) of the same run. With `--requests`, also lists the requests of the last run with an empty
cache.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from service.rulesets.registry import RULESETS
from tests.bench.bench_lighthouse import play_half
from tests.browser.chromium import HEADLESS, SWITCHES
from tests.e2e.stack import Stack
from tests.patience import wait_until

RUNS = 5
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
"""Lighthouse's slow 4G, in ms and bytes a second."""
READY = ".board .choice, .choosing .options button"
WATCHING = f"""
new MutationObserver((_, observer) => {{
  if (document.querySelector("{READY}") === null) return;
  window.readyAt = performance.now();
  observer.disconnect();
}}).observe(document, {{ childList: true, subtree: true }});
"""
LOADED = "performance.getEntriesByType('navigation')[0].responseEnd"


class Requests:
    """The requests of a page, with their times since its navigation."""

    def __init__(self) -> None:
        self._sent: dict[str, dict[str, Any]] = {}

    def send(self, event: dict[str, Any]) -> None:
        """Note that a request was sent."""
        path = event["request"]["url"].split("/", 3)[-1].split("?")[0]
        self._sent[event["requestId"]] = {"path": path, "from": event["timestamp"]}

    def finish(self, event: dict[str, Any]) -> None:
        """Note that a response has arrived."""
        if request := self._sent.get(event["requestId"]):
            request |= {"to": event["timestamp"], "kb": event["encodedDataLength"] / 1000}

    def lines(self) -> list[str]:
        """Return a line for each request. Streams have no end."""
        start = min(request["from"] for request in self._sent.values())
        return [
            f"    {1000 * (one['from'] - start):5.0f} to {1000 * (one.get('to', start) - start):5.0f} ms"
            f" {one.get('kb', 0):6.1f} KB  {one['path']}"
            for one in self._sent.values()
        ]


def throttle_worker(browser: Browser) -> None:
    """Slow down the network of service workers, which does not follow the page's."""
    session = browser.new_browser_cdp_session()
    for target in session.send("Target.getTargets")["targetInfos"]:
        if target["type"] == "service_worker":
            attached = session.send("Target.attachToTarget", {"targetId": target["targetId"], "flatten": False})
            for number, (method, params) in enumerate(
                (("Network.enable", {}), ("Network.emulateNetworkConditions", NETWORK)), start=1
            ):
                message = json.dumps({"id": number, "method": method, "params": params})
                session.send("Target.sendMessageToTarget", {"sessionId": attached["sessionId"], "message": message})


def open_slowly(
    context: BrowserContext, url: str, slower: float, *, until_ready: bool = True
) -> tuple[Page, float, Requests]:
    """Open a page on the slow phone. Return it, the seconds until it is ready or loaded, and its requests."""
    page, requests = context.new_page(), Requests()
    page.add_init_script(WATCHING)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.requestWillBeSent", requests.send)
    session.on("Network.loadingFinished", requests.finish)
    session.send("Network.emulateNetworkConditions", NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(url, wait_until="commit" if until_ready else "load")
    if until_ready:
        page.locator(READY).first.wait_for(state="attached")
    return page, page.evaluate("window.readyAt" if until_ready else LOADED) / 1000, requests


def new_phone(browser: Browser, games: dict[str, str]) -> BrowserContext:
    """Return a browser profile that has stored the games' tokens."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, device_scale_factor=2, is_mobile=True, has_touch=True
    )
    stored = {
        game: {"id": game, "ruleset": "", "at": 0, "seats": {"0": token}, "since": {"0": 0}, "taken": False}
        for game, token in games.items()
    }
    value = json.dumps(json.dumps(stored))
    context.add_init_script(f"localStorage.setItem('azul-table-games', {value})")
    return context


def measure_cold(
    browser: Browser, url: str, games: dict[str, str], slower: float, *, until_ready: bool = True
) -> tuple[float, Requests]:
    """Return the seconds with an empty cache, and the requests."""
    context = new_phone(browser, games)
    _, seconds, requests = open_slowly(context, url, slower, until_ready=until_ready)
    context.close()  # the throttle of an open page is busy, which would slow down later pages
    return seconds, requests


def measure_warm(browser: Browser, url: str, games: dict[str, str], slower: float) -> list[float]:
    """Return the seconds of visits after the first one, when the service worker serves the scripts."""
    context = new_phone(browser, games)
    first = context.new_page()
    first.goto(url)
    wait_until(lambda: first.evaluate("navigator.serviceWorker.controller !== null"), "the service worker")
    throttle_worker(browser)
    seconds = []
    for _ in range(RUNS):
        page, taken, _ = open_slowly(context, url, slower)
        seconds.append(taken)
        page.close()
    context.close()
    return seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", action="store_true", help="list the requests of the last run")
    parser.add_argument("--slower", type=float, default=4, help="factor by which the phone is slower than this machine")
    options = parser.parse_args()
    slower = options.slower
    with (
        tempfile.TemporaryDirectory() as folder,
        Stack(Path(folder), WEB_WORKERS="1") as stack,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=HEADLESS, args=SWITCHES) as browser,
    ):
        games = {ruleset: play_half(stack, ruleset) for ruleset in RULESETS}
        tokens = dict(games.values())
        empty = f"{stack.url}/healthz"
        bare = median(measure_cold(browser, empty, {}, slower, until_ready=False)[0] for _ in range(RUNS))
        print(f"load {os.getloadavg()[0]:.1f}, empty page {bare:.2f} s")
        print(f"{'seconds until the first action':32} {'cold':>6} {'ratio':>6} {'warm':>6} {'ratio':>6}")
        for ruleset, (game, _) in games.items():
            url = f"{stack.url}/play#/{game}"
            measure_cold(browser, url, tokens, slower)  # so that the service has drawn the picture once
            cold = [measure_cold(browser, url, tokens, slower) for _ in range(RUNS)]
            seconds, warm = median(taken for taken, _ in cold), median(measure_warm(browser, url, tokens, slower))
            print(f"{ruleset:32} {seconds:6.2f} {seconds / bare:6.1f} {warm:6.2f} {warm / bare:6.1f}", flush=True)
            if options.requests:
                print("\n".join(cold[-1][1].lines()), flush=True)


if __name__ == "__main__":
    main()
