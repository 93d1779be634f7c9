"""The table at /play and the admin page without a browser. tests/browser opens them."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from base64 import b64encode
from dataclasses import replace
from pathlib import Path

from service.usecases.base.context import Context
from tests.web.client import Client, refusal_of

BUILT = Path(__file__).parents[3] / "service" / "static" / "table"
MAX_BYTES = {"first page": 60_000, "game": 90_000, "all": 150_000}
"""Compressed size of scripts."""
MAX_FONT_BYTES = 60_000


def version_of(html: str) -> str:
    """Return the folder of the files that a page loads."""
    (found,) = {*re.findall(r"static/v-[0-9a-f]{16}/table/", html)}
    return str(found)


def test_the_page_loads_only_from_this_service(anyone: Client) -> None:
    page = anyone.flask.get("/play")
    html = page.get_data(as_text=True)
    assert "default-src 'none'; script-src 'self' 'sha256-" in page.headers["Content-Security-Policy"]
    loaded = re.findall(r'(?:src|href)="(?!data:|#)([^"]+)"', html)
    app = ["static/app/icon.svg", "static/app/manifest.webmanifest", "static/app/icon-192.png"]
    assert [*app, f"{version_of(html)}table.js"] == loaded
    for path in loaded:
        assert 200 == anyone.flask.get(f"/{path}").status_code


def test_the_page_describes_itself_in_link_previews_and_colours_the_browser(anyone: Client) -> None:
    html = anyone.flask.get("/play").get_data(as_text=True)
    described = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]+)"', html))
    assert {"type", "title", "description", "image"} == described.keys()
    address = "http://localhost/"
    assert described["image"].startswith(address), "previews need an absolute URL"
    assert 200 == anyone.flask.get(described["image"].removeprefix(address)).status_code
    assert 2 == len(re.findall(r'<meta name="theme-color" content="#[0-9a-f]{6}" media="', html))


def test_the_page_runs_only_its_own_script(anyone: Client) -> None:
    page = anyone.flask.get("/play")
    (script,) = re.findall(r"<script>(.*?)</script>", page.get_data(as_text=True), re.DOTALL)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in page.headers["Content-Security-Policy"]


def test_files_of_a_version_are_cached_and_other_versions_not_found(anyone: Client) -> None:
    version = version_of(anyone.flask.get("/play").get_data(as_text=True))
    cached = anyone.flask.get(f"/{version}table.js")
    assert (200, "public, max-age=31536000, immutable") == (cached.status_code, cached.headers["Cache-Control"])
    for path in (f"/static/v-{16 * '0'}/table/table.js", f"/{version}nothing.js", f"/{version}../../../app.py"):
        answer = anyone.flask.get(path)
        assert (404, "request/not_found") == (answer.status_code, answer.get_json(force=True)["code"])
        assert "immutable" not in answer.headers["Cache-Control"]


def test_the_typeface_is_small_licensed_and_cached(anyone: Client) -> None:
    html = anyone.flask.get("/play").get_data(as_text=True)
    loaded = re.findall(r'url\("?(static/design/[^")]+)"?\)', html)
    assert 2 == len(loaded)
    answers = [anyone.flask.get(f"/{path}") for path in loaded]
    assert {"public, max-age=31536000, immutable"} == {answer.headers["Cache-Control"] for answer in answers}
    assert {"font/woff2"} == {answer.mimetype for answer in answers}
    assert sum(len(answer.data) for answer in answers) <= MAX_FONT_BYTES
    assert "SIL Open Font License" in anyone.flask.get("/static/design/OFL.txt").get_data(as_text=True)
    css = anyone.flask.get("/static/design/fonts.css")
    assert "private, no-cache" == css.headers["Cache-Control"]
    assert [Path(path).name for path in loaded] == re.findall(r'url\("([^"]+)"\)', css.get_data(as_text=True))


def test_files_are_compressed_and_not_sent_twice(anyone: Client) -> None:
    small = {"Accept-Encoding": "br, gzip"}
    answer = anyone.flask.get("/static/table/table.js", headers=small)
    assert (BUILT / "table.js").read_bytes() == gzip.decompress(answer.data)
    assert ("gzip", "private, no-cache") == (answer.headers["Content-Encoding"], answer.headers["Cache-Control"])
    again = anyone.flask.get("/static/table/table.js", headers={**small, "If-None-Match": answer.headers["ETag"]})
    assert (304, b"") == (again.status_code, again.data)


def test_the_offline_worker_lists_all_files() -> None:
    (files,) = re.findall(r"const FILES = (\[[^]]+\])", (BUILT.parent / "app" / "worker.js").read_text())
    others = {"index.html", "admin.html", "admin.js"}
    assert sorted({path.name for path in BUILT.iterdir()} - others) == sorted(json.loads(files))


def test_the_table_can_be_installed(anyone: Client) -> None:
    """Its manifest, icons and worker exist, and the page can load them."""
    policy = anyone.flask.get("/play").headers["Content-Security-Policy"]
    assert "manifest-src 'self'; worker-src 'self'" in policy
    response = anyone.flask.get("/static/app/manifest.webmanifest")
    assert "application/manifest+json" == response.mimetype
    manifest = response.get_json(force=True)
    assert "../../play" == manifest["start_url"] == manifest["scope"]
    for icon in manifest["icons"]:
        answer = anyone.flask.get(f"/static/app/{icon['src']}")
        assert (200, icon["type"]) == (answer.status_code, answer.mimetype)
    worker = anyone.flask.get("/play-worker.js")
    assert (200, "text/javascript") == (worker.status_code, worker.mimetype)


def test_the_scripts_are_small() -> None:
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in BUILT.glob("*.js")}
    loaded = {"first page": sizes["table.js"], "game": sizes["table.js"] + sizes["game.js"], "all": sum(sizes.values())}
    for name, size in loaded.items():
        assert 0 < size <= MAX_BYTES[name], name


def test_the_admin_page_loads_one_script_and_is_neither_stored_nor_indexed_nor_framed(anyone: Client) -> None:
    page = anyone.flask.get("/admin")
    html = page.get_data(as_text=True)
    assert [f"{version_of(html)}admin.js"] == re.findall(r'<script[^>]* src="([^"]+)"', html)
    assert 200 == anyone.flask.get(f"/{version_of(html)}admin.js").status_code
    policy = page.headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert ("no-store", "noindex") == (page.headers["Cache-Control"], page.headers["X-Robots-Tag"])


def test_without_an_operators_token_the_admin_page_is_missing(anyone: Client, context: Context) -> None:
    context.settings = replace(context.settings, admin_token="")
    assert (404, "request/not_found") == refusal_of(anyone.get("/admin"))


def test_built_files_name_the_command_that_writes_them() -> None:
    for path in BUILT.iterdir():
        assert "make table" in path.read_text()[:400], path.name
