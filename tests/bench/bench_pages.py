"""How soon can an operation be read? `python -m tests.bench.bench_pages [VIEWERS]`; needs a browser.

Seconds from asking for a page to the text that is looked for standing in it, median of 5 loads by a browser that knows
nothing, as wide as a phone and at a quarter of this machine's speed; the ratio is to a bare page (`/healthz`) in the
same run. And the bytes that were sent.

With VIEWERS, the pages of libraries are measured beside ours, with the same document, Content-Security-Policy and
compression; a folder made by `npm install --prefix VIEWERS swagger-ui-dist redoc @scalar/api-reference
@stoplight/elements`. docs/decisions/0007-own-reference-pages.md has results.
"""

from __future__ import annotations

import gzip
import mimetypes
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

import orjson
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as BrowserError

from openapi.build import document
from service.web.http.middleware import PAGE_POLICY
from tests.browser.chromium import CHROMIUM, SWITCHES
from tests.e2e.stack import Stack

LOADS, SLOWER, LONGEST_S = 5, 4, 120
OURS = {
    "/healthz": "ok",
    "/docs": "Create a game",
    "/docs/api/submitAction": "Try it",
    "/docs/tutorials/first-game": "Create a game",
}
START = (
    '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
    '<link rel="icon" href="data:,"><body>'
)
VIEWERS = {
    "Stoplight Elements": START + '<link rel="stylesheet" href="/@stoplight/elements/styles.min.css">'
    '<script src="/@stoplight/elements/web-components.min.js"></script>'
    '<elements-api apiDescriptionUrl="/openapi.json" router="hash" layout="responsive"></elements-api>',
    "Scalar": START + '<div id="app"></div><script src="/@scalar/api-reference/dist/browser/standalone.js"></script>'
    '<script src="/start.js"></script>',
    "Swagger UI": START + '<link rel="stylesheet" href="/swagger-ui-dist/swagger-ui.css"><div id="app"></div>'
    '<script src="/swagger-ui-dist/swagger-ui-bundle.js"></script><script src="/start.js"></script>',
    "Redoc": START + '<redoc spec-url="/openapi.json"></redoc>'
    '<script src="/redoc/bundles/redoc.standalone.js"></script>',
}
START_JS = b"""
if (window.Scalar) Scalar.createApiReference("#app", {url: "/openapi.json", withDefaultFonts: false});
else SwaggerUIBundle({url: "/openapi.json", dom_id: "#app", docExpansion: "list", filter: true});
"""


def measure(browser: Browser, url: str, text: str) -> tuple[float, float]:
    """Seconds to the text, and KB that were sent."""
    seconds, sent = [], list[float]()

    def loaded(finished: dict[str, Any]) -> None:
        sent.append(finished["encodedDataLength"])

    for _ in range(LOADS):
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        session.send("Network.enable")
        session.on("Network.loadingFinished", loaded)
        began = time.perf_counter()
        page.goto(url, wait_until="commit")
        try:
            page.get_by_text(text).first.wait_for(state="attached", timeout=1000 * LONGEST_S)
        except BrowserError:
            seconds.append(float("inf"))
        else:
            seconds.append(time.perf_counter() - began)
        context.close()
    return median(seconds), sum(sent) / LOADS / 1000


@contextmanager
def viewers(folder: Path) -> Iterator[str]:
    """A server of the libraries' pages; its URL."""
    files = {"/openapi.json": orjson.dumps(document()), "/start.js": START_JS}
    files.update({f"/{name}": html.encode() for name, html in VIEWERS.items()})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.replace("%20", " ")
            content = files.get(path) or (folder / "node_modules" / path[1:]).read_bytes()
            self.send_response(200)
            self.send_header("Content-Security-Policy", PAGE_POLICY)
            self.send_header("Content-Type", mimetypes.guess_type(path)[0] or "text/html; charset=utf-8")
            self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(gzip.compress(content))

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def main() -> None:
    """Print the table."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Stack(Path(folder)) as stack,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES) as browser,
    ):
        measure(browser, f"{stack.url}/docs", "Create a game")  # the service's processes have made it once
        bare, _ = measure(browser, f"{stack.url}/healthz", "ok")
        print(f"{'':32} {'seconds':>8} {'ratio':>6} {'KB sent':>8}")
        for path, text in OURS.items():
            report(path, bare, *measure(browser, stack.url + path, text))
        for name in VIEWERS if len(sys.argv) > 1 else ():
            with viewers(Path(sys.argv[1])) as url:
                report(name, bare, *measure(browser, f"{url}/{name}", "Create a game"))


def report(name: str, bare: float, seconds: float, sent: float) -> None:
    """A line of the table."""
    print(f"{name:32} {seconds:8.2f} {seconds / bare:6.1f} {sent:8.0f}", flush=True)


if __name__ == "__main__":
    main()
