"""Run Lighthouse on the table: `make lighthouse ARGS='--runs 1 --only home --device mobile'`.

Prints for each page, on a phone and a desktop, the median of several runs: scores out of 100, first and largest
contentful paint and blocked time in ms on the simulated device, and the layout shift, then the findings of any run. A
score under 95 fails, except for search engine optimization. Then prints the median first paint in ms at a quarter of
this machine's speed; more than a second fails.

Pages of games show the middle of a game on the viewer's turn. The simulated devices are scaled by Lighthouse's own
benchmark of this machine; `--uncalibrated` assumes the speed that Lighthouse expects.
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
from tests.browser.chromium import HEADLESS, SWITCHES
from tests.e2e.stack import Stack
from tests.patience import wait_until

RUNS, LEAST, SLOWER, LONGEST_MS, LONGEST_S = 5, 95, 4, 1000, 180
ACTIONS = 14
"""Decisions of the viewer before the page is loaded."""
KEPT = Path(__file__).parents[2] / "var" / "lighthouse"
"""The folder for the last report of each page, for Lighthouse's viewer."""
JUDGED = ("performance", "accessibility", "best-practices")
CATEGORIES = (*JUDGED, "seo")
DEVICES: dict[str, tuple[str, ...]] = {"mobile": (), "desktop": ("--preset=desktop",)}
SLOWNESS = {"mobile": 4.0, "desktop": 1.0}
"""Factors by which the simulated devices are slower than a usual desktop."""
EXPECTED = 1500
"""The benchmark index of such a desktop (Lighthouse's docs/throttling.md)."""
TIMES = {
    "FCP": "first-contentful-paint",
    "LCP": "largest-contentful-paint",
    "TBT": "total-blocking-time",
    "CLS": "cumulative-layout-shift",
}
PAINT = "performance.getEntriesByName('first-contentful-paint').map((entry) => entry.startTime)[0]"
Report = dict[str, Any]


def play_half(stack: Stack, ruleset: str) -> tuple[str, str]:
    """Play half of a game. Return its id and the token of the seat that decides."""
    seats = [{"kind": "player"}, {"kind": "ai", "level": "random"}]
    made = stack.create(ruleset=ruleset, variant=RULESETS[ruleset].variants[0], seats=seats)
    game, token = made["game"]["id"], made["tokens"]["seats"]["0"]

    def legal() -> dict[str, Any] | None:
        """Return the seat's legal actions when it decides."""
        answer: dict[str, Any] = stack.get(f"/games/{game}/actions").json()
        return answer if answer.get("seat") == 0 else None

    for _ in range(ACTIONS):
        listed = wait_until(legal, "a turn")
        stack.act(game, token, listed["actions"][0]["id"], listed["revision"]).raise_for_status()
    wait_until(legal, "the turn on the page")
    return game, token


@contextmanager
def profile(folder: Path, stack: Stack, seats: dict[str, str]) -> Iterator[BrowserContext]:
    """Yield a browser that has stored the games' tokens, as if they had been created in it."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(folder, executable_path=HEADLESS, args=SWITCHES)
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
    """Lighthouse in this browser."""

    lighthouse: Path
    profile: Path

    def report(self, url: str, device: str, slower: float) -> Report:
        """Return one report. `slower`: slowdown of the simulated device relative to this machine."""
        flags = f"--headless=new --user-data-dir={self.profile} {' '.join(SWITCHES)}"
        command = [
            *("node", str(self.lighthouse / "cli" / "index.js"), url, *DEVICES[device], f"--chrome-flags={flags}"),
            *("--output=json", "--quiet", "--no-enable-error-reporting", f"--only-categories={','.join(CATEGORIES)}"),
            *("--throttling-method=simulate", f"--throttling.cpuSlowdownMultiplier={slower}"),
        ]
        environment = {**os.environ, "CHROME_PATH": str(HEADLESS)}
        done = subprocess.run(command, env=environment, capture_output=True, timeout=LONGEST_S, check=False)
        if done.returncode:
            sys.exit(done.stderr.decode())
        return dict(orjson.loads(done.stdout))

    def device_slowness(self, url: str) -> dict[str, float]:
        """Return the slowdown of each device relative to this machine, from Lighthouse's benchmark."""
        speeds = [self.report(url, "desktop", 1)["environment"]["benchmarkIndex"] for _ in range(3)]
        speed = median(speeds)
        print(f"this machine has a benchmark index of {speed:.0f}; Lighthouse expects {EXPECTED}\n", flush=True)
        return {device: round(usual * speed / EXPECTED, 2) for device, usual in SLOWNESS.items()}


def findings(report: Report) -> set[str]:
    """Return the audits that failed, with their values."""
    audits = report["audits"]
    wanted = {ref["id"] for category in report["categories"].values() for ref in category["auditRefs"]}
    low = {name for name in wanted if (score := audits[name]["score"]) is not None and score < 0.9}
    return {f"{name} ({value})" if (value := audits[name].get("displayValue")) else name for name in sorted(low)}


def table_of(judge: Judge, pages: dict[str, str], slowness: dict[str, float], runs: int) -> list[str]:
    """Print a line for each page and device. Return the scores that are too low."""
    low = []
    heads = [*(category[:11] for category in CATEGORIES), *TIMES]
    print(f"{'':30}" + "".join(f"{head:>12}" for head in heads))
    for name, url in pages.items():
        for device, slower in slowness.items():
            reports = [judge.report(url, device, slower) for _ in range(runs)]
            (KEPT / f"{name}-{device}.json").write_bytes(orjson.dumps(reports[-1]))
            scores = {
                category: median(100 * (report["categories"][category]["score"] or 0) for report in reports)
                for category in CATEGORIES
            }
            times = {
                head: median(report["audits"][audit]["numericValue"] for report in reports)
                for head, audit in TIMES.items()
            }
            cells = [f"{score:12.0f}" for score in scores.values()]
            cells += [f"{time:12.3f}" if head == "CLS" else f"{time:12.0f}" for head, time in times.items()]
            print(f"{name + ' ' + device:30}" + "".join(cells), flush=True)
            for finding in sorted(set[str]().union(*map(findings, reports))):
                print(f"    {finding}", flush=True)
            low += [f"{name} {device}: {judged} {scores[judged]:.0f}" for judged in JUDGED if scores[judged] < LEAST]
    return low


def first_paint_ms(context: BrowserContext, url: str) -> float:
    """Return the first paint of a browser with an empty cache at reduced speed."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.clearBrowserCache")
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    session.send("Network.setBypassServiceWorker", {"bypass": True})
    page.goto(url)
    taken = float(wait_until(lambda: page.evaluate(PAINT), "a first paint"))  # the policy allows no wait_for_function
    page.close()
    return taken


def main() -> None:
    """Print both tables. Exit with 1 if a score is too low or a paint too late."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lighthouse", type=Path, help="the folder of Lighthouse's npm package")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--only", action="append", help="a page: home, lobby, rules, a ruleset; may be repeated")
    parser.add_argument("--device", action="append", choices=DEVICES)
    parser.add_argument("--uncalibrated", action="store_true", help="assume that this machine is a usual desktop")
    options = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder), WEB_WORKERS="1") as stack:
        browser = Path(folder) / "browser"
        games = {ruleset: play_half(stack, ruleset) for ruleset in RULESETS}
        table = f"{stack.url}/play#/"
        pages = {"home": table, "lobby": f"{table}lobby", "rules": f"{stack.url}/docs/rules/{next(iter(RULESETS))}"}
        pages |= {ruleset: f"{table}{game}" for ruleset, (game, _) in games.items()}
        pages = {name: url for name, url in pages.items() if not options.only or name in options.only}
        with profile(browser, stack, dict(games.values())) as context:
            paints = {
                name: median(first_paint_ms(context, url) for _ in range(options.runs)) for name, url in pages.items()
            }
        judge = Judge(options.lighthouse, browser)
        slowness = SLOWNESS if options.uncalibrated else judge.device_slowness(table)
        wanted = {device: slower for device, slower in slowness.items() if device in (options.device or DEVICES)}
        bad = table_of(judge, pages, wanted, options.runs)
    print(f"\n{'':30}{'first paint ms, speed / ' + str(SLOWER):>30}")
    for name, taken in paints.items():
        print(f"{name:30}{taken:30.0f}")
        if taken >= LONGEST_MS:
            bad.append(f"{name}: first paint after {taken:.0f} ms")
    if bad:
        sys.exit("\n".join(["", *bad]))


if __name__ == "__main__":
    main()
