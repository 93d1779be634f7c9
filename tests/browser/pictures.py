"""Draw the pictures of docs/development/pictures.md: `python -m tests.browser.pictures [FOLDER]`.

Each shows a table, light and dark. The positions are those of the golden pictures for two seats. Chromium writes WebP
files of a few dozen KB.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from service.rulesets.pictures.drawing import DARK, LIGHT
from tests.browser.chromium import CHROMIUM, SWITCHES
from tests.rulesets.golden import games
from tests.rulesets.pictures import GOLDEN, MOMENTS, drawn

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
WIDTH_PX = 600  # of each of the two
QUALITY = 68


def taken(page: Page, name: str) -> bytes:
    """A WebP of a golden position, light beside dark."""
    shown = (base64.b64encode(drawn(name, MOMENTS[GOLDEN], theme).encode()).decode() for theme in (LIGHT, DARK))
    images = "".join(f'<img width="{WIDTH_PX}" src="data:image/svg+xml;base64,{svg}">' for svg in shown)
    page.set_content(f'<!doctype html><body style="margin:0;display:flex;width:{2 * WIDTH_PX}px">{images}')
    box = page.locator("body").bounding_box()
    assert box is not None
    asked = {"format": "webp", "quality": QUALITY, "clip": {**box, "scale": 1}, "captureBeyondViewport": True}
    return base64.b64decode(page.context.new_cdp_session(page).send("Page.captureScreenshot", asked)["data"])


def main() -> None:
    """Write all of them, and say what they weigh."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES).new_page()
        for name, ruleset, variant, seats in games():
            if (variant, seats) == (ruleset.variants[0], 2):
                size = (folder / f"{ruleset.id}.webp").write_bytes(taken(page, name))
                print(f"{ruleset.id}.webp: {size:,} bytes")


if __name__ == "__main__":
    main()
