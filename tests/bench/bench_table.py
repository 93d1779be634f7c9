"""How soon is a running game seen? `python -m tests.bench.bench_table`; needs what `make test-browser` needs.

Ms from asking for the page to the picture of the table being in it, median of 15 loads of a game that is played, in a
browser that has loaded the page before and in one that has not; the ratio is to the page of a bare route (`/healthz`)
in the same run. And how many bytes the page loads, compressed.
"""

from __future__ import annotations

import gzip
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from service.rulesets.registry import RULESETS
from tests.browser.chromium import CHROMIUM, SWITCHES
from tests.e2e.stack import Stack

LOADS = 15
TABLE = Path(__file__).parents[2] / "service" / "static" / "table"


def load_ms(page: Page, url: str, seen: str) -> float:
    """From asking to seeing."""
    page.goto("about:blank")
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_selector(seen, state="attached")
    return 1000 * (time.perf_counter() - began)


def loads_ms(browser: Browser, url: str, seen: str, *, anew: bool) -> float:
    """Median of the loads; `anew`: each by a browser that knows nothing."""
    taken = []
    context = browser.new_context()
    for _ in range(LOADS):
        if anew:
            context.close()
            context = browser.new_context()
        page = context.new_page()
        taken.append(load_ms(page, url, seen))
        page.close()
    context.close()
    return median(taken)


def main() -> None:
    """Print the table."""
    sizes = [len(gzip.compress(path.read_bytes())) for path in TABLE.iterdir()]
    print(f"the page loads {sum(sizes) / 1000:.0f} KB, compressed\n")
    print(f"{'':18} {'first ms':>9} {'again ms':>9} {'bare page ms':>13} {'ratio':>6}")
    with (
        tempfile.TemporaryDirectory() as folder,
        Stack(Path(folder)) as stack,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES) as browser,
    ):
        for ruleset in RULESETS.values():
            seats = [{"kind": "player"}, {"kind": "ai", "level": "random"}]
            made = stack.create(ruleset=ruleset.id, variant=ruleset.variants[0], seats=seats)
            url = f"{stack.url}/play#/{made['game']['id']}"
            bare = loads_ms(browser, f"{stack.url}/healthz", "body", anew=False)
            first, again = (loads_ms(browser, url, ".board svg", anew=anew) for anew in (True, False))
            print(f"{ruleset.id:18} {first:9.0f} {again:9.0f} {bare:13.0f} {again / bare:6.1f}")


if __name__ == "__main__":
    main()
