"""Draw the pictures of docs/development/pictures.md and of the start page: `python -m tests.browser.pictures [FOLDER]`.

Each shows a table at the position of the golden picture for two seats. Chromium writes WebP files of a few dozen KB,
light and dark. The start page shows an SVG in each language.
"""

from __future__ import annotations

import base64
import sys
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from service.rulesets.pictures.drawing import AUTO, DARK, LIGHT, Words
from service.rulesets.registry import RULESETS
from service.rulesets.texts import LANGUAGES
from tests.browser.chromium import HEADLESS, SWITCHES
from tests.rulesets.golden import games
from tests.rulesets.pictures import GOLDEN, MOMENTS, draw_moment, moment, scene

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
APP = Path(__file__).parents[2] / "service" / "static" / "app"
WIDTH_PX = 600  # of each half
QUALITY = 68


def draw_start_page(language: str) -> str:
    """Return the picture of the start page as SVG."""
    drawn = scene(*moment("azul.coloured.2", MOMENTS[GOLDEN]))
    ruleset = RULESETS["azul"]
    assert ruleset.picture is not None
    return ruleset.picture(replace(drawn, words=Words(ruleset.texts, language))).to_svg("Azul", "", AUTO)


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
    for language in LANGUAGES:
        (APP / f"board.{language}.svg").write_text(draw_start_page(language), "utf-8")
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=HEADLESS, args=SWITCHES).new_page()
        for name, ruleset, variant, seats in games():
            if (variant, seats) == (ruleset.variants[0], 2):
                size = (folder / f"{ruleset.id}.webp").write_bytes(screenshot(page, name))
                print(f"{ruleset.id}.webp: {size:,} bytes")


if __name__ == "__main__":
    main()
