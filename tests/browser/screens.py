"""Take screenshots of the table on a phone and on a desk: `python -m tests.browser.screens [FOLDER]`.

Writes the pictures of docs/development/table-pictures.md, each as WebP: the first page, the lobby, each ruleset with
two and with four seats, and the end of a game. The games begin in the middle of golden playthroughs.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from service.rulesets.registry import RULESETS
from tests.browser.chromium import HEADLESS, SWITCHES
from tests.browser.legibility import create_from, first_variant, last_decision, open_as_all_seats, positions
from tests.e2e.stack import Stack, bearer

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
PHONE, DESK = (390, 844), (1440, 900)
COMPLETE = "document.fonts.status === 'loaded' && [...document.images].every((image) => image.complete)"
HEIGHT_PX, GAP_PX, QUALITY = 640, 16, 55


def photograph(browser: Browser, stack: Stack, subject: str) -> bytes:
    """Return a picture of a page on a phone next to one on a desk."""
    shots = []
    for width, height in (PHONE, DESK):
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(0)
        show(page, stack, subject)
        page.wait_for_function(COMPLETE)
        page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})))")
        shots.append(base64.b64encode(page.screenshot()).decode())
        page.close()
    return side_by_side(browser.new_page(), shots)


def show(page: Page, stack: Stack, subject: str) -> None:
    """Open the page of a subject, such as `lobby` or `azul 4`."""
    if subject in ("home", "lobby"):
        page.goto(f"{stack.url}/play{'#/lobby' if subject == 'lobby' else ''}")
        return
    ruleset, moment = subject.split(" ")
    variant = first_variant(ruleset)
    if moment == "end":
        created = create_from(stack, last_decision(ruleset, variant, 2))
        end_game(stack, created["game"], created["tokens"]["seats"])
        open_as_all_seats(page, stack.url, created)
        page.get_by_role("button", name="Rematch").first.wait_for()
    else:
        position = dict(positions(ruleset, variant, int(moment)))["middle"]
        open_as_all_seats(page, stack.url, create_from(stack, position))
        page.locator(".board .choice, .board .other").first.wait_for(state="attached")


def end_game(stack: Stack, game: dict[str, object], tokens: dict[str, str]) -> None:
    """Choose the first legal action until the game ends."""
    while game["status"] == "playing":
        token = tokens[str(game["to_decide"])]
        legal = stack.get(f"/games/{game['id']}/actions", headers=bearer(token)).json()["actions"]
        game = stack.act(str(game["id"]), token, legal[0]["id"], int(str(game["revision"]))).json()["game"]


def side_by_side(page: Page, shots: list[str]) -> bytes:
    """Return a WebP of screenshots with the same height."""
    images = "".join(f'<img height="{HEIGHT_PX}" src="data:image/png;base64,{shot}">' for shot in shots)
    page.set_content(f'<!doctype html><body style="margin:0;display:inline-flex;gap:{GAP_PX}px">{images}')
    page.wait_for_function(COMPLETE)
    box = page.locator("body").bounding_box()
    assert box is not None
    options = {"format": "webp", "quality": QUALITY, "clip": {**box, "scale": 1}, "captureBeyondViewport": True}
    picture = page.context.new_cdp_session(page).send("Page.captureScreenshot", options)["data"]
    page.close()
    return base64.b64decode(picture)


def subjects() -> Iterator[str]:
    yield from ("home", "lobby", "azul end")
    yield from (f"{ruleset} {seats}" for ruleset in RULESETS for seats in (2, 4))


def main() -> None:
    """Write all screenshots and print their sizes."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, Stack(Path(home)) as stack, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=HEADLESS, args=SWITCHES)
        for subject in subjects():
            name = f"table-{subject.replace(' ', '-')}.webp"
            print(f"{name}: {(folder / name).write_bytes(photograph(browser, stack, subject)):,} bytes")


if __name__ == "__main__":
    main()
