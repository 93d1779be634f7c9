"""What does Lighthouse say of the table? `make lighthouse ARGS='--runs 1 --only home --device mobile'`.

Of each page, on a phone and at a desk, the median of its runs: scores of 100, first and largest contentful paint and
blocked time in ms on the device that Lighthouse simulates, and how far things have shifted; below them what it found
in any run. A score under 95 fails, except the one for search engines, which have nothing to find here.

Then the first paint in ms at a quarter of this machine's speed, median of as many loads: over a second fails.

Games are in their midst, and it is the turn of whoever looks. Devices are simulated in proportion to how fast
Lighthouse finds this machine; `--uncalibrated` takes it for as fast as Lighthouse expects.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import orjson
from playwright.sync_api import BrowserContext, sync_playwright

from service.rulesets.registry import RULESETS
from tests.browser.chromium import CHROMIUM, SWITCHES
from tests.e2e.stack import Stack
from tests.patience import until

RUNS, LEAST, SLOWER, LONGEST_MS, LONGEST_S = 5, 95, 4, 1000, 180
ACTIONS = 14
"""So many has whoever looks decided."""
KEPT = Path(__file__).parents[2] / "var" / "lighthouse"
"""For the last report of each page, which Lighthouse's viewer shows."""
JUDGED = ("performance", "accessibility", "best-practices")
CATEGORIES = (*JUDGED, "seo")
DEVICES: dict[str, tuple[str, ...]] = {"mobile": (), "desktop": ("--preset=desktop",)}
SLOWNESS = {"mobile": 4.0, "desktop": 1.0}
"""Times that the simulated devices are slower than a usual desktop."""
EXPECTED = 1500
"""The least benchmark index of such a desktop (Lighthouse's docs/throttling.md)."""
TIMES = {
    "FCP": "first-contentful-paint",
    "LCP": "largest-contentful-paint",
    "TBT": "total-blocking-time",
    "CLS": "cumulative-layout-shift",
}
PAINT = "performance.getEntriesByName('first-contentful-paint').map((entry) => entry.startTime)[0]"
Report = dict[str, Any]


def play_half(stack: Stack, ruleset: str) -> tuple[str, str]:
    """A game in its midst: its id, and the token of the seat that decides."""
    seats = [{"kind": "player"}, {"kind": "ai", "level": "random"}]
    made = stack.create(ruleset=ruleset, variant=RULESETS[ruleset].variants[0], seats=seats)
    game, token = made["game"]["id"], made["tokens"]["seats"]["0"]

    def legal() -> dict[str, Any] | None:
        """What the seat may do, once it decides."""
        answer: dict[str, Any] = stack.get(f"/games/{game}/actions").json()
        return answer if answer.get("seat") == 0 else None

    for _ in range(ACTIONS):
        may = until(legal, "a turn")
        stack.act(game, token, may["actions"][0]["id"], may["revision"]).raise_for_status()
    until(legal, "the turn to look at")
    return game, token


@contextmanager
def profile(folder: Path, stack: Stack, seats: dict[str, str]) -> Iterator[BrowserContext]:
    """A browser that remembers the games' tokens, as if they had been made in it."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(folder, executable_path=CHROMIUM, args=SWITCHES)
        page = context.pages[0]
        page.goto(f"{stack.url}/healthz")
        kept = {
            game: {"id": game, "ruleset": "", "at": 0, "seats": {"0": token}, "since": {"0": 0}, "taken": False}
            for game, token in seats.items()
        }
        page.evaluate("(kept) => localStorage.setItem('azul-table-games', JSON.stringify(kept))", kept)
        yield context
        context.close()


@dataclass(frozen=True)
class Judge:
    """Lighthouse, in that browser."""

    lighthouse: Path
    profile: Path

    def report(self, url: str, device: str, slower: float) -> Report:
        """One run. `slower`: than this machine is the simulated device."""
        flags = f"--headless=new --user-data-dir={self.profile} {' '.join(SWITCHES)}"
        command = [
            *("node", str(self.lighthouse / "cli" / "index.js"), url, *DEVICES[device], f"--chrome-flags={flags}"),
            *("--output=json", "--quiet", "--no-enable-error-reporting", f"--only-categories={','.join(CATEGORIES)}"),
            *("--throttling-method=simulate", f"--throttling.cpuSlowdownMultiplier={slower}"),
        ]
        environment = {**os.environ, "CHROME_PATH": str(CHROMIUM)}
        done = subprocess.run(command, env=environment, capture_output=True, timeout=LONGEST_S, check=False)
        if done.returncode:
            sys.exit(done.stderr.decode())
        return dict(orjson.loads(done.stdout))

    def calibrated(self, url: str) -> dict[str, float]:
        """How much slower than this machine each device is to be, by Lighthouse's own measure of this machine."""
        speeds = [self.report(url, "desktop", 1)["environment"]["benchmarkIndex"] for _ in range(3)]
        speed = median(speeds)
        print(f"this machine has a benchmark index of {speed:.0f}; Lighthouse expects {EXPECTED}\n", flush=True)
        return {device: round(usual * speed / EXPECTED, 2) for device, usual in SLOWNESS.items()}


def found(report: Report) -> set[str]:
    """The audits that say something is to be done, and what of."""
    audits = report["audits"]
    wanted = {ref["id"] for category in report["categories"].values() for ref in category["auditRefs"]}
    low = {name for name in wanted if (score := audits[name]["score"]) is not None and score < 0.9}
    return {f"{name} ({told})" if (told := audits[name].get("displayValue")) else name for name in sorted(low)}


def table_of(judge: Judge, pages: dict[str, str], slowness: dict[str, float], runs: int) -> list[str]:
    """Print a line for each page and device; which scores are too low."""
    low = []
    heads = [*(category[:11] for category in CATEGORIES), *TIMES]
    print(f"{'':30}" + "".join(f"{head:>12}" for head in heads))
    for name, url in pages.items():
        for device, slower in slowness.items():
            reports = [judge.report(url, device, slower) for _ in range(runs)]
            (KEPT / f"{name}-{device}.json").write_bytes(orjson.dumps(reports[-1]))
            scores = {
                each: median(100 * (report["categories"][each]["score"] or 0) for report in reports)
                for each in CATEGORIES
            }
            times = {
                head: median(report["audits"][audit]["numericValue"] for report in reports)
                for head, audit in TIMES.items()
            }
            cells = [f"{score:12.0f}" for score in scores.values()]
            cells += [f"{time:12.3f}" if head == "CLS" else f"{time:12.0f}" for head, time in times.items()]
            print(f"{name + ' ' + device:30}" + "".join(cells), flush=True)
            for finding in sorted(set[str]().union(*map(found, reports))):
                print(f"    {finding}", flush=True)
            low += [f"{name} {device}: {each} {scores[each]:.0f}" for each in JUDGED if scores[each] < LEAST]
    return low


def first_paint_ms(context: BrowserContext, url: str) -> float:
    """Of a browser that has nothing of the page in its cache, at a fraction of the speed."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.clearBrowserCache")
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    session.send("Network.setBypassServiceWorker", {"bypass": True})
    page.goto(url)
    taken = float(until(lambda: page.evaluate(PAINT), "a first paint"))  # the policy allows no wait_for_function
    page.close()
    return taken


def main() -> None:
    """Print both tables; exit status 1 where something is too low or too late."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lighthouse", type=Path, help="the folder of its npm package")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--only", action="append", help="a page: home, lobby, rules, a ruleset; may be repeated")
    parser.add_argument("--device", action="append", choices=DEVICES)
    parser.add_argument("--uncalibrated", action="store_true", help="take this machine for as fast as most desktops")
    given = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder), WEB_WORKERS="1") as stack:
        browser = Path(folder) / "browser"
        games = {ruleset: play_half(stack, ruleset) for ruleset in RULESETS}
        table = f"{stack.url}/play#/"
        pages = {"home": table, "lobby": f"{table}lobby", "rules": f"{stack.url}/docs/rules/{next(iter(RULESETS))}"}
        pages |= {ruleset: f"{table}{game}" for ruleset, (game, _) in games.items()}
        pages = {name: url for name, url in pages.items() if not given.only or name in given.only}
        with profile(browser, stack, dict(games.values())) as context:
            paints = {
                name: median(first_paint_ms(context, url) for _ in range(given.runs)) for name, url in pages.items()
            }
        judge = Judge(given.lighthouse, browser)
        slowness = SLOWNESS if given.uncalibrated else judge.calibrated(table)
        wanted = {device: slower for device, slower in slowness.items() if device in (given.device or DEVICES)}
        bad = table_of(judge, pages, wanted, given.runs)
    print(f"\n{'':30}{'first paint ms, speed / ' + str(SLOWER):>30}")
    for name, taken in paints.items():
        print(f"{name:30}{taken:30.0f}")
        if taken >= LONGEST_MS:
            bad.append(f"{name}: first paint after {taken:.0f} ms")
    if bad:
        sys.exit("\n".join(["", *bad]))


if __name__ == "__main__":
    main()
