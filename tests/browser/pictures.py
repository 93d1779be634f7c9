"""Draw the pictures of docs/development/pictures.md: `python -m tests.browser.pictures [FOLDER]`.

Each shows a table, light and dark, at the position of the golden picture for two seats. Chromium writes WebP files of a
few dozen KB.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from service.rulesets.pictures.drawing import DARK, LIGHT
from tests.browser.chromium import CHROMIUM, SWITCHES
from tests.rulesets.golden import games
from tests.rulesets.pictures import GOLDEN, MOMENTS, draw_moment

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
WIDTH_PX = 600  # of each half
QUALITY = 68


def screenshot(page: Page, name: str) -> bytes:
    """Return a WebP of a golden position, light next to dark."""
    shown = (base64.b64encode(draw_moment(name, MOMENTS[GOLDEN], theme).encode()).decode() for theme in (LIGHT, DARK))
    images = "".join(f'<img width="{WIDTH_PX}" src="data:image/svg+xml;base64,{svg}">' for svg in shown)
    page.set_content(f'<!doctype html><body style="margin:0;display:flex;width:{2 * WIDTH_PX}px">{images}')
    box = page.locator("body").bounding_box()
    assert box is not None
    options = {"format": "webp", "quality": QUALITY, "clip": {**box, "scale": 1}, "captureBeyondViewport": True}
    return base64.b64decode(page.context.new_cdp_session(page).send("Page.captureScreenshot", options)["data"])


def main() -> None:
    """Write all pictures and print their sizes."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES).new_page()
        for name, ruleset, variant, seats in games():
            if (variant, seats) == (ruleset.variants[0], 2):
                size = (folder / f"{ruleset.id}.webp").write_bytes(screenshot(page, name))
                print(f"{ruleset.id}.webp: {size:,} bytes")


if __name__ == "__main__":
    main()
