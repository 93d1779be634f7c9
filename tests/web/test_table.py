"""The table at /play, as far as no browser is needed; tests/browser plays at it."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from tests.web.client import Client

BUILT = Path(__file__).parents[2] / "service" / "static" / "table"
MOST_KB = 90  # over the wire


def test_the_page_and_all_it_loads_come_from_this_service(anyone: Client) -> None:
    page = anyone.flask.get("/play")
    html = page.get_data(as_text=True)
    assert "default-src 'none'; script-src 'self'" in page.headers["Content-Security-Policy"]
    loaded = re.findall(r'(?:src|href)="(?!data:)([^"]+)"', html)
    app = ["static/app/manifest.webmanifest", "static/app/icon-192.png"]
    assert [*app, "static/table/table.js", "static/table/table.css"] == loaded
    for path in loaded:
        assert 200 == anyone.flask.get(f"/{path}").status_code


def test_it_can_be_installed(anyone: Client) -> None:
    """Its manifest, the icons that it names, and the worker are there, and the page may load them."""
    policy = anyone.flask.get("/play").headers["Content-Security-Policy"]
    assert "manifest-src 'self'; worker-src 'self'" in policy
    told = anyone.flask.get("/static/app/manifest.webmanifest")
    assert "application/manifest+json" == told.mimetype
    manifest = told.get_json(force=True)
    assert "../../play" == manifest["start_url"] == manifest["scope"]
    for icon in manifest["icons"]:
        answer = anyone.flask.get(f"/static/app/{icon['src']}")
        assert (200, icon["type"]) == (answer.status_code, answer.mimetype)
    worker = anyone.flask.get("/play-worker.js")
    assert (200, "text/javascript") == (worker.status_code, worker.mimetype)


def test_it_is_small() -> None:
    sizes = [len(gzip.compress(path.read_bytes())) for path in BUILT.iterdir()]
    assert 0 < sum(sizes) < MOST_KB * 1000


def test_what_was_built_says_so() -> None:
    for path in BUILT.iterdir():
        assert "make table" in path.read_text()[:400], path.name
