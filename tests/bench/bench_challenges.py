"""Measure how soon a challenge appears: `python -m tests.bench.bench_challenges`; needs a browser.

Starts the whole service. Time begins before the POST of a challenge. Prints the median and the maximum of 15
challenges until the response, the event on the player's `/v1/me/events`, and the notice on their open page. The
baseline of the same run is the response.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from threading import Thread
from typing import Any

import requests
from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import HEADLESS, SWITCHES
from tests.e2e.stack import Stack, bearer
from tests.patience import HANG_S

CHALLENGES = 15
BODY = {"ruleset": "azul", "variant": "coloured"}
NOTICE = '.notice a[href="#/lobby"]'
WATCHING_NOTICES = f"""
window.shownAt = null;
new MutationObserver(() => {{
  const isShown = document.querySelector('{NOTICE}') !== null;
  window.shownAt = isShown ? (window.shownAt ?? performance.timeOrigin + performance.now()) : null;
}}).observe(document, {{ childList: true, subtree: true }});
"""


def follow(stack: Stack, token: str, arrivals: SimpleQueue[float]) -> None:
    """Put the time of each new challenge on the player's stream into the queue."""
    headers = {"Accept": "application/x-ndjson", **bearer(token)}
    with requests.get(f"{stack.api}/me/events", headers=headers, stream=True, timeout=HANG_S) as answer:
        for line in answer.iter_lines(chunk_size=1):
            event = json.loads(line or "{}")
            if event.get("kind") == "challenge" and event["challenge"]["status"] == "open":
                arrivals.put(time.time())


def open_page(page: Page, stack: Stack, player: str, token: str) -> None:
    """Open the table as the player."""
    page.add_init_script(WATCHING_NOTICES)
    stored = json.dumps(json.dumps({"id": player, "token": token}))
    page.add_init_script(f"localStorage.setItem('azul-table-player', {stored})")
    with page.expect_request("**/v1/me/events*"):
        page.goto(f"{stack.url}/play#/leaders")


def challenge(stack: Stack, page: Page, player: str, token: str, arrivals: SimpleQueue[float]) -> Iterator[float]:
    """Challenge the player, then withdraw. Yield the seconds until the response, the event and the notice."""
    began = time.time()
    path, headers = f"{stack.api}/players/{player}/challenges", bearer(token)
    sent: dict[str, Any] = requests.post(path, json=BODY, headers=headers, timeout=HANG_S).json()
    yield time.time() - began
    yield arrivals.get(timeout=HANG_S) - began
    page.locator(NOTICE).wait_for()
    yield page.evaluate("window.shownAt") / 1000 - began
    requests.delete(f"{stack.api}/challenges/{sent['id']}", headers=headers, timeout=HANG_S).raise_for_status()
    page.locator(NOTICE).wait_for(state="detached")


def main() -> None:
    """Print the figures."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Stack(Path(folder)) as stack,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=HEADLESS, args=SWITCHES) as browser,
    ):
        ana, ben = (stack.new_player(name=name) for name in ("Ana", "Ben"))
        player = str(stack.get("/me", headers=bearer(ben)).json()["id"])
        arrivals = SimpleQueue[float]()
        Thread(target=follow, args=(stack, ben, arrivals), daemon=True).start()
        page = browser.new_page()
        open_page(page, stack, player, ben)
        rows = [[*challenge(stack, page, player, ana, arrivals)] for _ in range(CHALLENGES)]
        response, *_ = (median(column) for column in zip(*rows, strict=True))
        for name, column in zip(("response", "event", "notice"), zip(*rows, strict=True), strict=True):
            middle, last = median(column), max(column)
            print(f"{name:9} median {1000 * middle:4.0f} ms ({middle / response:.1f} x), maximum {1000 * last:4.0f} ms")


if __name__ == "__main__":
    main()
