"""The page of all components: `python -m tests.browser.design.components [FOLDER]` writes pictures of it.

Vite builds frontend/components.html, which is not part of the product. The browser gets its files without a server.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, Route, sync_playwright

from tests.browser.chromium import HEADLESS, SWITCHES

ROOT = Path(__file__).parents[3]
NODE = shutil.which("node", path=f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin") or shutil.which("node")
HOST = "http://components.test"
SIZES = {"phone": (390, 844), "small": (320, 568), "desk": (1440, 900)}


def build(folder: Path) -> None:
    """Build the page into a folder."""
    vite = ROOT / "node_modules" / "vite" / "bin" / "vite.js"
    options = ("--mode", "components", "--outDir", str(folder), "--emptyOutDir", "--logLevel", "warn")
    subprocess.run([str(NODE), str(vite), "build", *options], cwd=ROOT / "frontend", check=True)


def show(page: Page, folder: Path) -> None:
    """Open the built page, and wait for its typeface."""

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(f"{HOST}/")
        is_built = not path.startswith("static/design/")
        file = folder / path.removeprefix("static/table/") if is_built else ROOT / "service" / path
        route.fulfill(path=file) if file.is_file() else route.fulfill(status=404)

    page.route(f"{HOST}/**", answer)
    page.goto(f"{HOST}/components.html")
    page.locator("form").last.wait_for()
    page.evaluate("document.fonts.ready")


def main() -> None:
    """Write a picture for each size."""
    pictures = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "var" / "browser"
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as built, sync_playwright() as playwright:
        build(Path(built))
        browser = playwright.chromium.launch(executable_path=HEADLESS, args=SWITCHES)
        for name, (width, height) in SIZES.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            show(page, Path(built))
            page.screenshot(path=pictures / f"components.{name}.png", full_page=True)
            page.close()


if __name__ == "__main__":
    main()
